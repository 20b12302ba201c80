import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { SHORT_LIVED } from '#test/support/short-lived';
import { ROOT } from '#test/support/source-tree';

const MAIN = join(ROOT, 'dist/bundle/service/preflight.js');

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
