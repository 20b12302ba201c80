import type { Upstream } from '#ports/venue';
import type { Clock } from '#system/clock';
import type { Timers } from '#system/timers';

/** An upstream without a good answer for this long is asked for one. */
export const WATCH_INTERVAL_MS = 10_000;
/**
 * One with something wrong is asked as often as this whether it works again: by its own question,
 * so that no customer has to try it out.
 */
export const WATCH_FAILING_INTERVAL_MS = 1_000;

export interface UpstreamWatchDeps {
  readonly upstreams: readonly Upstream[];
  readonly clock: Clock;
  readonly timers: Timers;
}

/** At work from `start` to `stop`. */
export type UpstreamWatch = Readonly<Record<'start' | 'stop', () => void>>;

/**
 * Asks every upstream at once and then those that are idle or failing, each at its own pace, so that
 * one that works again is used again, and that /status.json neither shows an old error of it nor
 * calls one well that nobody has needed for hours.
 */
export function watchUpstreams({ upstreams, clock, timers }: UpstreamWatchDeps): UpstreamWatch {
  const stopping = new AbortController();
  const isDue = (upstream: Upstream) => {
    const { ok, lastOkAtMs, lastError } = upstream.health();
    if (ok !== true || lastError !== null || lastOkAtMs === null) return true;
    return Math.abs(clock.nowMs() - lastOkAtMs) >= WATCH_INTERVAL_MS;
  };
  async function watch(upstream: Upstream): Promise<void> {
    while (!stopping.signal.aborted) {
      if (isDue(upstream)) await upstream.probe();
      await timers.sleep(WATCH_FAILING_INTERVAL_MS, stopping.signal);
    }
  }
  return { start: () => upstreams.forEach((upstream) => void watch(upstream)), stop: () => stopping.abort() };
}
