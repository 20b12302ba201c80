import { mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Where the processes of a run keep what is reported once, at its end: mocha has a process per job
 * when it runs in parallel.
 */
const DIR_NAME = 'TEST_RUN_DIR';

/** Files of this process, by the name of what it keeps in them. */
const opened = new Map<string, number>();

/**
 * Keeps a value of this process for the end of the run, in place of the one it kept before under
 * the name. It is one more line of a file that stays open: two values are kept for each test.
 */
export function keepForReport(name: string, value: unknown): void {
  const dir = process.env[DIR_NAME];
  if (dir === undefined) return;
  const file = opened.get(name) ?? openSync(join(dir, `${name}-${process.pid}.jsonl`), 'a');
  opened.set(name, file);
  writeSync(file, `${JSON.stringify(value)}\n`);
}

/** Returns what the processes of the run kept under a name by now. */
export function storedInRun<T>(name: string): readonly T[] {
  const dir = process.env[DIR_NAME]!;
  const files = readdirSync(dir).filter((file) => file.startsWith(`${name}-`));
  return files.flatMap((file) => {
    // What follows the last end of a line is being written.
    const kept = readFileSync(join(dir, file), 'utf8').split('\n').at(-2);
    return kept === undefined ? [] : [JSON.parse(kept) as T];
  });
}

export interface ComparedAnswers {
  readonly compared: number;
  readonly passedOver: number;
}

/** Titles of skipped tests by what this machine lacks. */
export type SkippedTests = Readonly<Record<string, readonly string[]>>;

/** Loaded first by mocha. */
export function mochaGlobalSetup(): void {
  process.env[DIR_NAME] = mkdtempSync(join(tmpdir(), 'preflight-run-'));
}

export function mochaGlobalTeardown(): void {
  const dir = process.env[DIR_NAME]!;
  const lines = [...answersText(storedInRun('answers')), ...skippedText(storedInRun('skipped'))];
  rmSync(dir, { recursive: true, force: true });
  if (lines.length > 0) console.log(`\n${lines.map((line) => `  ${line}`).join('\n')}\n`);
}

function answersText(stored: readonly ComparedAnswers[]): readonly string[] {
  const compared = stored.reduce((sum, each) => sum + each.compared, 0);
  const passedOver = stored.reduce((sum, each) => sum + each.passedOver, 0);
  if (compared + passedOver === 0) return [];
  return [`compared with /openapi.json: ${compared} answers (${passedOver} too long or cut off)`];
}

function skippedText(stored: readonly SkippedTests[]): readonly string[] {
  const reasons = [...new Set(stored.flatMap((each) => Object.keys(each)))];
  return reasons.flatMap((why) => {
    const titles = stored.flatMap((each) => each[why] ?? []);
    return [`SKIPPED ${titles.length}: ${why}`, ...titles.map((title) => `  - ${title}`)];
  });
}
