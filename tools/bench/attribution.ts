import { warmPaths } from './http.js';
import { load } from './http-load.js';
import type { ServiceFacts, VenueFacts } from './http-server.js';
import { startServer } from './http-server-child.js';
import { attributionTable, type Column, columnOf } from './support/attribution-table.js';
import { withDataDir } from './support/data-dir.js';
import type { Profiled } from './support/profiled.js';
import type { Section } from './support/report.js';
import { progress } from './support/rounds.js';

const CONNECTIONS = [1, 16, 64] as const;
const WARM_UP = 6_000;
/** By its end the first board is made too, which is no part of a verdict. */
const FIRST_WARM_UP = 60_000;
const REQUESTS = 12_000;

/**
 * Says where the CPU of a verdict goes, by a profile of the service under load. The rows of a
 * column add up to its total.
 */
export function benchAttribution(): Promise<Section> {
  return withDataDir(async (dataDir) => {
    const venue = await startServer<VenueFacts>({ role: 'venue' });
    const service = await startServer<ServiceFacts>({
      role: 'service',
      dataDir,
      venue: venue.ready,
      timesVenue: false,
    });
    const token = service.ready.token!;
    const paths = await warmPaths(service.ready.url, venue.ready, token);
    await load(service, { paths, token, connections: CONNECTIONS.at(-1)!, requests: FIRST_WARM_UP }, () => undefined);
    const columns: Column[] = [];
    for (const connections of CONNECTIONS) {
      progress(`attribution: ${connections} connections`);
      const run = (requests: number) => load(service, { paths, token, connections, requests }, () => undefined);
      await run(connections === 1 ? WARM_UP / 4 : WARM_UP);
      const requests = connections === 1 ? REQUESTS / 4 : REQUESTS;
      await service.ask('profile');
      const { cpuMicros } = await run(requests);
      columns.push(columnOf((await service.ask('profiled')) as Profiled, cpuMicros, requests));
    }
    await service.stop();
    await venue.stop();
    const heads = CONNECTIONS.map((n) => `${n} connection${n === 1 ? '' : 's'}`);
    const what =
      'CPU µs of one debited verdict by what it is spent in, from profiles of the service; the profiler itself is in it. ' +
      'Native code counts as its caller’s; the other threads are those of the disk, of the collector and of the engine.';
    return { title: 'Where the CPU of a verdict goes', texts: [what, attributionTable(heads, columns)], goals: [] };
  });
}
