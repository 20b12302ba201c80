import { nameOf, type Played } from '#test/payments/matrix/runner';

/** Shows on stderr how far it is, and what is broken as soon as that is known. */
export function showProgress(done: number, all: number, { cell, breaches }: Played): void {
  for (const breach of breaches) process.stderr.write(`\n  BROKEN ${nameOf(cell)}: ${breach}\n`);
  process.stderr.write(`\r  ${done}/${all}${done === all ? '\n' : ''}`);
}
