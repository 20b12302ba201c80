import { cpSync, renameSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { hasTape, tapePath } from '#compose/tape';
import type { Env } from '#config/config';
import type { VenueUrls } from '#config/venue-urls';
import type { Log } from '#ports/log';
import { freeLowPort } from '../free-low-port.js';
import { openStage, type StageOptions } from '../stage.js';
import type { ExampleWallet } from '../venue/history/example-wallets.js';
import { recordWalletHistory } from '../wallet-history.js';
import { welcome } from '../welcome.js';
import { createProxy, type Target } from './proxy.js';
import type { ReplicaOptions } from './replica.js';
import { type ReplicaLocation, replicaEnv, replicaScript } from './replica-env.js';
import { Replicas } from './replicas.js';
import { openSharedStore } from './shared-store.js';

const REPLICA_IDS = ['a', 'b', 'c'] as const;

export interface ClusterOptions extends StageOptions {
  /** Of this process: replicas get what is not about where they are. */
  readonly env: Env;
}

/** A running cluster. */
export interface Cluster {
  /** What to show a person. */
  readonly welcome: string;
  readonly log: Log;
  /** Restarts the replicas one after the other. */
  roll(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts what the local profile starts, with three replicas of the service on one PostgreSQL behind
 * a proxy in the place of one process, and writes local.json for scripts. Rejects in one sentence
 * where no PostgreSQL can run.
 */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { config, env, print } = options;
  const stage = await openStage(options);
  let targets: () => readonly Target[] = () => [];
  const proxy = createProxy(() => targets());
  await listenOn(proxy, config);
  print('starting PostgreSQL');
  const store = await openSharedStore(config);
  const locations = await Promise.all(REPLICA_IDS.map((id) => locationOf(id, config.dataDir)));
  if (config.walletJobs !== 'off' && config.venue === null) {
    print('recording the history of the local wallets');
    await recordTapes(locations, stage.venueUrls, stage.exampleWallets);
  }
  print('starting the replicas');
  const script = replicaScript(stage.notReal);
  const replicaOptions = locations.map(
    (location): ReplicaOptions => ({ ...location, script, env: replicaEnv(env, stage.config, location, store) }),
  );
  const replicas = await Replicas.start(replicaOptions, { print, changed: () => writeFacts() });
  targets = replicas.targets;
  const writeFacts = () => stage.writeFacts(store.promoCode, { replicas: replicas.facts() });
  writeFacts();
  const logFile = join(config.dataDir, 'replicas', '*', 'preflight.log');
  return {
    welcome: welcome({ ...stage.welcomeFacts(store.promoCode), logFile, replicas: replicas.facts() }),
    log: stage.log,
    roll: () => replicas.roll(),
    async stop() {
      await closeWhenIdle(proxy);
      await replicas.stop();
      await store.stop();
      await stage.stop();
    },
  };
}

async function locationOf(id: string, dataDir: string): Promise<ReplicaLocation> {
  return { id, port: await freeLowPort(), folder: join(dataDir, 'replicas', id) };
}

/** Requests on the way have as long as a replica gives them itself. */
const STOP_MS_MAX = 10_000;
const LOOK_AGAIN_MS = 50;

/** Rejects if the port is taken or not allowed. */
function listenOn(server: Server, { port, host }: { readonly port: number; readonly host: string }) {
  return new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** Takes no more connections, and waits for the answers that are on the way. */
async function closeWhenIdle(server: Server): Promise<void> {
  let closed = false;
  server.close(() => {
    closed = true;
  });
  for (let waitedMs = 0; !closed && waitedMs < STOP_MS_MAX; waitedMs += LOOK_AGAIN_MS) {
    server.closeIdleConnections();
    await sleep(LOOK_AGAIN_MS);
  }
  server.closeAllConnections();
}

/**
 * Gives each replica a tape of its own with the past of the simulated wallets: any of them may have
 * to rate them. It is recorded once, and copied to those that have none; a copy is moved to its
 * place when it is whole.
 */
async function recordTapes(
  locations: readonly { readonly folder: string }[],
  venue: VenueUrls,
  wallets: readonly ExampleWallet[],
): Promise<void> {
  const [first, ...others] = locations.map(({ folder }) => folder);
  await recordWalletHistory(first!, venue, wallets);
  for (const folder of others) {
    if (hasTape(folder)) continue;
    const copy = `${tapePath(folder)}.copy`;
    rmSync(copy, { recursive: true, force: true });
    cpSync(tapePath(first!), copy, { recursive: true });
    renameSync(copy, tapePath(folder));
  }
}
