import { untilAtRest } from '#adapters/lmdb/at-exit';
import { doDisksAnswer } from '#adapters/lmdb/guard';
import { killNow } from '#adapters/process/kill-now';
import { lastLinesWritten } from '#adapters/process/log-destination';

/**
 * Ends the process with this code, as soon as its last lines are read, within a second, and the
 * embedded store has nothing under way: in the middle of that it cannot. Where the disk of a store does not answer, it is ended by SIGKILL, for an
 * orderly end would wait for the disk.
 */
export async function endProcess(code: number): Promise<never> {
  await lastLinesWritten();
  await untilAtRest();
  if (!(await doDisksAnswer())) killNow();
  process.exit(code);
}
