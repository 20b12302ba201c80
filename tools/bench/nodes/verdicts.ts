import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Load, load } from '../http-load.js';
import type { ServiceFacts, VenueFacts } from '../http-server.js';
import { startServer } from '../http-server-child.js';
import type { Child } from '../support/children.js';
import { show, table } from '../support/report.js';
import { interleave, medianRatio, medians, type Variant } from '../support/rounds.js';
import { checkVerdict, firstVerdict, pathsOf } from '../support/verdict-paths.js';

const REPLICAS = [1, 2, 3] as const;
/** Of all replicas together; with more, one replica refuses what waits too long for the database. */
const CONNECTIONS = 24;
const HOT_MARKETS = 8;
const ROUNDS = 6;
const ROUND_S = 1.5;
const WARM_UP = 1_000;

const ONE_NODE = 'one node on LMDB';
const nameOf = (count: number) => `${count} replica${count === 1 ? '' : 's'} on PostgreSQL`;

/** All of the replicas that answered, as if they were one; CPU is of a verdict. */
type Together = Pick<Load, 'perSecond' | 'p50Ms' | 'p99Ms' | 'cpuMicros'>;

/**
 * Measures verdicts over HTTP by replicas that share a database and the callers, all of one wallet,
 * and by one node by itself. All of them, the database and the callers have the same processors.
 * `dataDir` has the keys of the database.
 */
export async function verdictsByReplicas(storeUrl: string, dataDir: string): Promise<string> {
  const venue = await startServer<VenueFacts>({ role: 'venue' });
  const role = { role: 'service', venue: { ...venue.ready, markets: [] }, timesVenue: false } as const;
  const folder = (name: string) => {
    const path = join(dataDir, name);
    mkdirSync(path);
    return path;
  };
  const alone = await startServer<ServiceFacts>({ ...role, dataDir: folder('alone') });
  const shared = { storeUrl, keysDir: dataDir };
  const replicas: Child<ServiceFacts>[] = [];
  for (const n of REPLICAS)
    replicas.push(await startServer<ServiceFacts>({ ...role, dataDir: folder(`replica-${n}`), shared }));
  const paths = pathsOf(venue.ready, HOT_MARKETS);
  const token = replicas[0]!.ready.token!;
  const variants = [
    await together(ONE_NODE, [alone], paths, alone.ready.token!),
    ...(await Promise.all(REPLICAS.map((count) => together(nameOf(count), replicas.slice(0, count), paths, token)))),
  ];
  const loads = await interleave('verdicts of replicas', variants, ROUNDS);
  for (const child of [alone, ...replicas, venue]) await child.stop();
  return tableOf(loads);
}

/** Asks all of them at once, each as much as it answered before. */
async function together(
  name: string,
  replicas: readonly Child<ServiceFacts>[],
  paths: readonly string[],
  token: string,
): Promise<Variant<Together>> {
  const connections = CONNECTIONS / replicas.length;
  const run = (requests: number) =>
    Promise.all(replicas.map((replica) => load(replica, { paths, token, connections, requests }, checkVerdict)));
  for (const { ready } of replicas) await firstVerdict(ready.url, paths, token);
  const warm = await run(WARM_UP);
  const requests = Math.ceil((sumOf(warm) / replicas.length) * ROUND_S) + connections;
  return {
    name,
    async run() {
      const all = await run(requests);
      return { ...medians(all), perSecond: sumOf(all) };
    },
  };
}

const sumOf = (loads: readonly Load[]) => loads.reduce((sum, { perSecond }) => sum + perSecond, 0);

function tableOf(loads: ReadonlyMap<string, readonly Together[]>): string {
  const first = loads.get(ONE_NODE)!;
  const rows = [...loads].map(([name, all]) => {
    const { perSecond, p50Ms, p99Ms, cpuMicros } = medians(all);
    const ratio = medianRatio(all, first, (one) => one.perSecond);
    return [name, show(perSecond), show(ratio), `${show(p50Ms)}/${show(p99Ms)}`, show(cpuMicros)];
  });
  return table([`${CONNECTIONS} connections`, 'verdicts/s', 'x one node', 'p50/p99 ms', 'CPU µs'], rows);
}
