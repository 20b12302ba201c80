/**
 * Exact decimal arithmetic on integers. Every amount has a unit in its name:
 * ticks are 1e-4 USD, micros are 1e-6 (of a USD or of a share), notional units are ticks x micro-shares = 1e-10 USD.
 */

/** Notional units in one micro-USD. */
export const NOTIONAL_PER_USD_MICRO = 10_000n;

/** Returns numerator / denominator rounded half away from zero, which is how every shown number is rounded. */
export function divideRounded(numerator: bigint, denominator: bigint): bigint {
  const negative = numerator < 0n !== denominator < 0n;
  const n = numerator < 0n ? -numerator : numerator;
  const d = denominator < 0n ? -denominator : denominator;
  const rounded = (2n * n + d) / (2n * d);
  return negative ? -rounded : rounded;
}

/** Returns the number that a count of 10^-decimals units stands for; exact to the last digit while units < 2^53. */
export function toNumber(units: bigint, decimals: number): number {
  return Number(units) / 10 ** decimals;
}

/** Returns a non-negative number in micros, rounded to the nearest; at least one micro where the number is above zero. */
export function toMicros(value: number): bigint {
  const micros = BigInt(Math.round(value * 1e6));
  return micros === 0n && value > 0 ? 1n : micros;
}
