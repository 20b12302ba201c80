import type { Ladder } from '../book/ladder.js';
import type { FeeSchedule } from '../market.js';
import { divideRounded, roundCertain } from '../money.js';
import { isSafe, type SafeWalk, safeSharesOf, sharesOf, toExact, type Walk } from './walk.js';

/** 1e-4 USD ticks in one USD. */
const TICKS_PER_USD = 10_000;
/** Of everything but the sum over the levels, exponents of up to 4 included. */
const ROUNDINGS = 32;

/** Fee of a walk: in 1e-5 USD (the venue's own precision) and in 1e-4 cents per share (which is micro-USD per share). */
export interface TakerFee {
  readonly usdE5: number;
  readonly perShareMicros: number;
}

const NO_FEE: TakerFee = { usdE5: 0, perShareMicros: 0 };

/**
 * Returns the taker fee of what a walk takes: per level shares * rate * (p(1-p))^exponent, summed
 * exactly and rounded once, half away from zero (docs/venue.md, "Fees").
 */
export function takerFee(side: Ladder, taken: Walk, { rate, exponent }: FeeSchedule): TakerFee {
  const rateMicros = Math.round(rate * 1e6);
  if (rateMicros === 0 || (taken.fullLevels === 0 && !taken.restNotional)) return NO_FEE;
  const safe = isSafe(taken) ? safeFee(side, taken, rateMicros, exponent) : null;
  return safe ?? exactFee(side, taken, BigInt(rateMicros), BigInt(exponent));
}

/** In doubles: null if a last digit hangs on a rounding. */
function safeFee(side: Ladder, taken: SafeWalk, rateMicros: number, exponent: number): TakerFee | null {
  const { fullLevels, restNotional, lastTicks } = taken;
  let curved = restNotional === 0 ? 0 : (restNotional / lastTicks) * power(curve(lastTicks), exponent);
  for (let depth = 0; depth < fullLevels; depth++) {
    curved += side.sizeAt(depth) * power(curve(side.ticksAt(depth)), exponent);
  }
  const roundings = fullLevels + ROUNDINGS;
  const fee = (curved * rateMicros) / power(TICKS_PER_USD * TICKS_PER_USD, exponent);
  const usdE5 = roundCertain(fee / 1e7, roundings);
  const perShareMicros = roundCertain(fee / safeSharesOf(taken), roundings);
  return usdE5 === null || perShareMicros === null ? null : { usdE5, perShareMicros };
}

function exactFee(side: Ladder, walked: Walk, rateMicros: bigint, exponent: bigint): TakerFee {
  const taken = toExact(walked);
  const shares = sharesOf(taken);
  const lastTicks = BigInt(taken.lastTicks);
  let full = 0n;
  for (let depth = 0; depth < taken.fullLevels; depth++) {
    full += BigInt(side.sizeAt(depth)) * BigInt(curve(side.ticksAt(depth))) ** exponent;
  }
  // Both parts over the same denominator, the price of the level that was taken in part.
  const numerator = (full * lastTicks + taken.restNotional * BigInt(curve(taken.lastTicks)) ** exponent) * rateMicros;
  const curveScale = BigInt(TICKS_PER_USD * TICKS_PER_USD) ** exponent;
  // micro-shares x 1e-6 rate -> USD: divide by 1e12.
  const usdDenominator = lastTicks * curveScale * 1_000_000_000_000n;
  return {
    usdE5: Number(divideRounded(numerator * 100_000n, usdDenominator)),
    // fee / shares; `lastTicks` stands under both and falls out, micro-shares leave 1e-6 of the rate.
    perShareMicros: Number(divideRounded(numerator, shares.numerator * curveScale)),
  };
}

/** p(1-p) with p in ticks; the scale is 1e8. */
function curve(ticks: number): number {
  return ticks * (TICKS_PER_USD - ticks);
}

/** By multiplication, each with one rounding at most: `**` may take more. */
function power(base: number, exponent: number): number {
  let result = 1;
  for (let i = 0; i < exponent; i++) result *= base;
  return result;
}
