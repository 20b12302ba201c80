import { ManualClock } from '#test/support/manual-clock';
import { ManualTimers } from '#test/support/manual-timers';

/** Nothing in these worlds waits for longer than that, so that a leap is late for nothing for long. */
const LEAP_MS = 600_000;

/**
 * A machine whose time is virtual: it passes from one wait to the next as soon as all that is at
 * work has come to rest. Reads and writes of a real store are waited for, in no time of the machine.
 */
export class Machine {
  readonly clock: ManualClock;
  readonly #running = new Set<ManualTimers>();
  readonly #working = new Set<Promise<unknown>>();
  #lastStep: Promise<unknown> = Promise.resolve();

  /** `startMs`: the true time, which is the elapsed time of the clock, wherever its date is set. */
  constructor(startMs: number) {
    this.clock = new ManualClock(startMs);
  }

  get nowMs(): number {
    return this.clock.elapsedMs();
  }

  /** Returns the timers of a process; time passes for it until `end` is called. */
  newTimers(): { readonly timers: ManualTimers; readonly end: () => void } {
    const timers = new ManualTimers(this.clock);
    this.#running.add(timers);
    return { timers, end: () => void this.#running.delete(timers) };
  }

  /** Notes work that no wait of the machine stands for. */
  during<T>(work: Promise<T>): Promise<T> {
    const noted: Promise<unknown> = work.then(
      () => this.#working.delete(noted),
      () => this.#working.delete(noted),
    );
    this.#working.add(noted);
    return work;
  }

  /** Lets so much time pass, from wait to wait. */
  async pass(ms: number): Promise<void> {
    const endMs = this.nowMs + ms;
    while (await this.#step(endMs));
  }

  /** Lets time pass until it is so, but no longer than that. */
  async until(isSo: () => boolean, msMax: number): Promise<void> {
    const endMs = this.nowMs + msMax;
    while (!isSo() && (await this.#step(endMs)));
  }

  /** Lets time pass until the work is done, but no longer than that. Rejects as it does. */
  async passUntil(work: Promise<void>, msMax: number): Promise<void> {
    let isDone = false;
    const done = () => {
      isDone = true;
    };
    work.then(done, done);
    await this.until(() => isDone, msMax);
    if (isDone) await work;
  }

  /**
   * Lets so much time pass as for a machine that sleeps for up to ten minutes at a time: what is
   * due meanwhile is done once when it wakes. For hours in which nothing happens.
   */
  async leap(ms: number): Promise<void> {
    for (const endMs = this.nowMs + ms; this.nowMs < endMs; ) {
      await this.#settle();
      this.clock.advance(Math.min(LEAP_MS, endMs - this.nowMs));
      this.#endDue();
    }
    await this.#settle();
  }

  /** Goes to the next wait that is over by then, or to the end. Returns whether there is more. */
  #step(endMs: number): Promise<boolean> {
    // One at a time, whoever waits: time moves when all is at rest.
    const step = this.#lastStep.then(() => this.#goOn(endMs));
    this.#lastStep = step;
    return step;
  }

  async #goOn(endMs: number): Promise<boolean> {
    await this.#settle();
    const dueAtMs = [...this.#running].map(({ nextDueAtMs }) => nextDueAtMs ?? Number.POSITIVE_INFINITY);
    const nextMs = Math.max(this.nowMs, Math.min(endMs, ...dueAtMs));
    this.clock.advance(nextMs - this.nowMs);
    this.#endDue();
    if (nextMs < endMs) return true;
    await this.#settle();
    return false;
  }

  #endDue(): void {
    for (const timers of this.#running) timers.advance(0);
  }

  async #settle(): Promise<void> {
    do {
      await Promise.all(this.#working);
      await new Promise(setImmediate);
    } while (this.#working.size > 0);
  }
}

/**
 * Returns the same store whose work the machine waits for. What is asked after `isDead` is never
 * answered, as nothing is to a process that was killed.
 */
export function watched<Store extends object>(store: Store, machine: Machine, isDead = () => false): Store {
  return Object.fromEntries(
    Object.entries(store).map(([name, member]) => {
      if (typeof member === 'object' && member !== null) return [name, watched(member, machine, isDead)];
      if (typeof member !== 'function') return [name, member];
      const method = (...args: unknown[]) => {
        if (isDead()) return new Promise(() => {});
        const answer = member.apply(store, args);
        if (!(answer instanceof Promise)) return answer;
        return machine.during(answer).then((value) => (isDead() ? new Promise(() => {}) : value));
      };
      return [name, method];
    }),
  ) as Store;
}
