import type { Stopwatch } from '#system/stopwatch';
import type { Timers } from '#system/timers';

/** How long something may take. */
export interface Limit {
  readonly timers: Timers;
  readonly ms: number;
}

/**
 * Resolves as `work` does, or as `late` does (or rejects as it throws) when the work takes longer
 * than the limit. The work itself goes on; `late` is not called for work that was done in time.
 */
export function withTimeout<Done, Late>(
  work: Promise<Done>,
  { timers, ms }: Limit,
  late: () => Late,
): Promise<Done | Late> {
  return new Promise((resolve, reject) => {
    const cancel = timers.after(ms, () => {
      try {
        resolve(late());
      } catch (error) {
        reject(error);
      }
    });
    work.then(
      (done) => {
        cancel();
        resolve(done);
      },
      (error: unknown) => {
        cancel();
        reject(error);
      },
    );
  });
}

/** Work, and when it is late. */
interface Wait {
  readonly dueMs: number;
  /** Null once the work is done: what was done long ago would else be kept alive by the list. */
  end: (() => void) | null;
}

/**
 * Returns `within` for work that comes by the thousand and nearly always is in time: one timer
 * stands for all of it. `givenUp` is called when it was not, or failed.
 */
export function withTimeoutEach<Late>(
  { timers, stopwatch, ms }: Limit & { readonly stopwatch: Stopwatch },
  late: () => Late,
): <Done>(work: Promise<Done>, givenUp?: () => void) => Promise<Done | Late> {
  const waits = new WaitsInTurn();
  let isLooking = false;

  function lookAfter(waitMs: number): void {
    isLooking = true;
    timers.after(waitMs, () => {
      const nextMs = waits.endUntil(stopwatch.elapsedMs());
      if (nextMs === null) isLooking = false;
      else lookAfter(nextMs);
    });
  }

  return <Done>(work: Promise<Done>, givenUp?: () => void) =>
    new Promise<Done | Late>((resolve, reject) => {
      const end = () => {
        givenUp?.();
        try {
          resolve(late());
        } catch (error) {
          reject(error);
        }
      };
      const wait: Wait = { dueMs: stopwatch.elapsedMs() + ms, end };
      waits.push(wait);
      if (!isLooking) lookAfter(ms);
      work.then(
        (done) => {
          waits.remove(wait);
          resolve(done);
        },
        (error: unknown) => {
          waits.remove(wait);
          givenUp?.();
          reject(error);
        },
      );
    });
}

/** Of those in the list: where one is always open it is else never cut. */
const REMOVED_HELD_MAX = 10_000;

/**
 * Waits in the order in which they began, which is the order in which they are late. No Set: one
 * that lives long leaves tables behind that keep young objects alive, which costs more than the
 * work itself.
 */
class WaitsInTurn {
  #waits: Wait[] = [];
  /** Those before are removed. */
  #first = 0;

  push(wait: Wait): void {
    this.#waits.push(wait);
  }

  remove(wait: Wait): void {
    wait.end = null;
    while (this.#waits[this.#first]?.end === null) this.#first++;
    if (this.#first < this.#waits.length && this.#first < REMOVED_HELD_MAX) return;
    this.#waits = this.#waits.slice(this.#first);
    this.#first = 0;
  }

  /**
   * Ends those that are due, and returns in how many milliseconds the next one is; null: none
   * waits.
   */
  endUntil(nowMs: number): number | null {
    for (;;) {
      const wait = this.#waits[this.#first];
      if (wait === undefined) return null;
      if (wait.dueMs > nowMs) return wait.dueMs - nowMs;
      wait.end?.();
      this.remove(wait);
    }
  }
}
