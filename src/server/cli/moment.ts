import { InvalidArgumentError } from 'commander';

/** Reads an option's moment: a date (its first second in UTC) or RFC 3339. In milliseconds. */
export function moment(text: string): number {
  const isDate = /^\d{4}-\d\d-\d\d$/.test(text);
  const ms = isDate || /^\d{4}-\d\d-\d\dT.*(?:Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : Number.NaN;
  const exists = !isDate || (Number.isFinite(ms) && new Date(ms).toISOString().startsWith(text));
  if (Number.isFinite(ms) && exists) return ms;
  throw new InvalidArgumentError('Give a date such as 2026-05-01, or a moment such as 2026-05-01T12:00:00Z.');
}
