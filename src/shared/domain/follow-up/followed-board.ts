import type { TapeWallet } from '../ids.js';
import { DAY_S } from '../time.js';

/**
 * Entries are followed for so long after the moment of a board: as long as the month that a rating
 * tests a wallet on. Shorter spans have too few results, in longer ones the list has long changed.
 */
export const FOLLOWED_DAYS = 30;
/**
 * After the last of these entries their results are waited for this long; then the counts are final,
 * and what has not resolved stays unresolved.
 */
export const AWAITED_DAYS = 90;
/** Most COPY wallets of a board that are followed, the best of its list; a list shows 50. */
export const FOLLOWED_WALLETS_MAX = 200;
/** How long a board is kept, a row of at most some 12 kB each. */
export const FOLLOWED_BOARDS_DAYS = 400;
/**
 * A board that comes into force later than this after its moment is not kept: whoever made it might
 * have known what came of its wallets.
 */
const LATE_S_MAX = 2 * DAY_S;

/** The COPY wallets of a board as they were when it came into force, and what became of them. */
export interface FollowedBoard {
  /** The moment of the board, a midnight in UTC; there is one board of each. */
  readonly asOfS: number;
  readonly run: number;
  readonly computedAtMs: number;
  /** `rating_config`. */
  readonly config: string;
  /** How many wallets were COPY. */
  readonly copies: number;
  /** How many would have been COPY if all outcomes had been drawn by chance. */
  readonly placeboCopies: number;
  /** Those that are followed. */
  readonly wallets: readonly TapeWallet[];
  /** null: nothing was counted yet. */
  readonly result: FollowResult | null;
}

/** What the copier of a board's COPY wallets made. */
export interface FollowResult extends CopierCounts {
  /** Results are those that were known at this moment. */
  readonly knownS: number;
  /** Seconds of the span up to then of which the tape does not hold all trades. */
  readonly unseenS: number;
  /** Whether nothing is counted any more. */
  readonly isFinal: boolean;
  /** Followed wallets with a resolved entry, and those whose resolved entries made money together. */
  readonly walletsResolved: number;
  readonly walletsInProfit: number;
  /** Those of the entries that were made before the next board. */
  readonly own: GroupedCounts;
}

/** First entries of some wallets at the copier's price, and what a dollar on each came to. */
export interface CopierCounts {
  readonly entries: number;
  /** Of these: settled, and their scheduled end has passed. */
  readonly resolved: number;
  /** Events of the resolved entries. */
  readonly events: number;
  /** Mean return of a dollar, and its interval with events as clusters; null as in `ClusteredMean`. */
  readonly roi: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

/** Counts that can be added up over boards: each entry is in those of one board. */
export interface GroupedCounts {
  readonly entries: number;
  /** Wallets with a resolved entry, as numbers of `FollowedBoard.wallets`, and the return of each. */
  readonly byWallet: readonly WalletReturn[];
  /** Resolved entries, sorted into groups by the name of their event. */
  readonly byGroup: readonly GroupReturn[];
}

interface WalletReturn {
  readonly wallet: number;
  readonly returnFeeNano: number;
}

interface GroupReturn {
  readonly group: number;
  readonly scored: number;
  readonly returnFeeNano: number;
}

/** Returns whether a board is kept when it comes into force. */
export function isFollowed({ asOfS, computedAtMs }: Pick<FollowedBoard, 'asOfS' | 'computedAtMs'>): boolean {
  const lateS = computedAtMs / 1e3 - asOfS;
  return asOfS % DAY_S === 0 && lateS >= 0 && lateS <= LATE_S_MAX;
}

/** Returns the end of the entries that are followed, as far as they are known at a moment. */
export function followedToS({ asOfS }: Pick<FollowedBoard, 'asOfS'>, knownS: number): number {
  return Math.max(asOfS, Math.min(asOfS + FOLLOWED_DAYS * DAY_S, knownS));
}
