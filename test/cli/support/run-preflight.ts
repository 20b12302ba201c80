import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { SHORT_LIVED } from '#test/support/short-lived';

const MAIN = fileURLToPath(new URL('../../../src/cli/main.js', import.meta.url));

/** What came of a command. */
export interface Run {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `preflight …` as a process of its own, with this environment and this standard input. */
export function runPreflight(
  args: readonly string[],
  { env, input = '' }: { readonly env: NodeJS.ProcessEnv; readonly input?: string },
): Promise<Run> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [...SHORT_LIVED, MAIN, ...args], { env }, (error, stdout, stderr) => {
      const exitCode = error === null ? 0 : Number(error.code ?? -1);
      resolve({ exitCode, stdout, stderr });
    });
    child.stdin?.end(input);
  });
}
