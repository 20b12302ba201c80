/** The venue writes every number as a decimal string. These turn such a string into integers and back, exactly. */

const DECIMAL = /^(\d{0,15})(?:\.(\d{0,18}))?$/;

/**
 * Returns the decimal text as a count of 10^-places units, or null where it is not a plain non-negative decimal,
 * has more significant places than that, or does not fit a safe integer. ".48" and "0.490" are fine.
 */
export function parseScaled(text: string, places: number): number | null {
  const match = DECIMAL.exec(text);
  if (match === null || text === '' || text === '.') return null;
  const fraction = match[2] ?? '';
  for (let i = places; i < fraction.length; i++) if (fraction.charCodeAt(i) !== 48) return null;
  const scaled = Number(match[1] || '0') * 10 ** places + Number(fraction.slice(0, places).padEnd(places, '0') || '0');
  return Number.isSafeInteger(scaled) ? scaled : null;
}

/** Returns a price string as 1e-4 USD ticks, or null. */
export function parsePriceTicks(text: string): number | null {
  return parseScaled(text, 4);
}

/** Returns a size string as micro-shares, or null. */
export function parseSizeMicros(text: string): number | null {
  return parseScaled(text, 6);
}

/** Returns the shortest decimal string of a count of 10^-places units: the form in which the venue writes levels. */
export function formatScaled(units: number, places: number): string {
  const digits = String(units).padStart(places + 1, '0');
  const whole = digits.slice(0, -places);
  const fraction = digits.slice(-places).replace(/0+$/, '');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}
