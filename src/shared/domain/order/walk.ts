import type { Ladder } from '../book/ladder.js';
import { NOTIONAL_PER_USD_MICRO } from '../money.js';

/**
 * What an order would take from one side of a book, in whole numbers. The last level is usually taken in part, so the
 * number of shares is a fraction: shares = (fullMicros * lastTicks + restNotional) / lastTicks
 * micro-shares, kept exact.
 */
interface WalkIn<Whole extends number | bigint> {
  /** Notional that the book can fill, in 1e-10 USD; the whole order unless `complete` is false. */
  readonly filled: Whole;
  /** Sum of the sizes of the levels taken whole, in micro-shares. */
  readonly fullMicros: Whole;
  /** How many levels were taken whole, best first. */
  readonly fullLevels: number;
  /** Price of the level taken in part, in ticks; 1 if none was. */
  readonly lastTicks: number;
  /** Notional taken from that level, in 1e-10 USD; 0 if none was. */
  readonly restNotional: Whole;
  /** Whether the side had enough for the whole order. */
  readonly complete: boolean;
}

/** A walk of up to about 900,000 USD: every number of it is a safe integer. */
export type SafeWalk = WalkIn<number>;
/** A walk of any size. */
export type ExactWalk = WalkIn<bigint>;
export type Walk = SafeWalk | ExactWalk;

/**
 * Walks a side from its best price until the notional is spent (BUY on asks) or earned (SELL on
 * bids). `usdMicros` is the order's notional in micro-USD.
 */
export function walk(side: Ladder, usdMicros: number): Walk {
  const wanted = usdMicros * NOTIONAL_PER_USD_MICRO;
  return wanted <= Number.MAX_SAFE_INTEGER ? walkSafely(side, wanted) : walkExactly(side, BigInt(usdMicros));
}

/** Whether no number of the walk is above the safe integers. */
export function isSafe(taken: Walk): taken is SafeWalk {
  return typeof taken.filled === 'number';
}

export function toExact(taken: Walk): ExactWalk {
  if (!isSafe(taken)) return taken;
  const { filled, fullMicros, restNotional, ...others } = taken;
  return {
    filled: BigInt(filled),
    fullMicros: BigInt(fullMicros),
    restNotional: BigInt(restNotional),
    ...others,
  };
}

/** A level that is too large for a safe integer is larger than the rest all the same, and a price is a tick at least. */
function walkSafely(side: Ladder, wanted: number): SafeWalk {
  let filled = 0;
  let fullMicros = 0;
  for (let depth = 0; depth < side.length; depth++) {
    const ticks = side.ticksAt(depth);
    const size = side.sizeAt(depth);
    const level = ticks * size;
    const rest = wanted - filled;
    if (level > rest) {
      return { filled: wanted, fullMicros, fullLevels: depth, lastTicks: ticks, restNotional: rest, complete: true };
    }
    filled += level;
    fullMicros += size;
    if (filled === wanted) {
      return { filled, fullMicros, fullLevels: depth + 1, lastTicks: 1, restNotional: 0, complete: true };
    }
  }
  return { filled, fullMicros, fullLevels: side.length, lastTicks: 1, restNotional: 0, complete: false };
}

function walkExactly(side: Ladder, usdMicros: bigint): ExactWalk {
  const wanted = usdMicros * BigInt(NOTIONAL_PER_USD_MICRO);
  let filled = 0n;
  let fullMicros = 0n;
  for (let depth = 0; depth < side.length; depth++) {
    const ticks = side.ticksAt(depth);
    const size = BigInt(side.sizeAt(depth));
    const level = BigInt(ticks) * size;
    const rest = wanted - filled;
    if (level > rest) {
      return { filled: wanted, fullMicros, fullLevels: depth, lastTicks: ticks, restNotional: rest, complete: true };
    }
    filled += level;
    fullMicros += size;
    if (filled === wanted) {
      return { filled, fullMicros, fullLevels: depth + 1, lastTicks: 1, restNotional: 0n, complete: true };
    }
  }
  return { filled, fullMicros, fullLevels: side.length, lastTicks: 1, restNotional: 0n, complete: false };
}

/** The shares of a walk as an exact fraction of micro-shares. */
export function sharesOf(taken: ExactWalk): { readonly numerator: bigint; readonly denominator: bigint } {
  const denominator = BigInt(taken.lastTicks);
  return { numerator: taken.fullMicros * denominator + taken.restNotional, denominator };
}

/** The same as a double, after at most two roundings. */
export function safeSharesOf({ fullMicros, restNotional, lastTicks }: SafeWalk): number {
  return fullMicros + restNotional / lastTicks;
}
