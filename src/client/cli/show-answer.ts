import type { Answer } from '../answers.js';
import { clockAheadText } from '../http/clock-ahead.js';
import type { Cli } from './cli.js';
import { EXIT, exitOfAnswer, whyNotToActUpon } from './exit-codes.js';

/**
 * Shows an answer: its own bytes with --json, else as it is drawn; and beside it whether the clock
 * of this machine makes it stale.
 */
export function showAnswer(
  cli: Cli,
  { json }: { readonly json?: true },
  answer: Answer<unknown>,
  draw: () => readonly string[],
): void {
  if (json === true) {
    cli.printJson(answer.text);
    const why = whyNotToActUpon(answer.body, answer.stale);
    if (why !== null) cli.note(`${why}: never act on this answer`);
  } else cli.print(draw());
  if (answer.clockAheadS !== undefined) cli.note(clockAheadText(answer.clockAheadS));
}

/** Returns the exit code of an answer, and says so if it has no verdict that this version knows. */
export function concludeAnswer(cli: Cli, answer: Answer<unknown>): number {
  const code = exitOfAnswer(answer);
  if (code === EXIT.failure) cli.note('the answer has no verdict that this version knows: update it');
  return code;
}
