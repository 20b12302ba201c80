import { divideRounded, toNumber } from '../money.js';

const NANO = 1_000_000_000n;

/** Returns part / whole in percent, rounded half away from zero; null if there is no whole. */
export function percentOf(part: number, whole: number, decimals: number): number | null {
  return whole === 0
    ? null
    : toNumber(divideRounded(BigInt(part) * 10n ** BigInt(decimals + 2), BigInt(whole)), decimals);
}

/**
 * Returns the mean of returns per staked dollar in percent, rounded half away from zero; null if
 * there are none.
 */
export function meanReturnPct(sumNano: bigint, entries: number, decimals: number): number | null {
  if (entries === 0) return null;
  return toNumber(divideRounded(sumNano * 10n ** BigInt(decimals + 2), BigInt(entries) * NANO), decimals);
}

/**
 * Returns sum / count, rounded half away from zero; `scale` units of the sum make one. null if
 * there is nothing to count.
 */
export function meanOf(sum: bigint, count: number, scale: bigint, decimals: number): number | null {
  return count === 0 ? null : toNumber(divideRounded(sum * 10n ** BigInt(decimals), BigInt(count) * scale), decimals);
}

/**
 * Returns a computed number with one decimal, half away from zero and never -0; null stays null.
 */
export function toTenths(value: number | null): number | null {
  return value === null ? null : roundedTo(value, 10);
}

/** Returns a computed number with two decimals, half away from zero and never -0. */
export function toHundredths(value: number): number {
  return roundedTo(value, 100);
}

function roundedTo(value: number, scale: number): number {
  return (Math.sign(value) * Math.round(Math.abs(value) * scale)) / scale + 0;
}
