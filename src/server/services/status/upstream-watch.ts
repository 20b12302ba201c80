import type { Upstream } from '#ports/venue';
import type { Clock } from '#system/clock';
import type { Timers } from '#system/timers';

/** An upstream without a good answer for this long is asked for one, as often. */
export const WATCH_INTERVAL_MS = 10_000;

export interface UpstreamWatchDeps {
  readonly upstreams: readonly Upstream[];
  readonly clock: Clock;
  readonly timers: Timers;
}

/** At work from `start` to `stop`. */
export type UpstreamWatch = Readonly<Record<'start' | 'stop', () => void>>;

/**
 * Asks every upstream at once and then those that are idle, so that /status.json neither shows an
 * old error of one that works again, nor calls one well that nobody has needed for hours.
 */
export function watchUpstreams({ upstreams, clock, timers }: UpstreamWatchDeps): UpstreamWatch {
  const stopping = new AbortController();
  const isIdle = (upstream: Upstream) => {
    const { ok, lastOkAtMs } = upstream.health();
    return ok !== true || lastOkAtMs === null || Math.abs(clock.nowMs() - lastOkAtMs) >= WATCH_INTERVAL_MS;
  };
  async function watch(): Promise<void> {
    while (!stopping.signal.aborted) {
      await Promise.all(upstreams.filter(isIdle).map((upstream) => upstream.probe()));
      await timers.sleep(WATCH_INTERVAL_MS, stopping.signal);
    }
  }
  return { start: () => void watch(), stop: () => stopping.abort() };
}
