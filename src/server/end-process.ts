import { untilAtRest } from '#adapters/lmdb/at-exit';

/**
 * Ends the process with this code, as soon as the embedded store has nothing under way: in the
 * middle of that it cannot.
 */
export async function endProcess(code: number): Promise<never> {
  await untilAtRest();
  process.exit(code);
}
