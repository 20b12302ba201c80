import { loadavg } from 'node:os';
import { load } from './http-load.js';
import type { ServerRole, ServiceFacts, VenueFacts } from './http-server.js';
import { guessCodes, type Overload, overload, type Served, serveBesideCrowd } from './load-clients.js';
import { type Child, startChild } from './support/children.js';
import { withDataDir } from './support/data-dir.js';
import { atLeast, atMost, type Goal, type Section, show, table } from './support/report.js';
import { median, progress } from './support/rounds.js';

const CONNECTIONS = 64;
/** So many times what the service can do is asked of it. */
const TIMES = 2;
const OVERLOAD_S = 8;
/** So many before the service and the load generator are as quick as they will be. */
const WARM_REQUESTS = 20_000;
const ROUNDS = 3;
/** A few hundred can all be served, each waiting a little; thousands cannot. */
const CALLERS = 400;
const CALLERS_OF_CROWD = 2_000;
const WRONG_CODES = 3_000;

const start = <Ready>(role: ServerRole) => startChild<Ready>(new URL('./http-server.js', import.meta.url), role);

/**
 * Measures what becomes of honest callers when there is more to do than can be done, and when one
 * address holds all it can.
 */
export function benchLoad(): Promise<Section> {
  return withDataDir(async (dataDir) => {
    const venue = await start<VenueFacts>({ role: 'venue' });
    const role = { role: 'service', dataDir, venue: venue.ready, timesVenue: false } as const;
    const behindProxy = await start<ServiceFacts>({ ...role, trustedProxies: '127.0.0.1' });
    const overs = await measureOverload(behindProxy, venue.ready);
    await behindProxy.stop();
    const direct = await start<ServiceFacts>(role);
    progress('load: a crowd of sockets');
    const served = await serveBesideCrowd(direct.ready.url);
    progress('load: wrong codes');
    const guesses = await guessCodes(direct.ready.url, WRONG_CODES);
    for (const child of [direct, venue]) await child.stop();
    return { title: 'Load', texts: texts(overs, served, guesses), goals: goalsOf(overs, served, guesses.judged) };
  });
}

async function measureOverload(service: Child<ServiceFacts>, { markets }: VenueFacts): Promise<Overload[]> {
  const token = service.ready.token!;
  const paths = markets.slice(0, 8).map(({ tokenIds }) => `/api/preflight_trade?token_id=${tokenIds[0]}&usd=100`);
  const run = (requests: number) =>
    load(service, { paths, token, connections: CONNECTIONS, requests }, () => undefined);
  progress('load: capacity');
  await run(WARM_REQUESTS);
  const rates: number[] = [];
  for (let n = 0; n < ROUNDS; n++) rates.push((await run(WARM_REQUESTS)).perSecond);
  const perSecond = median(rates);
  const overs: Overload[] = [];
  for (const callers of [CALLERS, CALLERS_OF_CROWD]) {
    progress(`load: ${show(TIMES * perSecond)} requests/s by ${show(callers)} callers for ${OVERLOAD_S} s`);
    const options = { callers, paths, token, capacity: perSecond, times: TIMES, seconds: OVERLOAD_S };
    overs.push(await overload(service.ready.url, options));
  }
  return overs;
}

function texts(
  overs: readonly Overload[],
  served: Served,
  guesses: { readonly judged: number; readonly refused: number },
): string[] {
  const [oneMinute] = loadavg();
  const row = (name: string, measured: (over: Overload) => string) => [name, ...overs.map(measured)];
  return [
    table(
      [`load average ${show(oneMinute ?? 0)} at the end`, ...overs.map(({ callers }) => `${show(callers)} callers`)],
      [
        row('requests/s that can be done', ({ capacity }) => show(capacity)),
        row('asked, of that', ({ requested, capacity }) => `${show(requested / capacity)} x`),
        row('accepted, of that', ({ accepted, capacity }) => `${show(accepted / capacity)} x`),
        row('accepted: p50/p99 ms', (over) => `${show(over.acceptedP50Ms)}/${show(over.acceptedP99Ms)}`),
        row('refused as overloaded: p50/p99 ms', (over) =>
          over.accepted === over.requested ? 'none' : `${show(over.refusedP50Ms)}/${show(over.refusedP99Ms)}`,
        ),
        row(
          '/healthz over a new connection: p50/p99 ms',
          (over) => `${show(over.newcomerP50Ms)}/${show(over.newcomerP99Ms)}`,
        ),
        row('neither (connection lost, other statuses)', ({ others }) => show(others)),
      ],
    ),
    table(
      ['beside a crowd of sockets, and wrong codes', 'measured'],
      [
        [
          `new clients beside ${show(served.sockets)} sockets of one address: p50/max ms`,
          `${show(served.p50Ms)}/${show(served.maxMs)}`,
        ],
        ['new clients that got no answer', show(served.failed)],
        [`of ${show(WRONG_CODES)} wrong codes at once: judged; refused`, `${guesses.judged}; ${show(guesses.refused)}`],
      ],
    ),
  ];
}

function goalsOf([over, crowd]: readonly Overload[], served: Served, judged: number): Goal[] {
  return [
    {
      path: `accepted of ${CALLERS} callers`,
      goal: atLeast(0.8),
      measured: over!.accepted / over!.capacity,
      unit: 'x',
    },
    {
      path: `accepted of ${show(CALLERS_OF_CROWD)} callers`,
      goal: atLeast(0.2),
      measured: crowd!.accepted / crowd!.capacity,
      unit: 'x',
    },
    { path: 'accepted at twice the load, p99', goal: atMost(500), measured: crowd!.acceptedP99Ms, unit: 'ms' },
    { path: 'refused at twice the load, p50', goal: atMost(100), measured: crowd!.refusedP50Ms, unit: 'ms' },
    { path: 'new connection at twice the load, p50', goal: atMost(500), measured: crowd!.newcomerP50Ms, unit: 'ms' },
    { path: 'new client beside a crowd of sockets, slowest', goal: atMost(1_000), measured: served.maxMs, unit: 'ms' },
    { path: 'wrong codes judged in a minute', goal: atMost(20), measured: judged, unit: 'guesses' },
  ];
}
