import type { Stopwatch } from '#system/stopwatch';

export interface PaceLimits {
  readonly inFlightMax: number;
  readonly perSecondMax: number;
}

/**
 * Returns a way to make calls no more than so many at once and in a second; null: this one was not
 * made.
 */
export function createPace(
  stopwatch: Stopwatch,
  { inFlightMax, perSecondMax }: PaceLimits,
): <T>(call: () => Promise<T>) => Promise<T | null> {
  let inFlight = 0;
  let second = { startedAtMs: Number.NEGATIVE_INFINITY, calls: 0 };
  return async (call) => {
    const nowMs = stopwatch.elapsedMs();
    if (nowMs - second.startedAtMs >= 1_000) second = { startedAtMs: nowMs, calls: 0 };
    if (inFlight >= inFlightMax || second.calls >= perSecondMax) return null;
    second.calls++;
    inFlight++;
    try {
      return await call();
    } finally {
      inFlight--;
    }
  };
}
