import type { Timers } from '#system/timers';

/** The timers of the process. */
export const systemTimers: Timers = {
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const end = () => {
        cancel();
        signal?.removeEventListener('abort', end);
        resolve();
      };
      const cancel = systemTimers.after(ms, end);
      signal?.addEventListener('abort', end, { once: true });
    }),
  after(ms, due) {
    const timer = setTimeout(due, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
