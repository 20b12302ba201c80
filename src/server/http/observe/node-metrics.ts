import { collectDefaultMetrics, type Registry } from 'prom-client';

/**
 * What goes through every open connection at each scrape, and ready-made percentiles of the event loop, which are NaN in the
 * first moment and begin anew with each scrape, whoever asks: `preflight_event_loop_lag_seconds` is a histogram.
 */
const LEFT_OUT = /^nodejs_active_|^nodejs_eventloop_lag_/;

/** What Node and the operating system say of the process. */
export function collectNodeMetrics(registry: Registry): void {
  collectDefaultMetrics({ register: registry });
  for (const { name } of registry.getMetricsAsArray()) if (LEFT_OUT.test(name)) registry.removeSingleMetric(name);
}
