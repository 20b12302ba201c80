import type { TapeWallet } from '../ids.js';
import type { MixCategory } from './tape-market.js';

/**
 * Sums over scorable entries that pass the leaderboard filter. All are sums of integers, so that
 * neither the order nor the number of threads changes them: returns per dollar in nano (1e-9),
 * variances in nano, squares of their roots in atto (1e-18).
 */
export interface PoolSums {
  readonly entries: number;
  readonly events: number;
  /** Entries with a return above zero before fees. */
  readonly wins: number;
  readonly returnSlippageNano: bigint;
  readonly returnFeeNano: bigint;
  /** Sum of v, each rounded to nano. */
  readonly varianceNano: bigint;
  /** Sum over events of (sum of the roots of v, each rounded to nano) squared. */
  readonly eventRootsAtto: bigint;
  /** Sum of the score u = (y - c) / (c(1 - c)) of each entry, in nano. */
  readonly scoreNano: bigint;
  /** Sum of the weights w = 1 / (c(1 - c)), which are the variances of u, each rounded to nano. */
  readonly weightNano: bigint;
  /** Sum over events of (sum of the roots of w, each rounded to nano) squared. */
  readonly eventWeightRootsAtto: bigint;
  /** Greatest sum of r_f over one event; 0 if there are no entries. */
  readonly bestEventNano: bigint;
}

/**
 * What a rating is made of: one wallet, one moment. Both engines make exactly this. See
 * docs/ratings.md, "Two engines".
 */
export interface RatingSums {
  readonly wallet: TapeWallet;
  /** First entries inside the 90-day window. */
  readonly firstEntries: number;
  /** Of these: settled and matured. */
  readonly resolved: number;
  /** Of these: settled, and their scheduled end is still to come. Counted as pending. */
  readonly earlyResolved: number;
  /** Of the resolved ones: their payout is known by a last price alone. */
  readonly unconfirmed: number;
  /** Resolved entries with a return above zero before fees. */
  readonly wins: number;
  /** Over resolved entries. */
  readonly returnSlippageNano: bigint;
  readonly returnFeeNano: bigint;
  /** Sum of the wallet's own prices over all first entries. */
  readonly entryPriceMicros: bigint;
  /** Ten counts over all first entries by the wallet's own price. */
  readonly priceBuckets: readonly number[];
  readonly categories: Readonly<Record<MixCategory, number>>;
  /** BUY clips that belong to the first entries. */
  readonly clips: number;
  /**
   * Markets with a first entry in the window, and those of them in which the wallet ever bought two
   * outcomes.
   */
  readonly markets: number;
  readonly bothSidedMarkets: number;
  readonly nearCertain: number;
  readonly roundTrips: number;
  /** First entries whose token was sold before it was first bought. */
  readonly sellFirst: number;
  /** Markets of first entries of which nothing is known but their trades. */
  readonly undescribedMarkets: number;
  /**
   * First entries in the window that were left out because their market is a crypto up/down market.
   */
  readonly upDownExcluded: number;
  /** First and last in-scope fill in the window, BUY or SELL, in seconds; null if there is none. */
  readonly firstTradeS: number | null;
  readonly lastTradeS: number | null;
  /** Distinct UTC dates of these fills. */
  readonly activeDays: number;
  /** The same dates as bits: the lowest is the date on which the window begins. */
  readonly tradeDays: bigint;
  /**
   * [as_of-90d, as_of-60d), [as_of-60d, as_of-30d), [as_of-30d, as_of) after the event embargo, and
   * all 90 days.
   */
  readonly older: PoolSums;
  readonly inSample: PoolSums;
  readonly outOfSample: PoolSums;
  readonly window: PoolSums;
}
