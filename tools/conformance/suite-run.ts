import { runProgram } from '#test/support/run-program';
import { tempFolder } from '#test/support/temp-folder';
import type { Tool } from './tools-install.js';

/** One scenario as the suite summed it up. */
export interface Scenario {
  readonly name: string;
  readonly passed: number;
  readonly failed: number;
  /** Whether the revision requires it. */
  readonly scored: boolean;
}

const RUN_MS_MAX = 300_000;
const OUTPUT_BYTES_MAX = 64 * 1_024 * 1_024;
const SUMMARY = /^[✓✗] ([\w-]+): (\d+) passed, (\d+) failed/gm;
const UNSCORED = /^ {2}[✓✗] ([\w-]+) \(/gm;

/**
 * Runs a conformance suite against a server: all scenarios that a revision requires, and those that
 * it reports without scoring them; without a revision the suite's own active ones. Rejects where
 * the suite did not sum up.
 */
export async function runSuite(suite: Tool, url: string, revision: string | null): Promise<readonly Scenario[]> {
  const args = [suite.script, 'server', '--url', url, '-o', tempFolder('scenarios')];
  if (revision !== null) args.push('--requirements', revision);
  const printed = await outputOf(suite.node, args);
  const unscored = new Set(Array.from(printed.matchAll(UNSCORED), ([, name]) => name!));
  const scenarios = Array.from(printed.matchAll(SUMMARY), ([, name, passed, failed]) => ({
    name: name!,
    passed: Number(passed),
    failed: Number(failed),
    scored: !unscored.has(name!),
  }));
  if (scenarios.length === 0)
    throw new Error(`conformance ${suite.version} summed nothing up:\n${printed.slice(-2_000)}`);
  return scenarios;
}

/** It ends with 1 where a scenario failed: that is for the table to tell. */
async function outputOf(command: string, args: readonly string[]): Promise<string> {
  const { stdout, stderr } = await runProgram(command, args, { timeout: RUN_MS_MAX, maxBuffer: OUTPUT_BYTES_MAX });
  return stdout + stderr;
}
