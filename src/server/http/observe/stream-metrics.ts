import { Counter, Gauge, type Registry } from 'prom-client';
import type { StreamsReport } from '../streams/stream-slots.js';
import { PREFIX } from './event-metrics.js';

/** Puts the event streams of the demo lane into the metrics, as they are when these are read. */
export function observeStreams(registry: Registry, report: () => StreamsReport): void {
  new Gauge({
    name: `${PREFIX}demo_streams`,
    help: 'Event streams of the demo lane that are open.',
    registers: [registry],
    collect() {
      this.set(report().open);
    },
  });
  new Counter({
    name: `${PREFIX}demo_streams_refused_total`,
    help: 'Event streams of the demo lane that were refused: too many in all, or of one customer.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(report().refused);
    },
  });
}
