import { lmdbRatingsPath } from '#adapters/lmdb/ratings/ratings-store';
import { SCHEMA_VERSION } from '#adapters/postgres/schema-version';
import { bytesOf, freeBytes } from '#adapters/process/disk-space';
import { systemTimers } from '#adapters/process/system-timers';
import { ROW_VERSION } from '#adapters/rows/row-fields';
import { PRODUCT_VERSION } from '#api/mcp-facts';
import type { StatusReport } from '#api/status';
import type { Config } from '#config/config';
import { watchEventLoop } from '#http/observe/event-loop-lag';
import type { BuildInfo } from '#http/observe/event-metrics';
import { createMetrics, type Metrics } from '#http/observe/metrics';
import { createMetricsServer } from '#http/observe/metrics-server';
import type { StreamsReport } from '#http/streams/stream-places';
import type { Clock } from '#ports/clock';
import { DiskUse } from '#services/status/disk-use';
import { lastBackupMs } from './backup-mark.js';
import { creditsPath } from './credits.js';
import { tapePath } from './tape.js';

/** What operators see of the service, wired and not yet at work. */
export interface Observation {
  readonly metrics: Metrics;
  /** Rejects if the address is taken or not allowed. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

interface ObservedService {
  readonly clock: Clock;
  readonly status: () => Promise<StatusReport>;
  readonly streams: () => StreamsReport;
  readonly facilitators: readonly { readonly name: string }[];
}

/** Returns what runs here, for metrics and the log of a start. */
export function buildInfoOf({ storeUrl }: Pick<Config, 'storeUrl'>): BuildInfo {
  return storeUrl === null
    ? { version: PRODUCT_VERSION, store: 'embedded', schema: ROW_VERSION }
    : { version: PRODUCT_VERSION, store: 'postgresql', schema: SCHEMA_VERSION };
}

/** Wires the metrics and their door; null: nobody wants them, and nothing is counted. */
export function observe(config: Config, { clock, status, streams, facilitators }: ObservedService): Observation | null {
  if (config.metrics === null) return null;
  const { host, port } = config.metrics;
  const { dataDir, storeUrl } = config;
  const diskUse = new DiskUse({
    bytesOf,
    storePaths: storeUrl === null ? [creditsPath(dataDir), lmdbRatingsPath(dataDir)] : [],
    tapePath: tapePath(dataDir),
    lastBackupMs: () => lastBackupMs(dataDir),
    timers: systemTimers,
  });
  const metrics = createMetrics({
    status,
    streams,
    disk: () => diskUse.report(),
    freeBytes: () => freeBytes(dataDir),
    build: buildInfoOf(config),
    facilitators: facilitators.map(({ name }) => name),
  });
  const server = createMetricsServer(metrics, systemTimers);
  let stopWatching = () => {};
  return {
    metrics,
    async start() {
      await diskUse.start();
      const deps = { stopwatch: clock, timers: systemTimers };
      stopWatching = watchEventLoop(deps, (lagMs) => metrics.eventLoopLagged(lagMs));
      await server.listen(port, host);
    },
    async stop() {
      stopWatching();
      diskUse.stop();
      await server.stop();
    },
  };
}
