/** A day, in seconds. */
export const DAY_S = 86_400;
/** A day, in milliseconds. */
export const DAY_MS = DAY_S * 1e3;
/** Clocks that are further apart than this disagree. */
export const CLOCKS_APART_MS_MAX = 5_000;

/** Returns the UTC day of a moment, such as 2026-05-01. */
export function isoDay(timeS: number): string {
  return new Date(timeS * 1e3).toISOString().slice(0, 10);
}
