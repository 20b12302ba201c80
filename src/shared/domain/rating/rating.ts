import type { TapeWallet } from '../ids.js';
import type { MixCategory } from './tape-market.js';

export type RatingVerdict = 'COPY' | 'WATCH' | 'VETO' | 'NO_COVERAGE';

/**
 * Rows of the decision table, in its order (docs/ratings.md, "Decision table"), and what a COPY
 * becomes where not all of the window was seen (docs/ratings.md, "What was not seen").
 */
export const RATING_REASONS = [
  'below_floor',
  'both_sides',
  'few_resolved',
  'lost_money',
  'fee_fragile',
  'farming',
  'is_small',
  'is_negative',
  'oos_small',
  'oos_failed',
  'not_significant',
  'one_event',
  'unconfirmed',
  'validated',
  'tape_short',
] as const;
export type RatingReason = (typeof RATING_REASONS)[number];

/**
 * One pool, as it is shown: fractions of a staked dollar (0.28 is 28 %), not rounded; null if
 * there are no entries.
 */
export interface PoolRating {
  readonly entries: number;
  readonly events: number;
  readonly winRate: number | null;
  readonly roiSlippage: number | null;
  readonly roiFee: number | null;
  readonly z: number | null;
  readonly standardError: number | null;
  readonly ciLow: number | null;
  readonly ciHigh: number | null;
  /** ROI after fees without the best event. */
  readonly roiWithoutBestEvent: number | null;
}

export type SampleFlag = 'thin' | 'fair' | 'solid';

/**
 * A wallet's rating at one moment. Percentages and prices are rounded to 4 decimals (half away from
 * zero) as they are shown; null if the number is not shown (below the floor, or nothing
 * resolved).
 */
export interface Rating {
  readonly wallet: TapeWallet;
  /** 00:00:00 UTC of the snapshot day, in seconds. */
  readonly asOfS: number;
  readonly verdict: RatingVerdict;
  readonly reason: RatingReason;
  /** The sentence of the decision table, with its numbers. */
  readonly reasonText: string;
  readonly firstEntries: number;
  readonly resolved: number;
  readonly pending: number;
  readonly earlyResolved: number;
  readonly winRatePct: number | null;
  readonly roiSlippagePct: number | null;
  readonly roiFeePct: number | null;
  readonly avgEntryPrice: number | null;
  readonly priceBuckets: readonly number[];
  readonly categoryMixPct: Readonly<Record<MixCategory, number>>;
  readonly clipsPerEntryAvg: number | null;
  readonly markets: number;
  readonly bothSidedMarkets: number;
  readonly bothSidesPct: number;
  readonly nearCertainPct: number;
  readonly roundTripPct: number;
  readonly sellFirst: number;
  readonly upDownExcluded: number;
  readonly firstTradeS: number | null;
  readonly lastTradeS: number | null;
  readonly activeDays: number;
  readonly older: PoolRating;
  readonly inSample: PoolRating;
  readonly outOfSample: PoolRating;
  readonly window: PoolRating;
  readonly sample: SampleFlag;
  /**
   * How many more filtered entries the window would need for the interval to lie above zero; null
   * unless its ROI is positive.
   */
  readonly entriesNeeded: number | null;
}
