import { coldStart } from './cold-start.js';
import { type AtOneConnection, commitShare } from './commit-share.js';
import { crowdedVerdicts } from './http-crowd.js';
import { type Load, load } from './http-load.js';
import type { ServiceFacts, VenueFacts } from './http-server.js';
import { startServer as start } from './http-server-child.js';
import type { Child } from './support/children.js';
import { withDataDir } from './support/data-dir.js';
import { atLeast, atMost, type Goal, type Section, show, table } from './support/report.js';
import { interleave, medianRatio, medians, progress, type Variant } from './support/rounds.js';
import { checkVerdict, firstVerdict, pathsOf } from './support/verdict-paths.js';

const CONNECTIONS = [1, 16, 64] as const;
const ROUNDS = 6;
const ROUND_S = 1.5;
/** Of a round in which the commit is looked at. */
const REQUESTS_AT_ONE = 300;
/** Markets that are asked about under load; the others stay cold. */
const HOT_MARKETS = 8;
const SERVERS = [
  'verdict, credits lane, durable debit',
  'Express res.json, constant',
  'node:http, bytes ready',
] as const;
const [VERDICT, EXPRESS, BARE] = SERVERS;

type Servers = Readonly<Record<(typeof SERVERS)[number], Child<ServiceFacts>>>;

/** Measures verdicts end to end beside the least that Express and Node can do. */
export function benchHttp(): Promise<Section> {
  return withDataDir(async (dataDir) => {
    const venue = await start<VenueFacts>({ role: 'venue' });
    const role = { role: 'service', dataDir, venue: venue.ready } as const;
    const service = await start<ServiceFacts>({ ...role, timesVenue: false });
    const token = service.ready.token!;
    const paths = pathsOf(venue.ready, HOT_MARKETS);
    const body = await firstVerdict(service.ready.url, paths, token);
    const express = await start<ServiceFacts>({ role: 'express', body });
    const bare = await start<ServiceFacts>({ role: 'node:http', body });
    const loads = await loadAll({ [VERDICT]: service, [EXPRESS]: express, [BARE]: bare }, paths, token);
    const share = await commitShare(dataDir, atOneConnection(service, paths, token));
    for (const child of [service, express, bare]) await child.stop();
    progress('http: cold tokens');
    const cold = await coldStart(() => start({ ...role, timesVenue: true }), dataDir, venue.ready, paths, token);
    await venue.stop();
    const crowded = await crowdedVerdicts();
    const what =
      `Real 200 verdicts of ${body.length} bytes from the composed service against a venue with moving books, each debited ` +
      'on disk before it is answered; the floors answer with the same bytes.';
    return {
      title: 'Verdicts over HTTP',
      texts: [what, loadTable(loads), ...crowded.texts, share, ...cold.texts],
      goals: [...goalsOf(loads), ...crowded.goals, ...cold.goals],
    };
  });
}

/**
 * Asks once for everything that is asked for under load, so that its books are warm, and returns
 * the paths.
 */
export async function warmPaths(url: string, venue: VenueFacts, token: string): Promise<readonly string[]> {
  const paths = pathsOf(venue, HOT_MARKETS);
  await firstVerdict(url, paths, token);
  return paths;
}

function atOneConnection(service: Child<ServiceFacts>, paths: readonly string[], token: string): AtOneConnection {
  const p50Ms = async (requested: readonly string[], check: (body: string) => void) =>
    (await load(service, { paths: requested, token, connections: 1, requests: REQUESTS_AT_ONE }, check)).p50Ms;
  const examples = paths.map((path) => `${path}&sandbox=1`);
  return { verdict: () => p50Ms(paths, checkVerdict), example: () => p50Ms(examples, () => undefined) };
}

const warmUp = (connections: number) => 500 + 100 * connections;

/** The loads of all rounds, by server and number of connections. */
type Loads = Map<string, readonly Load[]>;

async function loadAll(servers: Servers, paths: readonly string[], token: string): Promise<Loads> {
  const loads: Loads = new Map();
  const balance = async () => (await servers[VERDICT].ask('balance')) as number;
  for (const connections of CONNECTIONS) {
    const before = await balance();
    let answered = 0;
    const run = async (name: (typeof SERVERS)[number], requests: number) => {
      const result = await load(servers[name], { paths, token, connections, requests }, checkVerdict);
      if (name === VERDICT) answered += result.answers;
      return result;
    };
    const variants: Variant<Load>[] = [];
    for (const name of SERVERS) {
      // The pace is that of the second run: the first one compiles, and rounds would be half as long.
      await run(name, warmUp(connections));
      const { perSecond } = await run(name, warmUp(connections));
      variants.push({ name, run: () => run(name, Math.ceil(perSecond * ROUND_S) + connections) });
    }
    const results = await interleave(`http, ${connections} connections`, variants, ROUNDS);
    for (const [name, all] of results) loads.set(`${name} ${connections}`, all);
    const debited = before - (await balance());
    if (debited !== answered) throw new Error(`${debited} credits were debited for ${answered} answers`);
    progress(`http: ${answered} answers, ${debited} debits`);
  }
  return loads;
}

function loadTable(loads: Loads): string {
  const cell = (all: readonly Load[]) => {
    const { perSecond, p50Ms, p99Ms, cpuMicros } = medians(all);
    return `${show(perSecond)} · ${show(p50Ms)}/${show(p99Ms)} · ${show(cpuMicros)}`;
  };
  const rows = SERVERS.map((name) => [name, ...CONNECTIONS.map((n) => cell(loads.get(`${name} ${n}`)!))]);
  const ratios = [EXPRESS, BARE].flatMap((floor) => [
    [`requests/s, of ${floor}`, ...CONNECTIONS.map((n) => show(ratioTo(loads, floor, n, perSecondOf)))],
    [`p99, x ${floor}`, ...CONNECTIONS.map((n) => show(ratioTo(loads, floor, n, p99Of)))],
    [`CPU, x ${floor}`, ...CONNECTIONS.map((n) => show(ratioTo(loads, floor, n, cpuOf)))],
  ]);
  return table(
    ['requests/s · p50/p99 ms · CPU µs', ...CONNECTIONS.map((n) => `${n} connection${n === 1 ? '' : 's'}`)],
    [...rows, ...ratios],
  );
}

const perSecondOf = ({ perSecond }: Load) => perSecond;
const p99Of = ({ p99Ms }: Load) => p99Ms;
const cpuOf = ({ cpuMicros }: Load) => cpuMicros;

function ratioTo(loads: Loads, floor: string, connections: number, of: (load: Load) => number): number {
  return medianRatio(loads.get(`${VERDICT} ${connections}`)!, loads.get(`${floor} ${connections}`)!, of);
}

function goalsOf(loads: Loads): Goal[] {
  const most = CONNECTIONS.at(-1)!;
  const { p99Ms, mainThreadMicros } = medians(loads.get(`${VERDICT} ${most}`)!);
  const path = `verdict with durable debit, ${most} connections`;
  return [
    {
      path: `${path}, of Express res.json`,
      goal: atLeast(1.5),
      measured: ratioTo(loads, EXPRESS, most, perSecondOf),
      unit: 'x',
    },
    { path: `${path}, p99`, goal: atMost(12), measured: p99Ms, unit: 'ms' },
    {
      path: `${path}, CPU of the main thread`,
      goal: atMost(45),
      measured: mainThreadMicros,
      unit: 'µs',
    },
  ];
}
