import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { StatusReport } from '#api/status';

const PREFIX = 'preflight_';
/** In seconds: a verdict takes milliseconds, a settlement seconds. */
const DURATION_BUCKETS_S = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 2.5, 5, 10, 30];

/** What the door reports of an answer. `route` is the path of the table, never the URL. */
interface Answered {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly ms: number;
}

/** Figures for operators, in the text form of Prometheus. */
export interface Metrics {
  readonly contentType: string;
  answered(answer: Answered): void;
  text(): Promise<string>;
}

/**
 * Returns the metrics of one process: those of Node, a histogram of answers, and every number of
 * /status.json as a gauge that is named by its path there (`preflight_books_held`) and read when it
 * is asked for.
 */
export function createMetrics(status: () => Promise<StatusReport>): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: `${PREFIX}http_answer_duration_seconds`,
    help: 'Time from the head of a request to its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: DURATION_BUCKETS_S,
    registers: [registry],
  });
  const gaugeOf = createGauges(registry);
  return {
    contentType: registry.contentType,
    answered({ ms, ...labels }) {
      durations.observe(labels, ms / 1e3);
    },
    async text() {
      const { components, settlements, ...sections } = await status();
      const { facilitators, ...proofs } = settlements;
      for (const [component, { ok, last_ok_at: lastOkAt }] of Object.entries(components)) {
        // What was not tried has no figure: neither 0 nor NaN would be one.
        const isOk = gaugeOf('component_ok', 'component');
        if (ok === null) isOk.remove({ component });
        else isOk.set({ component }, ok ? 1 : 0);
        if (lastOkAt === null) continue;
        gaugeOf('component_last_ok_timestamp_seconds', 'component').set({ component }, Date.parse(lastOkAt) / 1e3);
      }
      for (const [facilitator, word] of Object.entries(facilitators)) {
        for (const [name, value] of Object.entries(word)) {
          gaugeOf(`settlements_${name}`, 'facilitator').set({ facilitator }, value);
        }
      }
      for (const [name, value] of numbersOf({ ...sections, settlements: proofs }))
        gaugeOf(name).set(value ?? Number.NaN);
      return registry.metrics();
    },
  };
}

/**
 * Every number of a report with the names on the way to it; null is a number that is not known now.
 */
export function numbersOf(report: object): readonly (readonly [string, number | null])[] {
  return Object.entries(report).flatMap(([key, value]): readonly (readonly [string, number | null])[] => {
    if (typeof value === 'number' || value === null) return [[key, value]];
    if (typeof value !== 'object') return [];
    return numbersOf(value).map(([name, number]) => [`${key}_${name}`, number] as const);
  });
}

function createGauges(registry: Registry) {
  const gauges = new Map<string, Gauge>();
  return (name: string, ...labelNames: string[]): Gauge => {
    const known = gauges.get(name);
    if (known !== undefined) return known;
    const help = `${name.replaceAll('_', ' ')}, as in /status.json`;
    const gauge = new Gauge({ name: PREFIX + name, help, labelNames, registers: [registry] });
    gauges.set(name, gauge);
    return gauge;
  };
}
