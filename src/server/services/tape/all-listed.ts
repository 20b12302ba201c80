import type { SecondsSpan } from '#domain/rating/unseen';
import { missingSpans } from '#domain/time-spans';
import type { Tape } from '#ports/tape';
import { LIVE_JOB } from './recorded-gaps.js';
import { missingTrades, readCoverage } from './trade-coverage.js';
import { wholeSpans } from './whole-spans.js';

/**
 * Whether the tape holds all trades of a span that the venue's feed reaches back to: whatever
 * recorder joins later can have no more.
 */
export async function holdsAllListed(
  tape: Pick<Tape, 'progressOf' | 'importedSpans'>,
  { fromS, toS }: SecondsSpan,
  nowS: number,
): Promise<boolean> {
  const stored = await tape.progressOf(LIVE_JOB);
  if (stored === null) return false;
  const coverage = readCoverage(stored, nowS);
  // Before its first walk a recorder knows of nothing that is missing.
  if (coverage.held.length === 0 && coverage.open.length === 0) return false;
  const whole = await wholeSpans(tape, nowS);
  const missing = missingTrades(coverage, { from: fromS, to: toS });
  return missing.every((span) => missingSpans(span, whole).length === 0);
}
