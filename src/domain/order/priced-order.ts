import type { Ladder } from '../book/ladder.js';
import type { Side } from '../market.js';
import { divideRounded, toMicros, toNumber } from '../money.js';
import { sharesOf, type Walk, walk } from './walk.js';

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
  /** The exact walk, for the fee. */
  readonly taken: Walk;
}

/** Returns the order priced on the side it takes: the asks for a BUY, the bids for a SELL. */
export function priceOrder(side: Side, ladder: Ladder, usd: number): PricedOrder {
  const usdMicros = toMicros(usd);
  const taken = walk(ladder, usdMicros);
  const bestTicks = ladder.bestTicks ?? 0;
  const vwapMicros = vwapOf(taken);
  const depthCents = divideRounded(ladder.notional, 100_000_000n);
  return {
    side,
    usd: toNumber(usdMicros, 6),
    bestPrice: bestTicks / 1e4,
    expectedVwap: toNumber(vwapMicros, 6),
    // Micro-USD per share are 1e-4 cents per share. A walk never beats the best price, so the
    // distance is adverse.
    expectedSlippageCents: bestTicks === 0 ? 0 : Math.abs(Number(vwapMicros) - bestTicks * 100) / 1e4,
    visibleDepthUsd: toNumber(depthCents, 2),
    orderVsDepthPct: percentOf(usdMicros, depthCents),
    shares: vwapMicros === 0n ? 0 : toNumber(divideRounded(usdMicros * 10_000n, vwapMicros), 4),
    taken,
  };
}

/** VWAP in micro-USD per share; 0 if nothing was taken. */
function vwapOf(taken: Walk): bigint {
  const shares = sharesOf(taken);
  if (shares.numerator === 0n) return 0n;
  // filled is 1e-10 USD, shares are 1e-6: their quotient is 1e-4 USD, and two more places make
  // micro-USD.
  return divideRounded(taken.filled * shares.denominator * 100n, shares.numerator);
}

function percentOf(usdMicros: bigint, depthCents: bigint): number {
  if (depthCents === 0n) return ORDER_VS_DEPTH_PCT_MAX;
  return Math.min(toNumber(divideRounded(usdMicros * 100n, depthCents), 4), ORDER_VS_DEPTH_PCT_MAX);
}
