import { runCli } from './run-cli.js';
import { processWorld } from './world/process-world.js';

/**
 * Runs the command line in this process, with the arguments after its name. Resolves with the exit
 * code. Stable.
 */
export function main(argv: readonly string[]): Promise<number> {
  return runCli(argv, processWorld());
}
