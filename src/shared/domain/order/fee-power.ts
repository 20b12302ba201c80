import { feeCurve, TICKS_PER_USD } from '../money.js';

const CURVE_SCALE = BigInt(TICKS_PER_USD ** 2);
const CURVE_DECIMALS = 8n;
/** Of a power that is no whole one. Its error is below 1e-35, and fees are cut at 1e-5 USD. */
const FRACTION_DECIMALS = 40n;
const FRACTION_SCALE = 10n ** FRACTION_DECIMALS;
/** Binary places of an exponent; a number from 0.001 on has no more. */
const EXPONENT_BITS_MAX = 64;
/**
 * Powers of the exponent that was asked for last and is no whole one, by curve: each takes fifty
 * square roots, and an evaluation asks up to ten times for those of two thousand levels, which took
 * a second. No more than half as many as there are prices.
 */
const POWERS = new Map<number, bigint>();
let exponentOfPowers = Number.NaN;

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
  const curve = feeCurve(ticks);
  if (Number.isInteger(exponent)) return BigInt(curve) ** BigInt(exponent);
  if (exponent !== exponentOfPowers) POWERS.clear();
  exponentOfPowers = exponent;
  const power = POWERS.get(curve) ?? fractionalPower(BigInt(curve), exponent);
  POWERS.set(curve, power);
  return power;
}

function fractionalPower(curve: bigint, exponent: number): bigint {
  const whole = Math.floor(exponent);
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
  // A double misses it by less than one part in 2^51.
  let root = near + (near >> 50n) + 1n;
  for (;;) {
    const next = (root + square / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}
