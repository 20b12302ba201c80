import { VERDICT_DEADLINE_MS } from './deadline.js';

/** An answer may be on its way for so long, and no clock be wrong. */
const AHEAD_MS_MIN = VERDICT_DEADLINE_MS;

/**
 * Returns by how many seconds the clock of this machine is ahead of the service's, if it is that
 * which makes an answer old: it is past by the one and not yet by the other. undefined if not, or
 * if nobody tells the time of the answer: pages do not see that of another origin.
 */
export function clockAheadS(headers: Headers, validUntilMs: number, nowMs: number): number | undefined {
  const ageS = headers.get('age') ?? '';
  // A proxy that kept the answer counts the seconds since.
  const serviceMs = Date.parse(headers.get('date') ?? '') + (/^\d{1,9}$/.test(ageS) ? Number(ageS) * 1e3 : 0);
  const isOldHereAlone = nowMs > validUntilMs && validUntilMs > serviceMs;
  return isOldHereAlone && nowMs - serviceMs >= AHEAD_MS_MIN ? Math.round((nowMs - serviceMs) / 1e3) : undefined;
}

/** Says it to whoever can set the clock. */
export function clockAheadText(aheadS: number): string {
  return `by the Date of the answer, the clock of this machine is ${aheadS} s ahead of the service's: set it right`;
}
