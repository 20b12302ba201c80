import type { ConditionId, TokenId } from './ids.js';

/** Which way an order goes. A BUY takes asks, a SELL takes bids. */
export type Side = 'BUY' | 'SELL';

/**
 * The taker-fee curve of one market: fee per share = rate * (p(1-p))^exponent (docs/venue.md,
 * "Fees"). `known` is false if neither Gamma nor the CLOB gave the curve; the rate is then the
 * worst one published.
 */
export interface FeeSchedule {
  readonly rate: number;
  /**
   * From 0 to FEE_EXPONENT_MAX, whole or not; the venue uses 1 everywhere but in a few legacy
   * markets (2).
   */
  readonly exponent: number;
  /** Free text for people, e.g. "politics_fees" or "fee-free". */
  readonly category: string;
  readonly known: boolean;
}

/** What the arithmetic is made for; the venue has never published more. */
export const FEE_RATE_MAX = 1;
export const FEE_EXPONENT_MAX = 4;

/**
 * The worst taker rate of the venue's 2026 table (crypto). It stands in where a market's own rate
 * is unknown.
 */
const WORST_PUBLISHED_FEE_RATE = 0.07;

/** The fee of a market that says that it takes none. */
export const FEE_FREE: FeeSchedule = { rate: 0, exponent: 1, category: 'fee-free', known: true };

/** The venue's fee type of markets that take none though their fees are enabled: it is its rate. */
export const ZERO_FEES = 'zero_fees';

/** The fee of a market that does not say what it takes: too much rather than too little. */
export const FEE_UNKNOWN: FeeSchedule = {
  rate: WORST_PUBLISHED_FEE_RATE,
  exponent: 1,
  category: `unknown (worst published rate ${WORST_PUBLISHED_FEE_RATE} assumed)`,
  known: false,
};

/**
 * Every market the venue has listed for years wants so many shares of an order; it stands in if a
 * market does not say.
 */
export const DEFAULT_MIN_ORDER_SHARES = 5;

/** One side that can be bought, such as "Yes", and the token that pays 1 USD a share if it wins. */
export interface Outcome {
  readonly label: string;
  readonly tokenId: TokenId;
}

/** Whether a market takes orders at all; each flag is the venue's own word (Gamma). */
export interface MarketStatus {
  readonly active: boolean;
  readonly closed: boolean;
  readonly acceptingOrders: boolean;
  readonly orderBookEnabled: boolean;
  /**
   * Empty while nobody has proposed a resolution; else requested, proposed, disputed, settled or
   * resolved, or what the venue's second protocol calls it.
   */
  readonly umaResolutionStatus: string;
}

/** One binary market. `outcomes` has two entries on every market that can be traded. */
export interface Market {
  readonly conditionId: ConditionId;
  readonly slug: string;
  readonly question: string;
  /**
   * The short name of this market inside a multi-market event ("25 bps decrease"); null if it has
   * none.
   */
  readonly groupItemTitle: string | null;
  readonly outcomes: readonly Outcome[];
  /** In shares. */
  readonly minOrderShares: number;
  readonly negRisk: boolean;
  /** A slot of an augmented negRisk event that names nobody yet, or its "Other": never a target. */
  readonly placeholder: boolean;
  readonly status: MarketStatus;
  readonly fee: FeeSchedule;
  /** How long the venue holds back a marketable order before it matches it (sports: 3 s). */
  readonly matchingDelayS: number;
  /**
   * When the game that it is about was to be over at the latest, by the venue's own times; null if
   * it is about no game (docs/venue.md, "Games that are over").
   */
  readonly gameDueMs: number | null;
}

/** An event of the venue: one market, or several that share a theme. */
export interface VenueEvent {
  readonly slug: string;
  readonly title: string;
  /** Those that can be priced. */
  readonly markets: readonly Market[];
  /** How many the venue lists, with those that cannot be priced or read. */
  readonly listedCount: number;
  /** How many of them cannot be read: what somebody means may be one of these. */
  readonly unreadableCount: number;
}
