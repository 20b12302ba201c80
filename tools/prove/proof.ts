import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { toTable } from '#test/payments/matrix/table';
import { ROOT } from '#test/support/source-tree';
import type { Part } from './parts.js';
import { minutesText } from './support/progress.js';
import { type Ending, forgetCells, keepResult, readCells, readResults } from './support/results.js';

/**
 * How long an interrupted part may take to print what it has: a property may be in the middle of a
 * computation.
 */
const LAST_WORDS_MS = 10_000;
const INTERRUPTED_CODE = 130;
const MOCHA = join(ROOT, 'node_modules/mocha/bin/mocha.js');

type Outcome = Ending | 'passed earlier' | 'not run';

/**
 * A run of some parts, one after the other, each in a process of its own; a part that fails does
 * not stop the others.
 */
export class Proof {
  readonly #parts: readonly Part[];
  readonly #resumes: boolean;
  readonly #outcomes = new Map<Part, { readonly outcome: Outcome; readonly seconds: number }>();
  #child: ChildProcess | null = null;
  #isInterrupted = false;

  constructor(parts: readonly Part[], resumes: boolean) {
    this.#parts = parts;
    this.#resumes = resumes;
  }

  /** Returns the exit code. */
  async run(): Promise<number> {
    const results = readResults();
    for (const part of this.#parts) {
      if (this.#isInterrupted) break;
      const last = results[part.name];
      if (this.#resumes && last?.ending === 'passed') {
        this.#outcomes.set(part, { outcome: 'passed earlier', seconds: last.seconds });
      } else {
        await this.#runPart(part);
      }
    }
    console.log(`\n${this.#report()}`);
    if (this.#isInterrupted) return INTERRUPTED_CODE;
    return this.#count('failed') === 0 ? 0 : 1;
  }

  /** Ends the part in work, which prints what it has so far; a part that does not is killed. */
  interrupt(): void {
    if (this.#isInterrupted) {
      this.#killPart();
      return;
    }
    this.#isInterrupted = true;
    process.stderr.write('\ninterrupted; once more ends it at once\n');
    this.#child?.kill('SIGINT');
    setTimeout(() => this.#killPart(), LAST_WORDS_MS).unref();
  }

  /** With all that it started. */
  #killPart(): void {
    if (this.#child?.pid !== undefined) process.kill(-this.#child.pid, 'SIGKILL');
  }

  async #runPart(part: Part): Promise<void> {
    if (!this.#resumes) forgetCells(part.name);
    const site = this.#parts.indexOf(part) + 1;
    const rest = this.#parts.slice(site - 1).reduce((sum, each) => sum + minutesOf(each), 0);
    console.log(`\n${site} of ${this.#parts.length}: ${part.name}, ${part.what} (${minutesText(minutesOf(part))})`);
    console.log(`${this.#count('failed')} parts failed so far; ${minutesText(rest)} left`);
    const fromMs = performance.now();
    const code = await this.#mocha(part);
    const seconds = Math.round((performance.now() - fromMs) / 1_000);
    const ending = this.#isInterrupted ? 'interrupted' : code === 0 ? 'passed' : 'failed';
    this.#outcomes.set(part, { outcome: ending, seconds });
    keepResult(part.name, { ending, seconds });
  }

  /**
   * In a process group of its own: what a terminal interrupts is this process, which hands it on
   * once.
   */
  #mocha({ files }: Part): Promise<number | null> {
    const args = ['--enable-source-maps', MOCHA, '--config', '.mocharc.prove.json', '--exit', ...files];
    const child = spawn(process.execPath, args, { cwd: ROOT, stdio: 'inherit', detached: true });
    this.#child = child;
    return new Promise((resolve) => {
      child.once('exit', (code) => {
        this.#child = null;
        resolve(code);
      });
    });
  }

  #count(outcome: Outcome): number {
    return [...this.#outcomes.values()].filter((each) => each.outcome === outcome).length;
  }

  #report(): string {
    const rows = this.#parts.map((part) => {
      const { outcome, seconds } = this.#outcomes.get(part) ?? { outcome: 'not run', seconds: null };
      const cells = [...readCells(part.name).values()];
      const broken = cells.filter(({ breaches }) => breaches.length > 0).length;
      const played = cells.length === 0 ? '' : `${cells.length} cells, ${broken} broken`;
      return [part.name, outcome, seconds === null ? '' : `${seconds} s`, played];
    });
    const open = this.#parts.length - this.#count('passed') - this.#count('passed earlier');
    const advice =
      open === 0 ? 'all of these passed' : `${open} of ${this.#parts.length} are open: npm run prove -- --resume`;
    return `${toTable([['part', 'result', 'time', 'played'], ...rows])}\n\n${advice}`;
  }
}

/** As it took the last time it passed on this machine. */
function minutesOf({ name, minutes }: Part): number {
  const last = readResults()[name];
  return last?.ending === 'passed' ? last.seconds / 60 : minutes;
}
