import type { Ladder } from '../book/ladder.js';
import { NOTIONAL_PER_USD_MICRO } from '../money.js';
import { type Walk, walk } from '../order/exact.js';

/** How far an order reaches into a side: its worst level in 1e-4 USD, and both of its amounts. */
export interface Reach {
  readonly worstTicks: number;
  /** Shares that are taken or given, in micro-shares without the part below one. */
  readonly sharesMicros: bigint;
  /** What is spent or earned, in micro-USD without the part below one. */
  readonly usdMicros: bigint;
}

/** Walks a side for so many micro-USD; null if it does not hold as many. */
export function reachOfUsd(side: Ladder, usdMicros: number): Reach | null {
  const taken = walk(side, usdMicros);
  if (taken.filledNotional < BigInt(usdMicros) * BigInt(NOTIONAL_PER_USD_MICRO)) return null;
  return {
    worstTicks: worstTicksOf(side, taken),
    sharesMicros: taken.fullMicros + taken.restNotional / BigInt(taken.lastTicks),
    usdMicros: BigInt(usdMicros),
  };
}

function worstTicksOf(side: Ladder, { restNotional, lastTicks, fullLevels }: Walk): number {
  return restNotional > 0n ? lastTicks : side.ticksAt(fullLevels - 1);
}

/** Walks a side for so many micro-shares, above zero; null if it does not hold as many. */
export function reachOfShares(side: Ladder, sharesMicros: bigint): Reach | null {
  let rest = sharesMicros;
  let notional = 0n;
  for (let depth = 0; depth < side.length; depth++) {
    const [ticks, size] = [side.ticksAt(depth), BigInt(side.sizeAt(depth))];
    const taken = size < rest ? size : rest;
    notional += taken * BigInt(ticks);
    rest -= taken;
    if (rest === 0n) {
      return { worstTicks: ticks, sharesMicros, usdMicros: notional / BigInt(NOTIONAL_PER_USD_MICRO) };
    }
  }
  return null;
}

/** Whether every level from the best one to this price lies on the price step. */
export function areOnGrid(side: Ladder, worstTicks: number, tickTicks: number): boolean {
  for (let depth = 0; depth < side.length; depth++) {
    const ticks = side.ticksAt(depth);
    if (ticks % tickTicks !== 0) return false;
    if (ticks === worstTicks) break;
  }
  return true;
}
