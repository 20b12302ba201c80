import type { SecondsSpan } from '#domain/rating/unseen';
import { mergeSpans, missingSpans } from '#domain/time-spans';
import type { Tape } from '#ports/tape';
import { missingTrades, readCoverage } from './trade-coverage.js';
import { wholeSpans } from './whole-spans.js';

/** The job under whose name the recorder keeps what it holds. */
export const LIVE_JOB = 'live';

/**
 * Returns the stretches of time of which the recorder knows that trades are missing from the tape,
 * oldest first. A tape that nobody recorded has none that are known.
 */
export async function recordedGaps(
  tape: Pick<Tape, 'progressOf' | 'importedSpans'>,
  { fromS, toS }: SecondsSpan,
  nowS: number,
): Promise<readonly SecondsSpan[]> {
  const remaining = await tape.progressOf(LIVE_JOB);
  if (remaining === null) return [];
  const coverage = readCoverage(remaining, nowS);
  const whole = await wholeSpans(tape, nowS);
  // What is older than the feed is there only if something else brought it: the trades of some
  // wallets prove nothing.
  const older = coverage.endsS === null ? [] : [{ from: fromS, to: Math.min(toS, coverage.endsS - 1) }];
  const missing = [...missingTrades(coverage, { from: fromS, to: toS }), ...older];
  const lacking = mergeSpans(missing).flatMap((span) => missingSpans(span, [...coverage.held, ...whole]));
  return lacking.map(({ from, to }) => ({ fromS: from, toS: to })).toReversed();
}
