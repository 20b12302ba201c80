import { ConfigError } from '#config/config';
import { endProcess } from '#server/end-process';

/** Says what is being done to whoever watches; what is printed for pasting goes to stdout. */
export function print(what: string): void {
  console.error(`preflight: ${what}`);
}

/** The reader of what is printed may go away before we do. */
export function ignoreGoneReader(): void {
  process.stdout.on('error', () => undefined);
  process.stderr.on('error', () => undefined);
}

/** Ends the process: with 2 if its settings are wrong, else with 1. */
export async function endWithSentence(error: NodeJS.ErrnoException, withStack: boolean): Promise<never> {
  console.error(withStack ? (error.stack ?? String(error)) : explain(error));
  return endProcess(error instanceof ConfigError ? 2 : 1);
}

/**
 * What a person can do something about is one sentence; where it is not enough, the stack is one
 * setting away.
 */
function explain(error: NodeJS.ErrnoException): string {
  if (error.code === 'EADDRINUSE') return `${error.message}: something else is listening there; stop it or set PORT`;
  return error instanceof ConfigError ? error.message : `${error.message} (LOG_LEVEL=debug shows where)`;
}
