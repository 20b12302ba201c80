import type { StatusReport } from '#api/status';
import type { StatusHistory } from '#api/status-history';
import { type Latency, latencyOf } from './latency.js';
import { type ComponentDay, componentDays, type Strip, stripOf } from './strip.js';

/** All that is drawn of the last 24 hours. */
export interface Day {
  readonly strip: Strip;
  readonly components: Readonly<Record<string, ComponentDay>>;
  readonly latency: Latency | null;
}

/** Returns the day that ends with a report. */
export function dayOf(history: StatusHistory, { now, components }: Pick<StatusReport, 'now' | 'components'>): Day {
  const nowS = Date.parse(now) / 1e3;
  return {
    strip: stripOf(history, nowS),
    components: componentDays(history, Object.keys(components), nowS),
    latency: latencyOf(history, nowS),
  };
}
