import type { CrossedBook } from '../book/book.js';
import type { MarketStatus, Side } from '../market.js';
import type { PricedOrder } from './priced-order.js';
import type { Rules } from './rules.js';
import type { Thresholds } from './thresholds.js';

/** The numbers of a verdict, rounded as shown (docs/interface.md, "Numbers"). */
export interface OrderNumbers {
  readonly bestPrice: number;
  readonly expectedVwap: number;
  readonly expectedSlippageCents: number;
  readonly visibleDepthUsd: number;
  readonly orderVsDepthPct: number;
  readonly takerFeeUsd: number;
  readonly feeDragCentsPerShare: number;
  readonly feeCategory: string;
  readonly safeSizeUsd: number;
  readonly bookAgeSeconds: number;
}

/**
 * Everything a verdict is decided from. Nothing else is looked at, so the same facts always give
 * the same verdict.
 */
export interface OrderFacts {
  readonly rules: Rules;
  readonly side: Side;
  readonly usd: number;
  /** usd / expectedVwap, 4 decimals. */
  readonly shares: number;
  readonly numbers: OrderNumbers;
  readonly thresholds: Thresholds;
  readonly minOrderShares: number;
  readonly marketStatus: MarketStatus;
  /** False if the venue answered that this token has no order book. */
  readonly bookListed: boolean;
  /** null if the book is not crossed. */
  readonly crossed: CrossedBook | null;
  /** Whether REST showed the same book when it was asked. */
  readonly rechecked: boolean;
  /** When the market's game was to be over at the latest; null if it is none, or not known. */
  readonly gameDueMs: number | null;
  /** Wall time of the verdict; null: not looked at. */
  readonly evaluatedAtMs: number | null;
  /** False if the fee rate is an assumption. */
  readonly feeKnown: boolean;
  readonly feeRate: number;
}

/** The part of the facts that changes with the size of the order. */
export type SizedFacts = Pick<PricedOrder, 'side' | 'usd' | 'shares'> & {
  readonly numbers: Pick<OrderNumbers, 'bestPrice' | 'expectedSlippageCents' | 'visibleDepthUsd' | 'orderVsDepthPct'>;
  readonly thresholds: Thresholds;
  readonly minOrderShares: number;
  readonly rules: Rules;
};

/** The part that is the same for an order of any size. */
export type FixedFacts = Pick<
  OrderFacts,
  'thresholds' | 'marketStatus' | 'bookListed' | 'crossed' | 'gameDueMs' | 'evaluatedAtMs'
> & {
  readonly numbers: Pick<OrderNumbers, 'bestPrice' | 'bookAgeSeconds'>;
};
