import { divideDown } from '../money.js';
import { type Amounts, commonDivisor } from './planned.js';

export const MICROS_PER_CENT = 10_000;
/** A cent at a price of 1e-4 USD buys so many shares. */
const SHARES_PER_CENT = 100;
const SHARES_MICROS = 1_000_000;
/** Four decimals of shares, but on the coarsest price step, where the venue's clients have three. */
const UNITS_PER_SHARE = 10_000;
const COARSE_UNITS_PER_SHARE = 1_000;
const COARSE_TICKS = 1_000;

/** What a BUY spends, and the price that it names in 1e-4 USD. */
export interface Spend {
  readonly cents: number;
  readonly worstTicks: number;
}

function unitsPerShare(tickTicks: number): number {
  return tickTicks === COARSE_TICKS ? COARSE_UNITS_PER_SHARE : UNITS_PER_SHARE;
}

/** Returns the largest part of a spend whose shares have few enough decimals for exactly its price. */
export function exactPart({ cents, worstTicks }: Spend, tickTicks: number): Spend {
  const step = worstTicks / commonDivisor(SHARES_PER_CENT * unitsPerShare(tickTicks), worstTicks);
  return { cents: cents - (cents % step), worstTicks };
}

/** Returns the amounts of a spend, with its shares rounded down. */
export function amountsOf({ cents, worstTicks }: Spend, tickTicks: number): Amounts {
  const units = unitsPerShare(tickTicks);
  // Of at most 10^9 cents, so that the product is safe.
  const shares = divideDown(cents * SHARES_PER_CENT * units, worstTicks);
  return {
    makerMicros: BigInt(cents) * BigInt(MICROS_PER_CENT),
    takerMicros: BigInt(shares) * BigInt(SHARES_MICROS / units),
  };
}
