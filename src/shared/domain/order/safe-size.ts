import type { Ladder } from '../book/ladder.js';
import { FEE_FREE, type Side } from '../market.js';
import { divideDown } from '../money.js';
import type { Sums } from './exact.js';
import { priceOrder } from './priced-order.js';
import { doesSizePass } from './reasons.js';
import type { Rules } from './rules.js';
import { type Thresholds, USD_MAX } from './thresholds.js';

/** What the size of an order is limited by, beside the book. */
export interface SizeLimits {
  readonly thresholds: Thresholds;
  readonly minOrderShares: number;
  readonly rules: Rules;
}

/**
 * How far the closed form may miss the rounded truth, in cents of order size, before the search
 * gives up.
 */
const CORRECTION_CENTS_MAX = 4;
const USD_CENTS_MAX = USD_MAX * 100;

/**
 * Returns the largest order in USD, to the cent, whose size passes every OK threshold: one cent
 * more does not. 0 if no size does. The closed form finds the cent to within rounding; the
 * thresholds themselves, on the numbers as shown, decide.
 */
export function safeSizeUsd(sums: Sums, side: Side, ladder: Ladder, limits: SizeLimits): number {
  if (ladder.length === 0) return 0;
  const passes = (cents: number) => cents > 0 && doesSizePass(sized(sums, side, ladder, limits, cents));
  const bySlippage = centsBySlippage(sums, side, ladder, limits.thresholds);
  let cents = Math.min(centsByDepth(ladder, limits), bySlippage, USD_CENTS_MAX);
  if (!passes(cents)) {
    for (let step = 0; step < CORRECTION_CENTS_MAX && cents > 0; step++) if (passes(--cents)) return cents / 100;
    return 0;
  }
  for (let step = 0; step < CORRECTION_CENTS_MAX && cents < USD_CENTS_MAX && passes(cents + 1); step++) cents++;
  return cents / 100;
}

function sized(sums: Sums, side: Side, ladder: Ladder, limits: SizeLimits, cents: number) {
  const { thresholds, minOrderShares, rules } = limits;
  const priced = priceOrder(sums, side, ladder, cents / 100, FEE_FREE, rules);
  // Written out: spreading an object costs more here than pricing the order.
  return { rules, thresholds, minOrderShares, side, usd: priced.usd, shares: priced.shares, numbers: priced };
}

const PARTS = 2_000_000;

/**
 * The depth threshold binds long before the book runs out. Both the depth and the percentage are
 * rounded before they are compared, so half a unit of the last shown place (1e-6 of the depth)
 * still passes.
 */
function centsByDepth({ depthCents }: Ladder, { thresholds }: SizeLimits): number {
  const allowed = 2 * Math.round(thresholds.depthCautionFraction * 1e6) + 1;
  // Two millions and the rest apart, whose products are safe integers.
  const rest = depthCents % PARTS;
  return ((depthCents - rest) / PARTS) * allowed + divideDown(rest * allowed, PARTS);
}

/**
 * The order whose VWAP is the worst price that the slippage limit allows: half a unit of the last
 * shown place beyond it, which is a whole number of 1e-7 USD.
 */
function centsBySlippage(sums: Sums, side: Side, ladder: Ladder, thresholds: Thresholds): number {
  const slippage = allowedSlippageE4(thresholds);
  if (slippage < 0) return 0;
  const direction = side === 'BUY' ? 1 : -1;
  return sums.centsToVwap(ladder, ladder.bestTicks! * 1_000 + direction * (slippage * 10 + 5), direction);
}

/** The largest shown slippage, in 1e-4 cents, that is neither CAUTION nor VETO; -1 if none is. */
function allowedSlippageE4({ slippageCautionCents, slippageVetoCents }: Thresholds): number {
  let allowed = Math.round(Math.min(slippageCautionCents, slippageVetoCents) * 1e4) + 1;
  while (allowed >= 0 && (allowed / 1e4 > slippageCautionCents || allowed / 1e4 >= slippageVetoCents)) allowed--;
  return allowed;
}
