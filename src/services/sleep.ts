/** Waits. Resolves early when the signal is aborted. Tests bring their own, so that they own the time. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

/** Waits by the timer of the process; a wait does not keep it alive. */
export const timerSleep: Sleep = (ms, signal) =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    timer.unref();
    signal.addEventListener('abort', end, { once: true });
  });
