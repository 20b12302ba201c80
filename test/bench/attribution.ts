import { warmPaths } from './http.js';
import { load } from './http-load.js';
import type { ServiceFacts, VenueFacts } from './http-server.js';
import { startServer } from './http-server-child.js';
import { withDataDir } from './support/data-dir.js';
import { scaledTo } from './support/profile-parts.js';
import type { Profiled } from './support/profiled.js';
import { type Section, show, table } from './support/report.js';
import { progress } from './support/rounds.js';

const CONNECTIONS = [1, 16, 64] as const;
const WARM_UP = 6_000;
const REQUESTS = 12_000;

/** Says where the CPU of a verdict goes, by a profile of the service under load. The rows of a column add up to its total. */
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
    const what =
      'CPU µs of one debited verdict by what it is spent in, from profiles of the service; the profiler itself is in it. ' +
      'Native code counts as its caller’s; the other threads are those of the disk, of the collector and of the engine.';
    return { title: 'Where the CPU of a verdict goes', texts: [what, attributionTable(gathered(columns))], goals: [] };
  });
}

const TOTAL = 'all threads';
const OTHERS = 'other threads';
const REST = 'ours: the rest';
/** Rooms with less in every column are told together. */
const PART_MIN = 0.01;

type Column = ReadonlyMap<string, number>;

function columnOf({ mainMicros, parts }: Profiled, cpuMicros: number, requests: number): Column {
  const onClock = parts.reduce((sum, [, micros]) => sum + micros, 0);
  const main = Math.min(cpuMicros, (mainMicros ?? onClock) / requests);
  return new Map([...scaledTo(new Map(parts), main), [OTHERS, cpuMicros - main], [TOTAL, cpuMicros]]);
}

/** Returns the same columns with the small rooms in one row. */
function gathered(columns: readonly Column[]): readonly Column[] {
  const isSmall = (name: string) =>
    name.startsWith('ours: ') && columns.every((column) => (column.get(name) ?? 0) < column.get(TOTAL)! * PART_MIN);
  return columns.map((column) => {
    const whole = new Map([[REST, 0]]);
    for (const [name, micros] of column) {
      const row = isSmall(name) ? REST : name;
      whole.set(row, (whole.get(row) ?? 0) + micros);
    }
    return whole;
  });
}

/** The largest part at the most connections first, the total last. */
function attributionTable(columns: readonly Column[]): string {
  const last = columns.at(-1)!;
  const names = [...last.keys()].filter((name) => name !== TOTAL);
  names.sort((a, b) => (last.get(b) ?? 0) - (last.get(a) ?? 0));
  const cell = (column: Column, name: string) => {
    const micros = column.get(name) ?? 0;
    return `${show(micros)} · ${Math.round((micros / column.get(TOTAL)!) * 100)} %`;
  };
  const rows = [...names, TOTAL].map((name) => [name, ...columns.map((column) => cell(column, name))]);
  const head = CONNECTIONS.map((n) => `${n} connection${n === 1 ? '' : 's'}`);
  return table(['CPU µs · share', ...head], rows);
}
