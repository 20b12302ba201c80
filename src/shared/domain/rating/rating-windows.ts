import { DAY_S } from '../time.js';
import type { RatingConfig } from './rating-config.js';

/**
 * Profiles are refreshed every night at 04:30:00 UTC (docs/interface-wallets.md, "Wallet verdict
 * states").
 */
const REFRESH_S = 4 * 3_600 + 30 * 60;

/**
 * The windows of a rating, half-open, in seconds since the epoch: each begins here and ends where
 * the next begins.
 */
export interface RatingWindows {
  /** Begin of the 90 days, and of the days before the two months. */
  readonly fromS: number;
  readonly inSampleFromS: number;
  readonly outOfSampleFromS: number;
  /** The moment of the rating; nothing at or after it is seen. */
  readonly asOfS: number;
}

/**
 * Returns the moment that a rating made now is made for: 00:00:00 UTC of the day (docs/ratings.md,
 * "Windows").
 */
export function asOfOf(nowS: number): number {
  return Math.floor(nowS / DAY_S) * DAY_S;
}

/** How long after a look at a late board it is worth looking again. */
const LATE_S = 900;

/**
 * Returns when what was rated for `asOfS` is refreshed next: by 04:30:00 UTC of the next day. If
 * nothing is rated yet (null), it is the first 04:30:00 UTC strictly after now. The board of a
 * night is there before 04:30, and a caller who buys it then must not be sent back for the same
 * one. A board that is late is there as soon as its run succeeds: in a quarter of an hour, or when
 * it is looked for next (`nextLookS`).
 */
export function nextRefreshS(nowS: number, asOfS: number | null = null, nextLookS: number | null = null): number {
  if (asOfS !== null && isLate(nowS, asOfS)) return Math.max(nowS + LATE_S, nextLookS ?? 0);
  const today = asOfOf(nowS) + REFRESH_S;
  const next = today > nowS ? today : today + DAY_S;
  return asOfS === null ? next : Math.max(next, asOfS + DAY_S + REFRESH_S);
}

/** Whether what was rated for `asOfS` should have been refreshed by now. */
export function isLate(nowS: number, asOfS: number): boolean {
  return nowS >= asOfS + DAY_S + REFRESH_S;
}

/** Returns the windows of a rating made for this moment (docs/ratings.md, "Windows"). */
export function ratingWindows(asOfS: number, config: RatingConfig): RatingWindows {
  const monthS = config.monthDays * DAY_S;
  return {
    fromS: asOfS - config.windowDays * DAY_S,
    inSampleFromS: asOfS - 2 * monthS,
    outOfSampleFromS: asOfS - monthS,
    asOfS,
  };
}
