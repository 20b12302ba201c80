import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Context } from 'mocha';
import { keepForReport, storedInRun } from '#test/support/run-report';
import { ROOT } from '#test/support/source-tree';

const SHOWN = 10;
/**
 * Where /proc/self/stat has the times of children, counted after the name; see proc_pid_stat(5).
 */
const CHILD_TIMES_FIELD = 13;
const TICKS_PER_S = 100;

/** What a test file took in its process, with loading it. */
export interface FileTime {
  readonly file: string;
  readonly seconds: number;
  /** What it computed of them, with processes that it started and that have ended. */
  readonly cpuSeconds: number;
}

const times: FileTime[] = [];
let file: string | undefined;
let sinceMs = performance.timeOrigin;
let cpuBefore = 0;

/** Loaded first by mocha; in parallel its root hooks run once for each file. */
export const mochaHooks = {
  beforeAll(this: Context): void {
    file = this.test?.parent?.suites[0]?.file;
  },
  afterAll(): void {
    if (file === undefined || process.env.MOCHA_WORKER_ID === undefined) return;
    const [nowMs, cpu] = [Date.now(), cpuSeconds()];
    times.push({ file: relative(ROOT, file), seconds: (nowMs - sinceMs) / 1_000, cpuSeconds: cpu - cpuBefore });
    [sinceMs, cpuBefore] = [nowMs, cpu];
    keepForReport('times', times);
  },
};

/** Comes before the run's own report, which removes what is kept for it. */
export function mochaGlobalTeardown(): void {
  const lines = slowestText(storedInRun<readonly FileTime[]>('times').flat());
  if (lines.length > 0) console.log(`\n${lines.map((line) => `  ${line}`).join('\n')}`);
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6 + childSeconds();
}

/** What ended children computed; known on Linux alone. */
function childSeconds(): number {
  if (process.platform !== 'linux') return 0;
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)!.split(' ');
  const [user, system] = fields.slice(CHILD_TIMES_FIELD, CHILD_TIMES_FIELD + 2).map(Number);
  return (user! + system!) / TICKS_PER_S;
}

/** Returns the lines that name the slowest of a run's files. */
export function slowestText(all: readonly FileTime[]): readonly string[] {
  if (all.length <= SHOWN) return [];
  const slowest = all.toSorted((a, b) => b.seconds - a.seconds).slice(0, SHOWN);
  const row = ({ file, seconds, cpuSeconds }: FileTime) =>
    `  ${seconds.toFixed(1).padStart(6)} s  (${cpuSeconds.toFixed(1)} s of CPU)  ${file}`;
  return [`the slowest of ${all.length} files:`, ...slowest.map(row)];
}
