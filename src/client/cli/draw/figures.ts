/** Numbers of an answer as people read them. What is no number is shown as a question mark. */

/**
 * Returns a number with groups of thousands and at most so many decimals; `least` of them are
 * always shown.
 */
export function figure(value: unknown, decimals: number, least = 0): string {
  if (typeof value !== 'number' || !Number.isFinite(value)) return '?';
  return value.toLocaleString('en-US', { minimumFractionDigits: least, maximumFractionDigits: decimals });
}

/** Returns an amount of USD: two decimals, and more only where cents do not say it. */
export function usd(value: unknown): string {
  return figure(value, typeof value === 'number' && Math.abs(value) < 1 ? 5 : 2, 2);
}

/** Returns a percentage with a sign. */
export function signedPercent(value: unknown): string {
  const text = figure(value, 1, 1);
  return text === '?' ? text : `${text.startsWith('-') ? '' : '+'}${text}%`;
}

/** Returns a duration as people say it. */
export function seconds(value: number): string {
  if (value < 120) return `${Math.ceil(value)} s`;
  return value < 7_200 ? `${Math.ceil(value / 60)} min` : `${Math.ceil(value / 3_600)} h`;
}

/** Returns a moment to the second, in UTC. */
export function moment(atMs: number): string {
  return Number.isFinite(atMs) ? `${new Date(atMs).toISOString().slice(0, 19)}Z` : '?';
}
