/*
 * The venue writes every number as a decimal string. These turn such a string into integers and
 * back, exactly.
 */

const ZERO = 48;
const NINE = 57;
/**
 * More digits than any real price or size; a longer text is refused instead of losing precision.
 */
const WHOLE_DIGITS_MAX = 15;
const FRACTION_DIGITS_MAX = 18;

/**
 * Returns the decimal text as a count of 10^-places units, or null if it is not a plain
 * non-negative decimal, has more significant places than that, or does not fit a safe integer.
 * ".48" and "0.490" are fine. A hand loop because it runs four times per frame of the market
 * channel: a regular expression takes five times as long.
 */
export function parseScaled(text: string, places: number): number | null {
  const dot = text.indexOf('.');
  const wholeEnd = dot === -1 ? text.length : dot;
  const fractionDigits = dot === -1 ? 0 : text.length - dot - 1;
  if (wholeEnd > WHOLE_DIGITS_MAX || fractionDigits > FRACTION_DIGITS_MAX || wholeEnd + fractionDigits === 0) {
    return null;
  }
  let units = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (i === dot) continue;
    if (code < ZERO || code > NINE) return null;
    if (i <= wholeEnd + places) units = units * 10 + (code - ZERO);
    else if (code !== ZERO) return null;
  }
  for (let i = fractionDigits; i < places; i++) units *= 10;
  return Number.isSafeInteger(units) ? units : null;
}

/** Returns a price string as 1e-4 USD ticks, or null. */
export function parsePriceTicks(text: string): number | null {
  return parseScaled(text, 4);
}

/** Returns a size string as micro-shares, or null. */
export function parseSizeMicros(text: string): number | null {
  return parseScaled(text, 6);
}

/** A double tells all decimals of fifteen digits apart. */
const DISTINCT_BELOW = 1e15;
const UNITS = [1, 10, 100, 1e3, 1e4, 1e5, 1e6] as const;

/**
 * Returns the shortest decimal string of a count of 10^-places units (0 to 6 places): the form in
 * which the venue writes levels. Whole numbers, which most sizes are, take no text but their own.
 */
export function formatScaled(units: number, places: number): string {
  const unit = UNITS[places]!;
  if (units >= 0 && units < DISTINCT_BELOW) return String(units / unit);
  const whole = Math.trunc(units / unit);
  let rest = units - whole * unit;
  if (rest === 0) return String(whole);
  let digits = places;
  while (rest % 10 === 0) {
    rest /= 10;
    digits--;
  }
  return `${whole}.${String(rest).padStart(digits, '0')}`;
}

/** Returns the same of a count of any size, zero or more. */
export function formatUnits(units: bigint, places: number): string {
  const digits = String(units).padStart(places + 1, '0');
  const whole = digits.slice(0, -places);
  const fraction = digits.slice(-places).replace(/0+$/, '');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}
