/**
 * The limits an order is judged by. Cents are per share; the caller may override all but the depth
 * fraction.
 */
export interface Thresholds {
  readonly slippageCautionCents: number;
  readonly slippageVetoCents: number;
  /** Part of the visible depth, 0 to 1. */
  readonly depthCautionFraction: number;
  readonly bookStaleVetoS: number;
}

/** Defaults (docs/interface.md, "Order verdict states"). */
export const DEFAULT_THRESHOLDS: Thresholds = {
  slippageCautionCents: 1,
  slippageVetoCents: 3,
  depthCautionFraction: 0.25,
  bookStaleVetoS: 60,
};

/** A marketable BUY below this notional is refused by the venue. */
export const MIN_BUY_NOTIONAL_USD = 1;

/**
 * A game is over for certain when this has passed since it was due (`Market.gameDueMs`): one that
 * rain or darkness stops is played to its end on the next day.
 */
export const GAME_OVER_AFTER_H = 48;

/** Bounds of what a caller may ask (docs/interface.md, "Order request"). Outside: 400. */
export const USD_MAX = 10_000_000;
export const SLIPPAGE_CENTS_MAX = 100;
export const BOOK_AGE_S_MAX = 86_400;
export const DEFAULT_USD = 100;
/** Longest slug or URL that is looked at. The venue's longest are under 200 characters. */
export const MARKET_CHARS_MAX = 512;
export const OUTCOME_CHARS_MAX = 256;
