import type { Side } from '../market.js';
import { divideRounded } from '../money.js';
import type { Fill } from './fill.js';
import { groupBy } from './group-by.js';

/**
 * One order as it was executed: the fills of one token and side in one transaction
 * (docs/ratings.md, "Clips").
 */
export interface Clip {
  readonly token: string;
  readonly condition: string;
  /** The greatest event text among its fills; "" if none of them gives it. */
  readonly event: string;
  readonly outcomeIndex: number;
  readonly side: Side;
  readonly tx: string;
  /** Sum of its fills, at most what is counted exactly. */
  readonly sizeMicros: number;
  /** Volume-weighted average price of its fills, rounded half up. */
  readonly priceMicros: number;
  /** Time of its first fill. */
  readonly timeS: number;
}

/**
 * Returns the clips of one wallet's fills. Fills of an unknown transaction are one order where they
 * share the second.
 */
export function mergeClips(fills: readonly Fill[]): readonly Clip[] {
  const orders = groupBy(fills, ({ token, side, tx, timeS }) => `${token} ${side} ${tx === '' ? `@${timeS}` : tx}`);
  return [...orders.values()].map(toClip);
}

function toClip(fills: readonly [Fill, ...Fill[]]): Clip {
  const { token, condition, outcomeIndex, side, tx } = fills[0];
  return {
    token,
    condition,
    outcomeIndex,
    side,
    tx,
    event: fills.reduce((greatest, { event }) => (event > greatest ? event : greatest), ''),
    sizeMicros: fills.reduce((sum, { sizeMicros }) => Math.min(sum + sizeMicros, Number.MAX_SAFE_INTEGER), 0),
    priceMicros: averagePriceMicros(fills),
    timeS: fills.reduce((first, { timeS }) => Math.min(first, timeS), Number.POSITIVE_INFINITY),
  };
}

function averagePriceMicros(fills: readonly [Fill, ...Fill[]]): number {
  if (fills.length === 1) return fills[0].priceMicros;
  let paid = 0n;
  let shares = 0n;
  for (const { priceMicros, sizeMicros } of fills) {
    paid += BigInt(priceMicros) * BigInt(sizeMicros);
    shares += BigInt(sizeMicros);
  }
  return Number(divideRounded(paid, shares));
}
