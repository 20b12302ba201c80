/** Clocks are corrected by little all the time; a lease is not lost by it. */
const CORRECTION_MS_MAX = 2_000;

/**
 * Returns the condition that what was taken for `lastsMs` has not run out, by the clock of the
 * database. More than all of it is left only of what was taken before that clock was set back: it
 * would else stand for as long as the step was. Holders that live take it anew within seconds.
 */
export function isGood(until: string, lastsMs: number | string): string {
  const longest = `(${lastsMs} + ${CORRECTION_MS_MAX}) * interval '1 millisecond'`;
  return `(${until} > clock_timestamp() AND ${until} <= clock_timestamp() + ${longest})`;
}
