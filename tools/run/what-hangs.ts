import { execFileSync } from 'node:child_process';
import { relative } from 'node:path';
import type { Context } from 'mocha';
import { keepForReport, storedInRun } from '#test/support/run-report';
import { skipLoudly } from '#test/support/skipped';
import { ROOT } from '#test/support/source-tree';

/** `npm test` sets it: milliseconds after which a run is ended. */
export const RUN_LIMIT_NAME = 'TEST_RUN_MS_MAX';

const IN_WORK = 'in-work';
const HOOKS = 'before, between or after its tests';

/** What a process is at: a test, or the hooks of a file. */
export interface TestInWork {
  readonly file: string;
  readonly title: string;
  readonly pid: number;
  readonly sinceMs: number;
}

/** Files of which a test took too long. */
const late = new Set<string>();
let watch: NodeJS.Timeout | undefined;

/** Loaded first by mocha. */
export const mochaHooks = {
  beforeAll(this: Context): void {
    // The suite of all suites has no file, and in parallel it has those of one.
    noteInWork(this.test?.parent?.suites[0]?.file, HOOKS);
  },
  beforeEach(this: Context): void {
    const test = this.currentTest!;
    // What the tests of a file share is out of order then, and each would take as long.
    if (late.has(test.file ?? '')) skipLoudly(this, 'a test before it in its file took too long', test.fullTitle());
    noteInWork(test.file, test.fullTitle());
  },
  afterEach(this: Context): void {
    const { file = '', timedOut } = this.currentTest!;
    if (timedOut) late.add(file);
    noteInWork(file, HOOKS);
  },
  afterAll(): void {
    keepForReport(IN_WORK, null);
  },
};

export function mochaGlobalSetup(): void {
  const msMax = Number(process.env[RUN_LIMIT_NAME] ?? 0);
  if (msMax > 0) watch = setTimeout(endRun, msMax, msMax);
}

export function mochaGlobalTeardown(): void {
  clearTimeout(watch);
}

function noteInWork(file: string | undefined, title: string): void {
  const inWork: TestInWork = { file: relative(ROOT, file ?? ROOT), title, pid: process.pid, sinceMs: Date.now() };
  keepForReport(IN_WORK, inWork);
}

/** Mocha's own limits are kept by the process of the test, which may be what hangs. */
function endRun(msMax: number): never {
  const inWork = storedInRun<TestInWork | null>(IN_WORK).filter((each) => each !== null);
  console.error(`\n${hangText(inWork, { nowMs: Date.now(), msMax })}\n`);
  for (const { pid } of inWork) if (isOurs(pid)) process.kill(pid, 'SIGKILL');
  process.exit(1);
}

/** One that died in a test left its note behind, and its number may be another's by now. */
function isOurs(pid: number): boolean {
  try {
    return Number(execFileSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' })) === process.pid;
  } catch {
    return false;
  }
}

/** Returns what to say of a run that did not end in time: what it was at, the oldest first. */
export function hangText(
  inWork: readonly TestInWork[],
  { nowMs, msMax }: { readonly nowMs: number; readonly msMax: number },
): string {
  const seconds = (ms: number) => `${Math.round(ms / 1_000)} s`;
  const rows = inWork
    .toSorted((a, b) => a.sinceMs - b.sinceMs)
    .map(
      ({ file, title, pid, sinceMs }) => `  - ${file}: "${title}", for ${seconds(nowMs - sinceMs)} (process ${pid})`,
    );
  return [`the run did not end within ${seconds(msMax)} and was ended; it was at`, ...rows].join('\n');
}
