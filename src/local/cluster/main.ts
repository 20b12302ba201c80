import { Command } from 'commander';
import { keepFilesPrivate } from '#compose/private-files';
import { readLocalConfig } from '#config/config';
import { stopOnSignal } from '#server/stop-on-signal';
import { endWithSentence, ignoreGoneReader, print } from '../terminal.js';
import { startCluster } from './cluster.js';

/** Longer than the stop of a replica, which is one part of it. */
const STOP_MS_MAX = 40_000;

/**
 * `npm run cluster`: the local profile with three replicas of the service on one PostgreSQL behind
 * a proxy.
 */
async function main(): Promise<void> {
  keepFilesPrivate();
  new Command('npm run cluster')
    .description('Start three replicas of Preflight on one PostgreSQL behind a proxy, beside a simulated venue.')
    .parse();
  ignoreGoneReader();
  const cluster = await startCluster({
    config: readLocalConfig(process.env),
    env: process.env,
    recording: null,
    speed: 1,
    hostileNames: false,
    mishaps: 0,
    anvilBin: process.env.ANVIL_BIN || null,
    print,
  });
  const stop = async () => {
    print('stopping');
    await cluster.stop();
    print('stopped');
  };
  stopOnSignal(cluster.log, stop, STOP_MS_MAX);
  process.on('SIGUSR2', () => void cluster.roll());
  console.log(cluster.welcome);
}

main().catch((error: NodeJS.ErrnoException) => endWithSentence(error, process.env.LOG_LEVEL === 'debug'));
