const DECIMAL = /^(\d{0,15})(?:\.(\d{1,40}))?$/;
const PLACES = 6;
/** Below this JavaScript writes a number with an exponent; as many places as it can have then. */
const TINY_PLACES = 20;

/**
 * Returns a decimal, as the venue's Data API gives sizes and prices, in micros: from its digits,
 * never by multiplying, and rounded half up. The API computes prices in floating point, so that
 * 0.41 arrives as 0.41000015010607493 and 11.988288 shares as 11.988287999999999. null if it is no
 * plain decimal of zero or more, or does not fit a safe integer.
 */
export function toRoundedMicros(value: number | string): number | null {
  const match = DECIMAL.exec(textOf(value));
  if (match === null) return null;
  const [, whole = '', fraction = ''] = match;
  if (whole === '' && fraction === '') return null;
  const rounded = Number(`${whole}${fraction.slice(0, PLACES).padEnd(PLACES, '0')}`);
  const micros = rounded + ((fraction[PLACES] ?? '0') >= '5' ? 1 : 0);
  return Number.isSafeInteger(micros) ? micros : null;
}

function textOf(value: number | string): string {
  if (typeof value === 'string') return value;
  return value > 0 && value < 1e-6 ? value.toFixed(TINY_PLACES) : String(value);
}
