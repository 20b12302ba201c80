import { createHash } from 'node:crypto';
import type { Machine } from './machine.js';

/** Kinds that are counted as one, whatever was noted of them. */
const COUNTED_WHOLE: ReadonlySet<string> = new Set(['error', 'trouble', 'board', 'violation']);

/** What was seen in a world, and what should not have been. */
export class Journal {
  readonly counts: { [what: string]: number } = {};
  /** Virtual milliseconds of the slowest answer of each kind. */
  readonly slowestMs: { [what: string]: number } = {};
  /** With the true time of each. */
  readonly violations: string[] = [];
  readonly #machine: Machine;
  readonly #trace = createHash('sha256');

  constructor(machine: Machine) {
    this.#machine = machine;
  }

  note(kind: string, what: string): void {
    const name = COUNTED_WHOLE.has(kind) ? kind : `${kind} ${what}`.trim();
    this.counts[name] = (this.counts[name] ?? 0) + 1;
    this.#trace.update(`${this.#machine.nowMs} ${kind} ${what}\n`);
  }

  timed(what: string, ms: number): void {
    this.slowestMs[what] = Math.max(this.slowestMs[what] ?? 0, Math.round(ms));
  }

  violate(what: string): void {
    this.note('violation', '');
    this.violations.push(`${new Date(this.#machine.nowMs).toISOString()} ${what}`);
  }

  /** SHA-256 of all that was noted, with the virtual time of each. To be called once. */
  trace(): string {
    return this.#trace.digest('hex');
  }
}
