import { isoDay } from '../time.js';
import type { Rating } from './rating.js';

/** Whole seconds from one to another, both inclusive. */
export interface SecondsSpan {
  readonly fromS: number;
  readonly toS: number;
}

/** What a rating did not see, as far as that is known (docs/ratings.md, "What was not seen"). */
export interface Unseen {
  /** Trades before this second were not read; null: all were. */
  readonly beforeS: number | null;
  /**
   * A time within the window of which trades are missing, on a day on which the wallet traded;
   * null: none is known.
   */
  readonly gap: SecondsSpan | null;
  /** Markets of its entries that the venue does not describe: their entries are pending. */
  readonly markets: number;
}

/** Whether nothing is known to be missing. */
export function isAllSeen({ beforeS, gap, markets }: Unseen): boolean {
  return beforeS === null && gap === null && markets === 0;
}

/**
 * Returns the rating as it may be shown: what looks like COPY and was made of less than the whole
 * window is WATCH, and says why. `fromS` is where the window begins.
 */
export function capUnseen(rating: Rating, unseen: Unseen, fromS: number): Rating {
  const why = whatIsMissing(unseen, fromS);
  if (why === null || rating.verdict !== 'COPY') return rating;
  return { ...rating, verdict: 'WATCH', reason: 'tape_short', reasonText: `${why}: no COPY. ${rating.reasonText}` };
}

/** Returns what is missing, as the begin of a sentence; null if nothing is. */
function whatIsMissing({ beforeS, gap, markets }: Unseen, fromS: number): string | null {
  if (beforeS !== null && beforeS > fromS) return `The tape begins on ${isoDay(beforeS)}, within the window`;
  if (gap !== null) return `Trades of ${isoDay(gap.fromS)} are missing from the tape`;
  if (markets > 0) return `The venue does not describe ${markets} of its markets`;
  return null;
}
