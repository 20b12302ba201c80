import type { Ladder } from '../book/ladder.js';
import type { FeeSchedule, Side } from '../market.js';
import { divideSafe, toMicros } from '../money.js';
import type { Sums } from './exact.js';
import type { Rules } from './rules.js';

/**
 * Largest value of `orderVsDepthPct`: also what an empty side shows, so that a caller's own limit
 * never lets it pass.
 */
const ORDER_VS_DEPTH_PCT_MAX = 999_999.9999;

/**
 * One order priced on one side of a book. The numbers are rounded as they will be shown
 * (docs/interface.md, "Numbers"), and whatever is decided is decided from them as shown.
 */
export interface PricedOrder {
  readonly side: Side;
  /** Notional as understood: a whole number of micro-USD. */
  readonly usd: number;
  /** 4 decimals; 0 if the side is empty. */
  readonly bestPrice: number;
  /** Of what the book can fill; 6 decimals; 0 if the side is empty. */
  readonly expectedVwap: number;
  /** Adverse distance of VWAP from best price, never negative; 4 decimals. */
  readonly expectedSlippageCents: number;
  /** 2 decimals. */
  readonly visibleDepthUsd: number;
  /** 4 decimals. */
  readonly orderVsDepthPct: number;
  /** usd / expectedVwap, 4 decimals; 0 if the side is empty. */
  readonly shares: number;
  /** Of what the book can fill; 5 decimals. */
  readonly takerFeeUsd: number;
  /** 4 decimals. */
  readonly feeDragCentsPerShare: number;
}

/** Returns the order priced on the side it takes: the asks for a BUY, the bids for a SELL. */
export function priceOrder(
  sums: Sums,
  side: Side,
  ladder: Ladder,
  usd: number,
  fee: FeeSchedule,
  rules: Rules,
): PricedOrder {
  const usdMicros = toMicros(usd);
  const { vwapMicros, sharesE4, feeE5, feePerShareMicros } = sums.fill(ladder, usdMicros, fee, rules);
  const bestTicks = ladder.bestTicks ?? 0;
  const { depthCents } = ladder;
  return {
    side,
    usd: usdMicros / 1e6,
    bestPrice: bestTicks / 1e4,
    expectedVwap: vwapMicros / 1e6,
    // Micro-USD per share are 1e-4 cents per share. A walk never beats the best price, so the
    // distance is adverse.
    expectedSlippageCents: Math.abs(vwapMicros - bestTicks * 100) / 1e4,
    visibleDepthUsd: depthCents / 100,
    orderVsDepthPct: percentOf(usdMicros, depthCents),
    shares: sharesE4 / 1e4,
    takerFeeUsd: feeE5 / 1e5,
    feeDragCentsPerShare: feePerShareMicros / 1e4,
  };
}

/** Of orders of up to 10^13 micro-USD, so that even these in percent are safe. */
function percentOf(usdMicros: number, depthCents: number): number {
  if (depthCents === 0) return ORDER_VS_DEPTH_PCT_MAX;
  return Math.min(divideSafe(usdMicros * 100, depthCents) / 1e4, ORDER_VS_DEPTH_PCT_MAX);
}
