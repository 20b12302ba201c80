import { join } from 'node:path';
import { type Run, runProgram } from '#test/support/run-program';
import { SHORT_LIVED } from '#test/support/short-lived';
import { ROOT } from '#test/support/source-tree';

export const PREFLIGHT = join(ROOT, 'dist/bundle/service/preflightctl.js');

/** Runs `preflight …` as a process of its own, with this environment and this standard input. */
export function runPreflight(
  args: readonly string[],
  { env, input = '' }: { readonly env: NodeJS.ProcessEnv; readonly input?: string },
): Promise<Run> {
  return runProgram(process.execPath, [...SHORT_LIVED, PREFLIGHT, ...args], { env, input });
}
