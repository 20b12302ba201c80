import type { Clock } from '#system/clock';
import type { Random } from '#system/random';
import type { Timers } from '#system/timers';

/** Time, chance and waiting of the machine or the browser that the client runs in. */
export interface ClientSystem {
  readonly clock: Clock;
  readonly random: Random;
  readonly timers: Timers;
}

/** What is to end later than any timer runs would end at once. */
const TIMER_MS_MAX = 2 ** 31 - 1;

/**
 * The real ones, from what Node and browsers share. A wait keeps the process alive: somebody waits
 * for its end.
 */
export const clientSystem: ClientSystem = {
  clock: { nowMs: () => Date.now(), elapsedMs: () => performance.now() },
  random: { next: () => Math.random(), bytes: (count) => crypto.getRandomValues(new Uint8Array(count)) },
  timers: {
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        const end = () => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', end);
          resolve();
        };
        const timer = setTimeout(end, Math.min(ms, TIMER_MS_MAX));
        signal?.addEventListener('abort', end, { once: true });
      }),
    after(ms, due) {
      const timer = setTimeout(due, Math.min(ms, TIMER_MS_MAX));
      return () => clearTimeout(timer);
    },
  },
};
