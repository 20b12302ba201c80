import { CommanderError } from 'commander';
import { Problem } from '#domain/errors';

/** Input that cannot be used; the text says what to do. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

const FAILED = 1;
const BAD_INPUT = 2;
/** Node's own: what it waited for will never be. */
const UNSETTLED = 13;

const LOOK_FIRST = 'what it was to change may be in the store: look there before you repeat it';

/**
 * Tells the person what went wrong (on stderr) and returns the exit code: 2 for bad input, 1 for a
 * failure, 0 for help.
 */
export function exitCodeOf(error: unknown): number {
  // Commander has already printed its own.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : BAD_INPUT;
  process.stderr.write(`error: ${error instanceof Error ? error.message : String(error)}\n`);
  const badInput = error instanceof UsageError || (error instanceof Problem && error.code === 'invalid_parameter');
  return badInput ? BAD_INPUT : FAILED;
}

/**
 * Ends the process where nobody takes its output any more: without a word if the reader has gone
 * (`| head`), as a failure if a disk is full. What a command changed is in the store by then.
 */
export function endWithoutReader(): void {
  process.stderr.on('error', () => {});
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit();
    process.exit(exitCodeOf(new Error(`standard output cannot be written (${error.code}); ${LOOK_FIRST}`)));
  });
}

/** Says so where the process comes to its end before the command does, as where a disk fails. */
export function sayIfUnfinished(): void {
  process.once('exit', (code) => {
    // Node 20 calls this with 0, and has set its own code already.
    if (code !== UNSETTLED && process.exitCode !== UNSETTLED) return;
    process.stderr.write(`error: the command could not be ended; ${LOOK_FIRST}\n`);
    process.exitCode = FAILED;
  });
}
