import type { Ladder } from '../book/ladder.js';
import type { Side } from '../market.js';
import { divideDown, floorCertain, NOTIONAL_PER_CENT } from '../money.js';
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
const CORRECTION_CENTS_MAX = 4;
const USD_CENTS_MAX = USD_MAX * 100;
/** Of the closed form, in doubles. */
const CLOSED_ROUNDINGS = 4;

/**
 * Returns the largest order in USD, to the cent, whose size passes every OK threshold: one cent
 * more does not. 0 if no size does. The closed form finds the cent to within rounding; the
 * thresholds themselves, on the numbers as shown, decide.
 */
export function safeSizeUsd(side: Side, ladder: Ladder, limits: SizeLimits): number {
  if (ladder.length === 0) return 0;
  const passes = (cents: number) => cents > 0 && doesSizePass(sized(side, ladder, limits, cents));
  let cents = Math.min(centsByDepth(ladder, limits), centsBySlippage(side, ladder, limits.thresholds), USD_CENTS_MAX);
  if (!passes(cents)) {
    for (let step = 0; step < CORRECTION_CENTS_MAX && cents > 0; step++) if (passes(--cents)) return cents / 100;
    return 0;
  }
  for (let step = 0; step < CORRECTION_CENTS_MAX && cents < USD_CENTS_MAX && passes(cents + 1); step++) cents++;
  return cents / 100;
}

function sized(side: Side, ladder: Ladder, { thresholds, minOrderShares }: SizeLimits, cents: number) {
  const priced = priceOrder(side, ladder, cents / 100);
  // Written out: spreading an object costs more here than pricing the order.
  return { thresholds, minOrderShares, side, usd: priced.usd, shares: priced.shares, numbers: priced };
}

/**
 * The depth threshold binds long before the book runs out. Both the depth and the percentage are
 * rounded before they are compared, so half a unit of the last shown place (1e-6 of the depth)
 * still passes.
 */
function centsByDepth({ depthCents }: Ladder, { thresholds }: SizeLimits): number {
  const twiceE6 = 2 * Math.round(thresholds.depthCautionFraction * 1e6) + 1;
  const safe = depthCents * twiceE6;
  if (safe <= Number.MAX_SAFE_INTEGER) return divideDown(safe, 2_000_000);
  return Number((BigInt(depthCents) * BigInt(twiceE6)) / 2_000_000n);
}

/**
 * The notional at which VWAP reaches the worst price that the slippage limit allows. With N
 * notional and S shares in the levels before price p, VWAP = U / (S + (U - N) / p) = L solves to U
 * = L (S p - N) / (p - L); for a SELL both differences change sign. Prices are in 1e-7 USD, so that
 * the half unit of rounding is a whole number.
 */
function centsBySlippage(side: Side, ladder: Ladder, thresholds: Thresholds): number {
  const slippage = allowedSlippageE4(thresholds);
  if (slippage < 0) return 0;
  const direction = side === 'BUY' ? 1 : -1;
  const limit = ladder.bestTicks! * 1_000 + direction * (slippage * 10 + 5);
  return safeCentsTo(limit, direction, ladder) ?? exactCentsTo(limit, direction, ladder);
}

/** In doubles: null if a number is too large, or if the cent hangs on a rounding. */
function safeCentsTo(limit: number, direction: 1 | -1, ladder: Ladder): number | null {
  let notional = 0;
  let shares = 0;
  for (let depth = 0; depth < ladder.length; depth++) {
    const ticks = ladder.ticksAt(depth);
    const size = ladder.sizeAt(depth);
    const beyond = direction * (ticks * 1_000 - limit);
    const after = notional + ticks * size;
    if (beyond > 0) {
      const atThisPrice = shares * ticks;
      if (!(atThisPrice <= Number.MAX_SAFE_INTEGER && after <= Number.MAX_SAFE_INTEGER)) return null;
      const reached = (limit * direction * (atThisPrice - notional)) / beyond;
      if (Math.abs(after - reached) <= reached * CLOSED_ROUNDINGS * Number.EPSILON) return null;
      if (reached < after) return floorCertain(reached / NOTIONAL_PER_CENT, CLOSED_ROUNDINGS);
    }
    notional = after;
    shares += size;
  }
  return notional <= Number.MAX_SAFE_INTEGER ? divideDown(notional, NOTIONAL_PER_CENT) : null;
}

function exactCentsTo(limit: number, direction: 1 | -1, ladder: Ladder): number {
  const perCent = BigInt(NOTIONAL_PER_CENT);
  let notional = 0n;
  let shares = 0n;
  for (let depth = 0; depth < ladder.length; depth++) {
    const ticks = BigInt(ladder.ticksAt(depth));
    const size = BigInt(ladder.sizeAt(depth));
    const beyond = BigInt(direction * (ladder.ticksAt(depth) * 1_000 - limit));
    if (beyond > 0n) {
      const reached = (BigInt(limit * direction) * (shares * ticks - notional)) / beyond;
      if (reached < notional + ticks * size) return Number(reached / perCent);
    }
    notional += ticks * size;
    shares += size;
  }
  return Number(notional / perCent);
}

/** The largest shown slippage, in 1e-4 cents, that is neither CAUTION nor VETO; -1 if none is. */
function allowedSlippageE4({ slippageCautionCents, slippageVetoCents }: Thresholds): number {
  let allowed = Math.round(Math.min(slippageCautionCents, slippageVetoCents) * 1e4) + 1;
  while (allowed >= 0 && (allowed / 1e4 > slippageCautionCents || allowed / 1e4 >= slippageVetoCents)) allowed--;
  return allowed;
}
