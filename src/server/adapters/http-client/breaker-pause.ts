import type { IBackoff, IBackoffFactory } from 'cockatiel';
import type { Stopwatch } from '#system/stopwatch';

/**
 * Returns the pause of a circuit breaker, for `halfOpenAfter`. cockatiel compares a duration with
 * wall time, so that a clock set back by an hour would leave an upstream alone for an hour: this
 * one is endless until its time has elapsed, and then shorter than anything.
 */
export function breakerPause(stopwatch: Stopwatch, pauseMs: number): IBackoffFactory<unknown> {
  const next = (): IBackoff<unknown> => {
    const endsAtMs = stopwatch.elapsedMs() + pauseMs;
    return {
      next,
      get duration() {
        return stopwatch.elapsedMs() < endsAtMs ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
      },
    };
  };
  return { next };
}
