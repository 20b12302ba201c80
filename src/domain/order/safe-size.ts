import type { Ladder } from '../book/ladder.js';
import type { Side } from '../market.js';
import { divideRounded } from '../money.js';
import { doesSizePass } from './checks.js';
import { priceOrder } from './priced-order.js';
import { type Thresholds, USD_MAX } from './thresholds.js';

/** What the size of an order is limited by, beside the book. */
export interface SizeLimits {
  readonly thresholds: Thresholds;
  readonly minOrderShares: number;
}

/**
 * How far the closed form may miss the rounded truth, in cents of order size, before the search
 * gives up.
 */
const CORRECTION_CENTS_MAX = 4n;
const USD_CENTS_MAX = BigInt(USD_MAX) * 100n;
const NOTIONAL_PER_CENT = 100_000_000n;

/**
 * Returns the largest order in USD, to the cent, whose size passes every OK threshold: one cent
 * more does not. 0 if no size does. The closed form finds the cent to within rounding; the
 * thresholds themselves, on the numbers as shown, decide.
 */
export function safeSizeUsd(side: Side, ladder: Ladder, limits: SizeLimits): number {
  if (ladder.length === 0) return 0;
  const passes = (cents: bigint) => cents > 0n && doesSizePass(sized(side, ladder, limits, cents));
  let cents = min(centsByDepth(ladder, limits), centsBySlippage(side, ladder, limits.thresholds), USD_CENTS_MAX);
  if (!passes(cents)) {
    for (let step = 0n; step < CORRECTION_CENTS_MAX && cents > 0n; step++)
      if (passes(--cents)) return Number(cents) / 100;
    return 0;
  }
  for (let step = 0n; step < CORRECTION_CENTS_MAX && cents < USD_CENTS_MAX && passes(cents + 1n); step++) cents++;
  return Number(cents) / 100;
}

function sized(side: Side, ladder: Ladder, limits: SizeLimits, cents: bigint) {
  const priced = priceOrder(side, ladder, Number(cents) / 100);
  const { thresholds, minOrderShares } = limits;
  // Written out: spreading an object costs more here than pricing the order.
  return { thresholds, minOrderShares, side, usd: priced.usd, shares: priced.shares, numbers: priced };
}

/**
 * The depth threshold binds long before the book runs out. Both the depth and the percentage are
 * rounded before they are compared, so half a unit of the last shown place (1e-6 of the depth)
 * still passes.
 */
function centsByDepth(ladder: Ladder, { thresholds }: SizeLimits): bigint {
  const fractionE6 = BigInt(Math.round(thresholds.depthCautionFraction * 1e6));
  const depthCents = divideRounded(ladder.notional, NOTIONAL_PER_CENT);
  return (depthCents * (2n * fractionE6 + 1n)) / 2_000_000n;
}

/**
 * The notional at which VWAP reaches the worst price that the slippage limit allows. With N
 * notional and S shares in the levels before price p, VWAP = U / (S + (U - N) / p) = L solves to U
 * = L (S p - N) / (p - L); for a SELL both differences change sign. Prices are in 1e-7 USD, so that
 * the half unit of rounding is a whole number.
 */
function centsBySlippage(side: Side, ladder: Ladder, thresholds: Thresholds): bigint {
  const slippage = allowedSlippageE4(thresholds);
  if (slippage < 0) return 0n;
  const direction = side === 'BUY' ? 1n : -1n;
  const limit = BigInt(ladder.bestTicks!) * 1_000n + direction * (BigInt(slippage) * 10n + 5n);
  let notional = 0n;
  let shares = 0n;
  for (let depth = 0; depth < ladder.length; depth++) {
    const ticks = BigInt(ladder.ticksAt(depth));
    const beyond = direction * (ticks * 1_000n - limit);
    const size = BigInt(ladder.sizeAt(depth));
    if (beyond > 0n) {
      const reached = (limit * direction * (shares * ticks - notional)) / beyond;
      if (reached < notional + ticks * size) return reached / NOTIONAL_PER_CENT;
    }
    notional += ticks * size;
    shares += size;
  }
  return notional / NOTIONAL_PER_CENT;
}

/** The largest shown slippage, in 1e-4 cents, that is neither CAUTION nor VETO; -1 if none is. */
function allowedSlippageE4({ slippageCautionCents, slippageVetoCents }: Thresholds): number {
  let allowed = Math.round(Math.min(slippageCautionCents, slippageVetoCents) * 1e4) + 1;
  while (allowed >= 0 && (allowed / 1e4 > slippageCautionCents || allowed / 1e4 >= slippageVetoCents)) allowed--;
  return allowed;
}

function min(...values: readonly bigint[]): bigint {
  return values.reduce((least, value) => (value < least ? value : least));
}
