import type { SecondsSpan } from '#domain/rating/unseen';
import type { Tape } from '#ports/tape';
import { missingTrades, readCoverage } from './trade-coverage.js';

/** The job under whose name the recorder keeps what it holds. */
export const LIVE_JOB = 'live';

/**
 * Returns the stretches of time of which the recorder knows that trades are missing from the tape,
 * oldest first. A tape that nobody recorded has none that are known.
 */
export async function recordedGaps(
  tape: Pick<Tape, 'progressOf'>,
  { fromS, toS }: SecondsSpan,
  nowS: number,
): Promise<readonly SecondsSpan[]> {
  const kept = await tape.progressOf(LIVE_JOB);
  if (kept === null) return [];
  const missing = missingTrades(readCoverage(kept, nowS), { from: fromS, to: toS });
  return missing.map(({ from, to }) => ({ fromS: from, toS: to })).toReversed();
}
