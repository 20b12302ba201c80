import { createHistogram } from 'node:perf_hooks';
import type { MaybePromise } from '#domain/maybe-promise';
import type { Stopwatch } from '#system/stopwatch';

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

  /** Returns the function with its durations measured; calls that throw or reject count too. */
  timed<Arg, Result>(run: (arg: Arg) => MaybePromise<Result>): (arg: Arg) => MaybePromise<Result> {
    return (arg) => {
      const startedMs = this.#stopwatch.elapsedMs();
      let result: MaybePromise<Result> | undefined;
      try {
        result = run(arg);
      } finally {
        if (!(result instanceof Promise)) this.#recordSince(startedMs);
      }
      return result instanceof Promise ? result.finally(() => this.#recordSince(startedMs)) : result;
    };
  }

  report(): LatencyReport {
    this.#rotate(this.#stopwatch.elapsedMs());
    const both = createHistogram();
    both.add(this.#previous);
    both.add(this.#current);
    const percentile = (p: number) => (both.count === 0 ? null : Math.round(both.percentile(p) / 10) / 100);
    return { count: both.count, p50Ms: percentile(50), p95Ms: percentile(95) };
  }

  #recordSince(startedMs: number): void {
    const nowMs = this.#stopwatch.elapsedMs();
    this.#rotate(nowMs);
    const ms = nowMs - startedMs;
    // The histogram counts whole numbers from 1 on: microseconds.
    this.#current.record(Math.max(1, Math.round(ms * 1e3)));
  }

  #rotate(nowMs: number): void {
    const windows = Math.floor((nowMs - this.#windowStartedMs) / LATENCY_WINDOW_MS);
    if (windows === 0) return;
    this.#previous = windows === 1 ? this.#current : createHistogram();
    this.#current = createHistogram();
    this.#windowStartedMs += windows * LATENCY_WINDOW_MS;
  }
}
