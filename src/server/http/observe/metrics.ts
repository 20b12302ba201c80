import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { StatusReport } from '#api/status';
import type { StreamsReport } from '../streams/stream-slots.js';
import { type BuildInfo, createEventMetrics, type EventMetrics, PREFIX } from './event-metrics.js';
import { STATUS_METRICS, type StatusMetric } from './status-metrics.js';

/**
 * What goes through every open connection at each scrape, and ready-made percentiles of the event
 * loop, which are NaN in the first moment and begin anew with each scrape, whoever asks:
 * `preflight_event_loop_lag_seconds` is a histogram.
 */
const LEFT_OUT = /^nodejs_active_|^nodejs_eventloop_lag_/;

/** What is counted as it happens. */
export interface Counters extends EventMetrics {
  /** Where all metrics of the process are. */
  readonly registry: Registry;
}

/** Makes the metrics of Node and those that count what happens. `facilitators` are named. */
export function createCounters(facts: {
  readonly build: BuildInfo;
  readonly facilitators: readonly string[];
}): Counters {
  const registry = new Registry();
  collectNodeMetrics(registry);
  return { ...createEventMetrics(registry, facts), registry };
}

export interface MetricsDeps {
  readonly registry: Registry;
  readonly status: () => Promise<StatusReport>;
  /** Of the demo lane. */
  readonly streams: () => StreamsReport;
  /** What was last seen; nobody looks for a scrape. null: not known, or there is no such thing. */
  readonly disk: () => Readonly<Record<'storeBytes' | 'tapeBytes' | 'backupAtMs', number | null>>;
  /** On the disk of the data directory. */
  readonly freeBytes: () => Promise<number>;
  /** By their names. */
  readonly facilitators: readonly string[];
}

/** Figures for operators, in the text form of Prometheus (docs/operate.md, "Metrics"). */
export interface Metrics {
  readonly contentType: string;
  /** Rejects if they cannot be read. However many ask at once, it is looked once. */
  text(): Promise<string>;
}

/**
 * Returns the metrics of one process: those that are in the registry already, and the figures of
 * /status.json as they are when somebody asks.
 */
export function createMetrics({ registry, status, streams, disk, freeBytes, facilitators }: MetricsDeps): Metrics {
  observeStreams(registry, streams);
  const showStatus = STATUS_METRICS.map((metric) => shower(metric, registry));
  const showDisk = diskShower(registry);

  async function look(): Promise<string> {
    const [report, free] = await Promise.all([status(), freeBytes().catch(() => null)]);
    const whole = withAll(facilitators, report);
    for (const show of showStatus) show(whole);
    const { backupAtMs, ...bytes } = disk();
    showDisk({ ...bytes, freeBytes: free, backupAtS: backupAtMs === null ? null : backupAtMs / 1e3 });
    return registry.metrics();
  }
  let inFlight: Promise<string> | null = null;
  return {
    contentType: registry.contentType,
    text() {
      inFlight ??= look().finally(() => {
        inFlight = null;
      });
      return inFlight;
    },
  };
}

/**
 * A report names the facilitators alone of which something is to be told; of the others it is 0.
 */
function withAll(names: readonly string[], report: StatusReport): StatusReport {
  const nothing = names.map((name) => [name, { unproven_micros: 0, refuted_micros: 0 }] as const);
  const facilitators = { ...Object.fromEntries(nothing), ...report.settlements.facilitators };
  return { ...report, settlements: { ...report.settlements, facilitators } };
}

/** Returns what brings one metric to what a report says. */
function shower({ name, type, help, labels = [], read }: StatusMetric, registry: Registry) {
  const config = { name: PREFIX + name, help, labelNames: [...labels], registers: [registry] };
  const metric = type === 'gauge' ? new Gauge(config) : new Counter(config);
  return (report: StatusReport) => {
    const found = read(report);
    const samples = typeof found === 'number' ? [[{}, found] as const] : found;
    // What is no more in the report has no figure: neither 0 nor its last one would be one.
    metric.reset();
    for (const [values, value] of samples) metric.inc(values, value);
  };
}

function diskShower(registry: Registry) {
  const gauge = (name: string, help: string) => new Gauge({ name: PREFIX + name, help, registers: [registry] });
  const metrics = {
    storeBytes: gauge('store_bytes', 'Size of the embedded store, in bytes; none with a shared database.'),
    tapeBytes: gauge('tape_bytes', 'Size of the recorded trades, in bytes.'),
    freeBytes: gauge('disk_free_bytes', 'What is free on the disk of the data directory, in bytes.'),
    backupAtS: gauge(
      'backup_last_verified_timestamp_seconds',
      'When the last backup was made whose every row was checked, in seconds since the epoch; 0: none is known. None with a shared database.',
    ),
  };
  return (use: Readonly<Record<keyof typeof metrics, number | null>>) => {
    for (const [name, metric] of Object.entries(metrics)) {
      const value = use[name as keyof typeof metrics];
      if (value === null) metric.remove();
      else metric.set(value);
    }
  };
}

/** What Node and the operating system say of the process. */
function collectNodeMetrics(registry: Registry): void {
  collectDefaultMetrics({ register: registry });
  for (const { name } of registry.getMetricsAsArray()) if (LEFT_OUT.test(name)) registry.removeSingleMetric(name);
}

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
