import type { Ladder } from '../book/ladder.js';
import type { FeeSchedule } from '../market.js';
import {
  divideDown,
  divideSafe,
  feeCurve,
  multiplyDivideDown,
  NOTIONAL_PER_CENT,
  NOTIONAL_PER_USD_MICRO,
} from '../money.js';
import type { Fill, Sums } from './exact.js';
import type { Rules } from './rules.js';

const SAFE_MAX = Number.MAX_SAFE_INTEGER;
/** Of the shares two, of the notional, and of their quotient. */
const VWAP_ROUNDINGS = 4;
/** Of everything in a fee but the sum over the levels. */
const FEE_ROUNDINGS = 8;
const CENTS_ROUNDINGS = 4;

const NOTHING: Fill = { vwapMicros: 0, sharesE4: 0, feeE5: 0, feePerShareMicros: 0 };

/** What an order takes, as in `exact.ts`; every number but the shares is a safe integer. */
interface SafeWalk {
  readonly filledNotional: number;
  /** In micro-shares, after at most two roundings. */
  readonly shares: number;
  readonly fullLevels: number;
  readonly lastTicks: number;
  readonly restNotional: number;
}

/**
 * The sums of `exact` in doubles, for one order. Where an integer would not be safe, or a rounding
 * of doubles could move the last digit, they are no longer `certain`, and all that they gave for
 * this order is to be done again by `exact`.
 */
export class Doubles implements Sums {
  #certain = true;

  get certain(): boolean {
    return this.#certain;
  }

  fill(side: Ladder, usdMicros: number, { rate, exponent }: FeeSchedule, rules: Rules): Fill {
    const wanted = usdMicros * NOTIONAL_PER_USD_MICRO;
    if (wanted > SAFE_MAX) this.#certain = false;
    const taken = walk(side, wanted);
    if (taken.filledNotional === 0) return NOTHING;
    const vwapMicros = this.round((taken.filledNotional * 100) / taken.shares, VWAP_ROUNDINGS);
    // 1e-10 USD through micro-USD are 1e-4 shares: both are the whole order's.
    const sharesE4 = divideSafe(wanted, vwapMicros);
    if (rate === 0) return { vwapMicros, sharesE4, feeE5: 0, feePerShareMicros: 0 };
    // A few old markets have another curve, and old evidence other rules.
    if (exponent !== 1 || rules === 1) this.#certain = false;
    const { sum, cutE5 } = feeOf(side, taken, Math.round(rate * 1e6));
    const feePerShareMicros = this.round(sum / taken.shares, taken.fullLevels + FEE_ROUNDINGS);
    return { vwapMicros, sharesE4, feeE5: cutE5, feePerShareMicros };
  }

  centsToVwap(side: Ladder, limit: number, direction: 1 | -1): number {
    let notional = 0;
    let shares = 0;
    for (let depth = 0; depth < side.length; depth++) {
      const ticks = side.ticksAt(depth);
      const size = side.sizeAt(depth);
      const beyond = direction * (ticks * 1_000 - limit);
      const after = notional + ticks * size;
      if (beyond > 0) {
        const atThisPrice = this.#safe(shares * ticks);
        const reached = (limit * direction * (atThisPrice - notional)) / beyond;
        if (Math.abs(after - reached) <= reached * CENTS_ROUNDINGS * Number.EPSILON) this.#certain = false;
        if (reached < this.#safe(after)) return this.floor(reached / NOTIONAL_PER_CENT, CENTS_ROUNDINGS);
      }
      notional = after;
      shares += size;
    }
    return divideDown(this.#safe(notional), NOTIONAL_PER_CENT);
  }

  /**
   * Returns the whole number nearest to a quotient above zero that came out of so many roundings,
   * each of at most 2^-53 of the value; uncertain if the true one may lie on the other side of a
   * half, or on it. `Number.EPSILON` is 2^-52: twice what can go wrong.
   */
  round(quotient: number, roundings: number): number {
    const whole = Math.floor(quotient);
    const fraction = quotient - whole;
    if (!(Math.abs(fraction - 0.5) > quotient * roundings * Number.EPSILON)) this.#certain = false;
    return fraction > 0.5 ? whole + 1 : whole;
  }

  /** Returns the whole part of such a quotient; uncertain if the true one may have another. */
  floor(quotient: number, roundings: number): number {
    const whole = Math.floor(quotient);
    const fraction = quotient - whole;
    const error = quotient * roundings * Number.EPSILON;
    if (!(fraction > error && 1 - fraction > error)) this.#certain = false;
    return whole;
  }

  #safe(sum: number): number {
    if (!(sum <= SAFE_MAX)) this.#certain = false;
    return sum;
  }
}

/**
 * A level too large for a safe integer is more than the rest all the same, and a price is a tick at
 * least.
 */
function walk(side: Ladder, wanted: number): SafeWalk {
  let restNotional = wanted;
  let full = 0;
  for (let depth = 0; depth < side.length; depth++) {
    const ticks = side.ticksAt(depth);
    const size = side.sizeAt(depth);
    const level = ticks * size;
    if (level > restNotional) {
      const shares = full + restNotional / ticks;
      return { filledNotional: wanted, shares, fullLevels: depth, lastTicks: ticks, restNotional };
    }
    restNotional -= level;
    full += size;
  }
  const filledNotional = wanted - restNotional;
  return { filledNotional, shares: full, fullLevels: side.length, lastTicks: 1, restNotional: 0 };
}

/**
 * Curve and rate are 1e-14 USD a share, so micro-shares of it are 1e-20 USD, of which so many are
 * 1e-5 USD.
 */
const TO_E5 = 1e15;

/** The fee by p(1-p) in 1e-12 USD, and the sum of what is left of each level's: that one is exact. */
function feeOf(side: Ladder, { fullLevels, lastTicks, restNotional }: SafeWalk, rateMicros: number) {
  const lastRate = feeCurve(lastTicks) * rateMicros;
  let sum = (restNotional / lastTicks) * lastRate;
  let cutE5 = multiplyDivideDown(restNotional, lastRate, lastTicks * TO_E5);
  for (let depth = 0; depth < fullLevels; depth++) {
    const levelRate = feeCurve(side.ticksAt(depth)) * rateMicros;
    const size = side.sizeAt(depth);
    sum += size * levelRate;
    cutE5 += multiplyDivideDown(size, levelRate, TO_E5);
  }
  return { sum: sum / 1e8, cutE5 };
}
