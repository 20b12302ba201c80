import type { Ladder } from '../book/ladder.js';
import type { FeeSchedule } from '../market.js';
import { divideRounded, NOTIONAL_PER_CENT, NOTIONAL_PER_USD_MICRO } from '../money.js';
import { feePower, feePowerScale } from './fee-power.js';
import type { Rules } from './rules.js';

/**
 * What one side of a book gives for an order; every number but the fee is rounded half away from
 * zero.
 */
export interface Fill {
  /** Average price in micro-USD per share; 0 if nothing is filled. */
  readonly vwapMicros: number;
  /** The whole order at that price, in 1e-4 shares; 0 if nothing is filled. */
  readonly sharesE4: number;
  /**
   * In 1e-5 USD, the venue's own precision: what is smaller is cut off each level's fill, as the
   * venue does, or by rules 1 rounded once for the whole order.
   */
  readonly feeE5: number;
  /** In 1e-4 cents per share, which is micro-USD per share; of the fee before anything is cut. */
  readonly feePerShareMicros: number;
}

/**
 * The sums over the levels of a book that the numbers of an order are made of, computed in one of
 * two ways, a whole order in one of them. `exact`, in integers of any size, defines them. `Doubles`
 * has the same to the last digit or says that it is not certain: of orders above 900,719 USD, of
 * those where a number lies on a half, and of fees of another curve than p(1-p). Both exist because
 * the numbers of an order on 40 levels take 1.4 µs in doubles and 14 µs in integers (2,000 books, in
 * turns in one process), and 10 µs more would be a fifth of the main thread's time of a verdict.
 */
export interface Sums {
  /**
   * Walks a side from its best price until so much notional is spent (BUY on asks) or earned (SELL
   * on bids), or the side ends.
   */
  fill(side: Ladder, usdMicros: number, fee: FeeSchedule, rules: Rules): Fill;
  /**
   * Returns the whole cents of the order whose VWAP is `limit`, in 1e-7 USD, or of the whole side
   * if that stays on the good side of it. `direction` is 1 where prices rise (asks) and -1 where
   * they fall.
   *
   * With N notional and S shares in the levels before price p, VWAP = U / (S + (U - N) / p) = L
   * solves to U = L (S p - N) / (p - L); on bids both differences change sign.
   */
  centsToVwap(side: Ladder, limit: number, direction: 1 | -1): number;
}

export const exact: Sums = { fill, centsToVwap };

/** What an order takes, in full levels from the best and a part of the next. */
export interface Walk {
  readonly filledNotional: bigint;
  readonly fullMicros: bigint;
  readonly fullLevels: number;
  /** Price of the level that is taken in part, in ticks; 1 if the side ends. */
  readonly lastTicks: number;
  /** Notional taken from that level. */
  readonly restNotional: bigint;
}

/** Returns how an order of this many micro-dollars goes through a side of the book, exactly. */
export function walk(side: Ladder, usdMicros: number): Walk {
  const wanted = BigInt(usdMicros) * BigInt(NOTIONAL_PER_USD_MICRO);
  let restNotional = wanted;
  let fullMicros = 0n;
  for (let depth = 0; depth < side.length; depth++) {
    const ticks = side.ticksAt(depth);
    const size = BigInt(side.sizeAt(depth));
    const level = BigInt(ticks) * size;
    if (level > restNotional) {
      return { filledNotional: wanted, fullMicros, fullLevels: depth, lastTicks: ticks, restNotional };
    }
    restNotional -= level;
    fullMicros += size;
  }
  return {
    filledNotional: wanted - restNotional,
    fullMicros,
    fullLevels: side.length,
    lastTicks: 1,
    restNotional: 0n,
  };
}

function fill(side: Ladder, usdMicros: number, fee: FeeSchedule, rules: Rules): Fill {
  const taken = walk(side, usdMicros);
  if (taken.filledNotional === 0n) return { vwapMicros: 0, sharesE4: 0, feeE5: 0, feePerShareMicros: 0 };
  const lastTicks = BigInt(taken.lastTicks);
  // Shares and fee are fractions over the price of the level that is taken in part.
  const shares = taken.fullMicros * lastTicks + taken.restNotional;
  // 1e-10 USD through 1e-6 shares are 1e-4 USD, and two more places make micro-USD.
  const vwapMicros = divideRounded(taken.filledNotional * lastTicks * 100n, shares);
  const taker = feeOf(side, taken, fee);
  return {
    vwapMicros: Number(vwapMicros),
    sharesE4: Number(divideRounded(BigInt(usdMicros) * 10_000n, vwapMicros)),
    feeE5: Number(rules === 1 ? divideRounded(taker.sum, lastTicks * taker.scale * TO_E5) : taker.cutE5),
    feePerShareMicros: Number(divideRounded(taker.sum, shares * taker.scale)),
  };
}

/** Micro-shares at a rate of 1e-6 are 1e-12 USD, of which so many are 1e-5 USD. */
const TO_E5 = 10_000_000n;

/** The fee over `lastTicks` x `scale`, in 1e-12 USD, and the sum of what is left of each level's. */
function feeOf(side: Ladder, { fullLevels, lastTicks, restNotional }: Walk, { rate, exponent }: FeeSchedule) {
  const scale = feePowerScale(exponent);
  if (rate === 0) return { scale, sum: 0n, cutE5: 0n };
  const rateMicros = BigInt(Math.round(rate * 1e6));
  const unit = scale * TO_E5;
  let full = 0n;
  let cutE5 = 0n;
  for (let depth = 0; depth < fullLevels; depth++) {
    const level = BigInt(side.sizeAt(depth)) * feePower(side.ticksAt(depth), exponent) * rateMicros;
    full += level;
    cutE5 += level / unit;
  }
  const rest = restNotional * feePower(lastTicks, exponent) * rateMicros;
  cutE5 += rest / (BigInt(lastTicks) * unit);
  return { scale, sum: full * BigInt(lastTicks) + rest, cutE5 };
}

function centsToVwap(side: Ladder, limit: number, direction: 1 | -1): number {
  const perCent = BigInt(NOTIONAL_PER_CENT);
  let notional = 0n;
  let shares = 0n;
  for (let depth = 0; depth < side.length; depth++) {
    const ticks = BigInt(side.ticksAt(depth));
    const size = BigInt(side.sizeAt(depth));
    const beyond = direction * (side.ticksAt(depth) * 1_000 - limit);
    if (beyond > 0) {
      const reached = (BigInt(limit * direction) * (shares * ticks - notional)) / BigInt(beyond);
      if (reached < notional + ticks * size) return Number(reached / perCent);
    }
    notional += ticks * size;
    shares += size;
  }
  return Number(notional / perCent);
}
