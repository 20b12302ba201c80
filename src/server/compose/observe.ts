import { CREDITS_FILE_VERSION } from '#adapters/lmdb/file-versions';
import { lmdbRatingsPath } from '#adapters/lmdb/ratings/ratings-store';
import { SCHEMA_VERSION } from '#adapters/postgres/schema-version';
import { bytesOf } from '#adapters/process/disk-space';
import { PRODUCT_VERSION } from '#api/mcp-facts';
import type { Config } from '#config/config';
import { watchEventLoop } from '#http/observe/event-loop-lag';
import type { BuildInfo } from '#http/observe/event-metrics';
import { type Counters, createCounters, createMetrics } from '#http/observe/metrics';
import { createMetricsServer } from '#http/observe/metrics-server';
import { DiskUse } from '#services/status/disk-use';
import { lastBackupMs } from './backup-mark.js';
import { creditsPath } from './credits.js';
import type { Doors } from './doors.js';
import type { Outside } from './outside.js';
import { inOrder, type Part } from './parts.js';
import type { StatusModule } from './status.js';
import type { System } from './system.js';
import { tapePath } from './tape.js';

interface Observed {
  readonly meter: Counters;
  readonly outside: Pick<Outside, 'facilitators'>;
  readonly status: Pick<StatusModule, 'report' | 'freeBytes'>;
  readonly doors: Pick<Doors, 'streams'>;
}

/** Returns what runs here, for metrics and the log of a start. */
export function buildInfoOf({ storeUrl }: Pick<Config, 'storeUrl'>): BuildInfo {
  return storeUrl === null
    ? { version: PRODUCT_VERSION, store: 'embedded', schema: CREDITS_FILE_VERSION }
    : { version: PRODUCT_VERSION, store: 'postgresql', schema: SCHEMA_VERSION };
}

/** Returns where what happens is counted; null: nobody wants metrics, and nothing is counted. */
export function countersOf(config: Config, { facilitators }: Pick<Outside, 'facilitators'>): Counters | null {
  if (config.metrics === null) return null;
  return createCounters({ build: buildInfoOf(config), facilitators: facilitators.map(({ name }) => name) });
}

/** Wires what operators see of the service: the metrics, at a door of their own. */
export function observe(config: Config, { meter, outside, status, doors }: Observed, { clock, timers }: System): Part {
  const diskUse = diskUseOf(config, timers);
  const metrics = createMetrics({
    registry: meter.registry,
    status: status.report,
    streams: doors.streams,
    disk: () => diskUse.report(),
    freeBytes: status.freeBytes,
    facilitators: outside.facilitators.map(({ name }) => name),
  });
  const server = createMetricsServer(metrics, timers);
  let stopWatching = () => {};
  const watch = {
    start: () => {
      stopWatching = watchEventLoop({ stopwatch: clock, timers }, (lagMs) => meter.eventLoopLagged(lagMs));
    },
    stop: () => stopWatching(),
  };
  const { host, port } = config.metrics!;
  const door = { start: () => server.listen(port, host), stop: () => server.stop() };
  return inOrder([diskUse, watch, door]);
}

function diskUseOf({ dataDir, storeUrl }: Config, timers: System['timers']): DiskUse {
  return new DiskUse({
    bytesOf,
    storePaths: storeUrl === null ? [creditsPath(dataDir), lmdbRatingsPath(dataDir)] : [],
    tapePath: tapePath(dataDir),
    lastBackupMs: () => lastBackupMs(dataDir),
    timers,
  });
}
