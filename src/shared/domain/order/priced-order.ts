import type { Ladder } from '../book/ladder.js';
import type { Side } from '../market.js';
import { divideRounded, divideSafe, roundCertain, toMicros } from '../money.js';
import { type ExactWalk, isSafe, safeSharesOf, sharesOf, toExact, type Walk, walk } from './walk.js';

/**
 * Largest value of `orderVsDepthPct`: also what an empty side shows, so that a caller's own limit
 * never lets it pass.
 */
const ORDER_VS_DEPTH_PCT_MAX = 999_999.9999;
/** Of the shares two, of the notional, and of their quotient. */
const VWAP_ROUNDINGS = 4;

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
  /** The walk itself, for the fee. */
  readonly taken: Walk;
}

/** Returns the order priced on the side it takes: the asks for a BUY, the bids for a SELL. */
export function priceOrder(side: Side, ladder: Ladder, usd: number): PricedOrder {
  const usdMicros = toMicros(usd);
  const taken = walk(ladder, usdMicros);
  const bestTicks = ladder.bestTicks ?? 0;
  const vwapMicros = vwapOf(taken);
  const { depthCents } = ladder;
  return {
    side,
    usd: usdMicros / 1e6,
    bestPrice: bestTicks / 1e4,
    expectedVwap: vwapMicros / 1e6,
    // Micro-USD per share are 1e-4 cents per share. A walk never beats the best price, so the
    // distance is adverse.
    expectedSlippageCents: bestTicks === 0 ? 0 : Math.abs(vwapMicros - bestTicks * 100) / 1e4,
    visibleDepthUsd: depthCents / 100,
    orderVsDepthPct: percentOf(usdMicros, depthCents),
    shares: vwapMicros === 0 ? 0 : sharesE4(usdMicros, vwapMicros) / 1e4,
    taken,
  };
}

/** VWAP in micro-USD per share; 0 if nothing was taken. */
function vwapOf(taken: Walk): number {
  if (!taken.filled) return 0;
  // filled is 1e-10 USD, shares are 1e-6: their quotient is 1e-4 USD, and two more places make micro-USD.
  const safe = isSafe(taken) ? roundCertain((taken.filled * 100) / safeSharesOf(taken), VWAP_ROUNDINGS) : null;
  return safe ?? exactVwapOf(toExact(taken));
}

function exactVwapOf(taken: ExactWalk): number {
  const shares = sharesOf(taken);
  return Number(divideRounded(taken.filled * shares.denominator * 100n, shares.numerator));
}

/** Of orders of up to 10^13 micro-USD, so that even these in percent are safe. */
function percentOf(usdMicros: number, depthCents: number): number {
  if (depthCents === 0) return ORDER_VS_DEPTH_PCT_MAX;
  return Math.min(divideSafe(usdMicros * 100, depthCents) / 1e4, ORDER_VS_DEPTH_PCT_MAX);
}

function sharesE4(usdMicros: number, vwapMicros: number): number {
  const usd = usdMicros * 10_000;
  if (usd <= Number.MAX_SAFE_INTEGER) return divideSafe(usd, vwapMicros);
  return Number(divideRounded(BigInt(usdMicros) * 10_000n, BigInt(vwapMicros)));
}
