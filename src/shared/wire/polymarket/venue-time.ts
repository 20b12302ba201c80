const DATE = /^\d{4}-\d\d-\d\d(?:[T ]|$)/i;

/**
 * Returns a moment that the venue wrote, in whole seconds since the epoch, or null. Beside RFC 3339
 * it writes Postgres' form, with a space and a short zone ("2026-04-05 15:10:00+00"), and dates
 * alone, which are midnight in UTC.
 */
export function parseVenueTimeS(text: string | null | undefined): number | null {
  if (text === null || text === undefined || text === '') return null;
  // JavaScript takes much for a date: "-1" is one of 2001.
  if (!DATE.test(text.trim())) return null;
  const written = text
    .trim()
    .replace(' ', 'T')
    .replace(/([+-]\d\d)$/, (zone) => (text.includes(':') ? `${zone}:00` : zone));
  const hasZone = /(?:Z|[+-]\d\d:?\d\d)$/i.test(written) || !written.includes('T');
  const ms = Date.parse(hasZone ? written : `${written}Z`);
  return Number.isFinite(ms) ? Math.floor(ms / 1_000) : null;
}
