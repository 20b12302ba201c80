/** How figures and moments are written on every page. */

/**
 * Returns a moment in UTC, to the minute, as in "2026-08-01 04:30 UTC". A date alone has no minute.
 */
export function momentText(moment: string | number): string {
  const ms = typeof moment === 'number' ? moment : Date.parse(moment);
  if (!Number.isFinite(ms)) return 'an unknown time';
  const iso = new Date(ms).toISOString();
  const isDate = typeof moment === 'string' && moment.length === 10;
  return isDate ? iso.slice(0, 10) : `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;
}

/** Returns a time of day in UTC, to the second, as in "04:30:12 UTC". */
export function clockText(ms: number): string {
  return Number.isFinite(ms) ? `${new Date(ms).toISOString().slice(11, 19)} UTC` : 'an unknown time';
}

/** Returns a percentage with its sign and one decimal, as in "+27.0%"; a dash if there is none. */
export function signedPctText(pct: number | null | undefined): string {
  if (typeof pct !== 'number') return '–';
  const digits = Math.abs(pct).toLocaleString('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  return `${withSign(pct, digits)}%`;
}

/** Returns the digits of a number (with one decimal) with its sign; zero has none. */
export function withSign(value: number, digits: string): string {
  const sign = digits === '0.0' ? '' : value < 0 ? '\u2212' : '+';
  return `${sign}${digits}`;
}

/** Returns a part of the whole in percent with two decimals, as in "12.50%"; places in a picture, too. */
export function partText(part: number): string {
  return `${(part * 100).toFixed(2)}%`;
}

/** Returns a share with one decimal, as in "52.0%"; a dash if there is none. */
export function pctText(pct: number | null | undefined): string {
  return typeof pct === 'number' ? `${pct.toFixed(1)}%` : '–';
}

/** Returns "1 entry", "2 entries". */
export function countText(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}

/** Returns a time to wait as people say it: "45 s", "4 min 5 s", "2 h 10 min". */
export function waitText(ms: number): string {
  const s = Math.max(0, Math.ceil(ms / 1e3));
  if (s < 60) return `${s} s`;
  if (s < 3_600) return `${Math.floor(s / 60)} min ${s % 60} s`;
  return `${Math.floor(s / 3_600)} h ${Math.floor((s % 3_600) / 60)} min`;
}

/** Returns an address short enough to be read, as in "0x1234…abcd". */
export function shortAddress(address: string): string {
  return address.length > 12 ? `${address.slice(0, 6)}…${address.slice(-4)}` : address;
}
