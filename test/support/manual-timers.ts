import type { Timers } from '#system/timers';
import type { ManualClock } from './manual-clock.js';

interface Wait {
  readonly dueAtMs: number;
  readonly due: () => void;
}

/**
 * Timers that go with a manual clock: a wait is over when so much time has passed, whatever wall
 * time is set to.
 */
export class ManualTimers implements Timers {
  readonly #clock: ManualClock;
  readonly #waits = new Set<Wait>();

  constructor(clock: ManualClock) {
    this.#clock = clock;
  }

  /** Waits that are not over. */
  get waiting(): number {
    return this.#waits.size;
  }

  /** When the next wait is over; null if there is none. */
  get nextDueAtMs(): number | null {
    return this.#waits.size === 0 ? null : Math.min(...[...this.#waits].map(({ dueAtMs }) => dueAtMs));
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const end = () => {
        cancel();
        signal?.removeEventListener('abort', end);
        resolve();
      };
      const cancel = this.after(ms, end);
      signal?.addEventListener('abort', end, { once: true });
    });
  }

  after(ms: number, due: () => void): () => void {
    const wait = { dueAtMs: this.#clock.elapsedMs() + ms, due };
    this.#waits.add(wait);
    return () => void this.#waits.delete(wait);
  }

  /** Moves the clock and ends what is due by then, in the order in which it is due. */
  advance(ms: number): void {
    this.#clock.advance(ms);
    const over = [...this.#waits].filter(({ dueAtMs }) => dueAtMs <= this.#clock.elapsedMs());
    // One that is over may cancel another.
    for (const wait of over.toSorted((a, b) => a.dueAtMs - b.dueAtMs)) if (this.#waits.delete(wait)) wait.due();
  }
}
