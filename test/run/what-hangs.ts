import { relative } from 'node:path';
import type { Context } from 'mocha';
import { keepForReport, keptInRun } from '#test/support/run-report';
import { skipLoudly } from '#test/support/skipped';
import { ROOT } from '#test/support/source-tree';

/** `npm test` sets it: milliseconds after which a run is ended. */
export const RUN_LIMIT_NAME = 'TEST_RUN_MS_MAX';

const IN_WORK = 'in-work';

/** The test that a process is at. */
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
  beforeEach(this: Context): void {
    const { file = '' } = this.currentTest!;
    // What the tests of a file share is out of order then, and each would take as long.
    if (late.has(file)) skipLoudly(this, 'a test before it in its file took too long');
    const title = this.currentTest!.fullTitle();
    const inWork: TestInWork = { file: relative(ROOT, file), title, pid: process.pid, sinceMs: Date.now() };
    keepForReport(IN_WORK, inWork);
  },
  afterEach(this: Context): void {
    const { file = '', timedOut } = this.currentTest!;
    if (timedOut) late.add(file);
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

/** Mocha's own limits are kept by the process of the test, which may be what hangs. */
function endRun(msMax: number): never {
  const inWork = keptInRun<TestInWork | null>(IN_WORK).filter((each) => each !== null);
  console.error(`\n${hangText(inWork, { nowMs: Date.now(), msMax })}\n`);
  for (const { pid } of inWork) process.kill(pid, 'SIGKILL');
  process.exit(1);
}

/** Returns what to say of a run that did not end in time: which tests it was at, the oldest first. */
export function hangText(
  inWork: readonly TestInWork[],
  { nowMs, msMax }: { readonly nowMs: number; readonly msMax: number },
): string {
  const rows = inWork
    .toSorted((a, b) => a.sinceMs - b.sinceMs)
    .map(({ file, title, pid, sinceMs }) => {
      return `  - ${file}: "${title}", for ${Math.round((nowMs - sinceMs) / 1_000)} s (process ${pid})`;
    });
  return [`the run did not end within ${msMax / 60_000} minutes and was ended; it was at`, ...rows].join('\n');
}
