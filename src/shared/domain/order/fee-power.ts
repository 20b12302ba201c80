import { feeCurve, TICKS_PER_USD } from '../money.js';

const CURVE_SCALE = BigInt(TICKS_PER_USD ** 2);
const CURVE_DECIMALS = 8n;
/** Of a power that is no whole one. Its error is below 1e-35, and fees are cut at 1e-5 USD. */
const FRACTION_DECIMALS = 40n;
const FRACTION_SCALE = 10n ** FRACTION_DECIMALS;
/** Binary places of an exponent; a number from 0.001 on has no more. */
const EXPONENT_BITS_MAX = 64;

/** Returns what `feePower` is counted in: so many units are one. */
export function feePowerScale(exponent: number): bigint {
  return Number.isInteger(exponent) ? CURVE_SCALE ** BigInt(exponent) : FRACTION_SCALE;
}

/**
 * Returns (p(1-p))^exponent of a price in ticks, in units of `feePowerScale`. Whole exponents are
 * exact. Others are put together from square roots in integers, one for each binary place of the
 * exponent, so that every machine has the same digits, which `Math.pow` does not promise; a root
 * that comes out is exact, as that of a half.
 */
export function feePower(ticks: number, exponent: number): bigint {
  const curve = BigInt(feeCurve(ticks));
  const whole = Math.floor(exponent);
  if (whole === exponent) return curve ** BigInt(whole);
  const base = curve * 10n ** (FRACTION_DECIMALS - CURVE_DECIMALS);
  let power = (FRACTION_SCALE * curve ** BigInt(whole)) / CURVE_SCALE ** BigInt(whole);
  let root = base;
  let rest = exponent - whole;
  for (let bit = 0; bit < EXPONENT_BITS_MAX && rest > 0; bit++) {
    rest *= 2;
    root = squareRoot(root * FRACTION_SCALE);
    if (rest < 1) continue;
    rest -= 1;
    power = (power * root) / FRACTION_SCALE;
  }
  return power;
}

/** Returns the whole part of the square root of a number above zero, by Newton from above. */
function squareRoot(square: bigint): bigint {
  const near = BigInt(Math.floor(Math.sqrt(Number(square))));
  let root = near + near / 1_000_000_000n + 1n;
  for (;;) {
    const next = (root + square / root) / 2n;
    if (next >= root) return root;
    root = next;
  }
}
