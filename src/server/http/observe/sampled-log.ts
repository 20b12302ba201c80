import type { Log } from '#ports/log';
import type { Stopwatch } from '#system/stopwatch';

/** Lines a second that are all written; beyond, one of so many. */
const LINES_PER_S = 50;
const SAMPLE = 100;

/**
 * Returns a writer of debug lines for what anybody can cause without paying. Above a rate it writes
 * samples, which say for how many they stand.
 */
export function sampledDebug(log: Pick<Log, 'debug'>, stopwatch: Stopwatch): Log['debug'] {
  let second = Number.NaN;
  let lines = 0;
  return (facts, message) => {
    const now = Math.floor(stopwatch.elapsedMs() / 1e3);
    if (now !== second) lines = 0;
    second = now;
    lines++;
    if (lines <= LINES_PER_S) log.debug(facts, message);
    else if ((lines - LINES_PER_S) % SAMPLE === 0) log.debug({ ...facts, sampleOf: SAMPLE }, message);
  };
}
