/**
 * Exact decimal arithmetic on integers. Every amount has a unit in its name: ticks are 1e-4 USD,
 * micros are 1e-6 (of a USD or of a share), notional units are ticks x micro-shares = 1e-10 USD.
 */

/** Ticks in one USD. */
export const TICKS_PER_USD = 10_000;
/** Notional units in one micro-USD. */
export const NOTIONAL_PER_USD_MICRO = 10_000;
/** Notional units in one cent. */
export const NOTIONAL_PER_CENT = 100_000_000;

/**
 * Returns numerator / denominator rounded half away from zero, which is how every shown number is
 * rounded.
 */
export function divideRounded(numerator: bigint, denominator: bigint): bigint {
  const negative = numerator < 0n !== denominator < 0n;
  const n = numerator < 0n ? -numerator : numerator;
  const d = denominator < 0n ? -denominator : denominator;
  const rounded = (2n * n + d) / (2n * d);
  return negative ? -rounded : rounded;
}

/**
 * Returns `divideRounded` of two whole numbers that are safe, not negative, and not divided by
 * zero: exact, and without a bigint.
 */
export function divideSafe(numerator: number, denominator: number): number {
  const quotient = divideDown(numerator, denominator);
  const rest = numerator - quotient * denominator;
  return rest >= denominator - rest ? quotient + 1 : quotient;
}

/**
 * Returns the same without the part below one. The division itself rounds, but to the next whole
 * number q only from nearer than q / 2^53, and a quotient of safe integers below q is at least 1 /
 * denominator away from it, which is more.
 */
export function divideDown(numerator: number, denominator: number): number {
  return Math.floor(numerator / denominator);
}

/**
 * Returns a x b / divisor without the part below one, exact although the product need not be safe.
 * All three are whole and not negative, a and b safe, the divisor above zero and a double as it is,
 * and the quotient below 2^50.
 */
export function multiplyDivideDown(a: number, b: number, divisor: number): number {
  const quotient = (a * b) / divisor;
  const whole = Math.floor(quotient);
  const error = quotient * 4 * Number.EPSILON;
  if (quotient - whole > error && whole + 1 - quotient > error) return whole;
  // So near to a whole number that rounding may have crossed it.
  const near = Math.round(quotient);
  return isProductAtLeast(a, b, near, divisor) ? near : near - 1;
}

/** Whether a x b >= c x d: products that are close differ exactly, and so do their rounding errors. */
function isProductAtLeast(a: number, b: number, c: number, d: number): boolean {
  const [left, right] = [a * b, c * d];
  return left - right + (lostOf(a, b, left) - lostOf(c, d, right)) >= 0;
}

/** Returns what rounding took from a product (Dekker's product of halves). */
function lostOf(a: number, b: number, product: number): number {
  const [aHigh, bHigh] = [upperHalf(a), upperHalf(b)];
  const [aLow, bLow] = [a - aHigh, b - bHigh];
  return aLow * bLow - (product - aHigh * bHigh - aLow * bHigh - aHigh * bLow);
}

function upperHalf(value: number): number {
  const scaled = value * (2 ** 27 + 1);
  return scaled - (scaled - value);
}

/** Returns p(1-p), which taker fees follow, of a price in ticks; the scale is 1e8. */
export function feeCurve(ticks: number): number {
  return ticks * (TICKS_PER_USD - ticks);
}

/**
 * Returns the number that a count of 10^-decimals units stands for; exact to the last digit while
 * units < 2^53.
 */
export function toNumber(units: bigint, decimals: number): number {
  return Number(units) / 10 ** decimals;
}

/**
 * Returns a non-negative number in micros, rounded to the nearest; at least one micro where the
 * number is above zero.
 */
export function toMicros(value: number): number {
  const micros = Math.round(value * 1e6);
  return micros === 0 && value > 0 ? 1 : micros;
}
