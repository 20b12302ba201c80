import { createHistogram } from 'node:perf_hooks';
import type { Stopwatch } from '#ports/stopwatch';

/**
 * How long a window of measurements is. A report covers the running window and the one before it.
 */
const LATENCY_WINDOW_MS = 5 * 60_000;

/** Durations of the last five to ten minutes, in milliseconds; null if there were none. */
export interface LatencyReport {
  readonly count: number;
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
}

/** Measures how long answers take, in constant memory. */
export class Latency {
  readonly #stopwatch: Stopwatch;
  #current = createHistogram();
  #previous = createHistogram();
  #windowStartedMs: number;

  constructor(stopwatch: Stopwatch) {
    this.#stopwatch = stopwatch;
    this.#windowStartedMs = stopwatch.elapsedMs();
  }

  /** Returns the function with its durations measured; calls that reject count too. */
  timed<Args extends unknown[], Result>(run: (...args: Args) => Promise<Result>): (...args: Args) => Promise<Result> {
    return async (...args) => {
      const startedMs = this.#stopwatch.elapsedMs();
      try {
        return await run(...args);
      } finally {
        this.#record(this.#stopwatch.elapsedMs() - startedMs);
      }
    };
  }

  report(): LatencyReport {
    this.#rotate();
    const both = createHistogram();
    both.add(this.#previous);
    both.add(this.#current);
    const percentile = (p: number) => (both.count === 0 ? null : Math.round(both.percentile(p) / 10) / 100);
    return { count: both.count, p50Ms: percentile(50), p95Ms: percentile(95) };
  }

  #record(ms: number): void {
    this.#rotate();
    // The histogram counts whole numbers from 1 on: microseconds.
    this.#current.record(Math.max(1, Math.round(ms * 1e3)));
  }

  #rotate(): void {
    const windows = Math.floor((this.#stopwatch.elapsedMs() - this.#windowStartedMs) / LATENCY_WINDOW_MS);
    if (windows === 0) return;
    this.#previous = windows === 1 ? this.#current : createHistogram();
    this.#current = createHistogram();
    this.#windowStartedMs += windows * LATENCY_WINDOW_MS;
  }
}
