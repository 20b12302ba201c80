import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** What a child printed last of one of its numbers. */
export interface Played {
  /** `begun`: it ended the process. */
  readonly outcome: string;
  readonly detail: string;
}

/**
 * Lets a child play the numbers below `count`, which prints "<n> begun" and then "<n> <outcome>
 * <detail>" for each, and goes on with another one behind a number that ends the process. `argsFrom`:
 * the arguments of a child that begins with this number. Rejects where a child plays none.
 */
export async function playOn(
  script: string,
  count: number,
  argsFrom: (first: number) => readonly string[],
): Promise<readonly Played[]> {
  const played: Played[] = [];
  while (played.length < count) {
    const first = played.length;
    const child = spawn(process.execPath, [script, ...argsFrom(first)], { stdio: ['ignore', 'pipe', 'inherit'] });
    for await (const line of createInterface(child.stdout)) {
      const [, n = '', outcome = '', detail = ''] = /^(\d+) (\S+) ?(.*)$/.exec(line) ?? [];
      played[Number(n)] = { outcome, detail };
    }
    if (played.length === first) throw new Error(`the child played nothing from ${first} on`);
  }
  return played;
}
