import type { Stopwatch } from '#system/stopwatch';
import type { Timers } from '#system/timers';

/** Often enough to see what holds up a request, and seldom enough to cost nothing. */
const SAMPLE_INTERVAL_MS = 100;

export interface LagDeps {
  readonly stopwatch: Stopwatch;
  readonly timers: Timers;
}

/**
 * Tells by how many milliseconds a timer of 100 ms came too late, again and again. Returns how to
 * end it.
 */
export function watchEventLoop({ stopwatch, timers }: LagDeps, report: (lagMs: number) => void): () => void {
  const stopping = new AbortController();
  async function watch(): Promise<void> {
    while (!stopping.signal.aborted) {
      const startedMs = stopwatch.elapsedMs();
      await timers.sleep(SAMPLE_INTERVAL_MS, stopping.signal);
      if (!stopping.signal.aborted) report(Math.max(0, stopwatch.elapsedMs() - startedMs - SAMPLE_INTERVAL_MS));
    }
  }
  void watch();
  return () => stopping.abort();
}
