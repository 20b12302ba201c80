/** What a rating needs to know of a market. */
export interface TapeMarket {
  readonly condition: string;
  /** Event of the market, if the source gives it; wins over the event of a fill. */
  readonly event: string;
  /** Market slug; "" if the source does not give it. */
  readonly slug: string;
  /**
   * sports, politics, geopolitics, crypto, finance, tech, mentions, economics, culture, weather or
   * other.
   */
  readonly category: string;
  /** Taker fee rate of the market, in micros (0.05 is 50 000). */
  readonly feeRateMicros: number;
  /** A crypto up/down market: out of scope. */
  readonly upDown: boolean;
  /**
   * When the market was meant to end, in seconds since the epoch: the first value ever seen; null
   * if it has no end.
   */
  readonly scheduledEndS: number | null;
  /** null while it is not resolved. */
  readonly resolvedAtS: number | null;
  /**
   * Payout of each outcome in micros of a dollar per share; null while there is no vector, whatever
   * prices say.
   */
  readonly payoutMicros: readonly number[] | null;
  /**
   * Whose word the payout is; absent without one, and where the operator gave it (an import, or a
   * tape from before this was kept).
   */
  readonly payoutSource?: PayoutSource;
  /** When the market was made, in seconds; absent if the source does not give it. */
  readonly createdAtS?: number;
}

/**
 * The payout vector of the venue, the CLOB's winner flags, or nothing but a clear last price: that
 * one is asked for again until somebody confirms it, and is never enough for a COPY.
 */
export type PayoutSource = 'vector' | 'clob' | 'price';

/**
 * What is assumed of a market that no source has described: pending, and never fee-free
 * (docs/ratings.md, "Copier's fee").
 */
export const UNKNOWN_MARKET: Omit<TapeMarket, 'condition'> = {
  event: '',
  slug: '',
  category: 'other',
  feeRateMicros: 50_000,
  upDown: false,
  scheduledEndS: null,
  resolvedAtS: null,
  payoutMicros: null,
};

/** The four categories that a profile shows (`category_mix_pct`). */
export const MIX_CATEGORIES = ['sports', 'politics', 'other', 'crypto'] as const;
export type MixCategory = (typeof MIX_CATEGORIES)[number];
