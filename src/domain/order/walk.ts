import type { Ladder } from '../book/ladder.js';
import { NOTIONAL_PER_USD_MICRO } from '../money.js';

/**
 * What an order would take from one side of a book. The last level is usually taken in part, so the
 * number of shares is a fraction: shares = (fullMicros * lastTicks + restNotional) / lastTicks
 * micro-shares, kept exact.
 */
export interface Walk {
  /** Notional that the book can fill, in 1e-10 USD; the whole order unless `complete` is false. */
  readonly filled: bigint;
  /** Sum of the sizes of the levels taken whole, in micro-shares. */
  readonly fullMicros: bigint;
  /** How many levels were taken whole, best first. */
  readonly fullLevels: number;
  /** Price of the level taken in part, in ticks; 1 if none was. */
  readonly lastTicks: bigint;
  /** Notional taken from that level, in 1e-10 USD; 0 if none was. */
  readonly restNotional: bigint;
  /** Whether the side had enough for the whole order. */
  readonly complete: boolean;
}

/**
 * Walks a side from its best price until the notional is spent (BUY on asks) or earned (SELL on
 * bids). `usdMicros` is the order's notional in micro-USD.
 */
export function walk(side: Ladder, usdMicros: bigint): Walk {
  const wanted = usdMicros * NOTIONAL_PER_USD_MICRO;
  let filled = 0n;
  let fullMicros = 0n;
  for (let depth = 0; depth < side.length; depth++) {
    const ticks = BigInt(side.ticksAt(depth));
    const size = BigInt(side.sizeAt(depth));
    const level = ticks * size;
    const rest = wanted - filled;
    if (level > rest) {
      return { filled: wanted, fullMicros, fullLevels: depth, lastTicks: ticks, restNotional: rest, complete: true };
    }
    filled += level;
    fullMicros += size;
    if (filled === wanted) {
      return { filled, fullMicros, fullLevels: depth + 1, lastTicks: 1n, restNotional: 0n, complete: true };
    }
  }
  return { filled, fullMicros, fullLevels: side.length, lastTicks: 1n, restNotional: 0n, complete: false };
}

/** The shares of a walk as an exact fraction of micro-shares. */
export function sharesOf(taken: Walk): { readonly numerator: bigint; readonly denominator: bigint } {
  return { numerator: taken.fullMicros * taken.lastTicks + taken.restNotional, denominator: taken.lastTicks };
}
