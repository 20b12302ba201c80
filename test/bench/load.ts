import { loadavg } from 'node:os';
import { load } from './http-load.js';
import type { ServerRole, ServiceFacts, VenueFacts } from './http-server.js';
import { guessCodes, type Overload, overload, type Served, serveBesideCrowd } from './load-clients.js';
import { type Child, startChild } from './support/children.js';
import { withDataDir } from './support/data-dir.js';
import { atMost, type Goal, type Section, show, table } from './support/report.js';
import { progress } from './support/rounds.js';

const CONNECTIONS = 64;
/** So many times what the service can do is asked of it. */
const TIMES = 2;
const OVERLOAD_S = 10;
const WRONG_CODES = 3_000;

const start = <Ready>(role: ServerRole) => startChild<Ready>(new URL('./http-server.js', import.meta.url), role);

/** Measures what becomes of honest callers when there is more to do than can be done, and when one address holds all it can. */
export function benchLoad(): Promise<Section> {
  return withDataDir(async (dataDir) => {
    const venue = await start<VenueFacts>({ role: 'venue' });
    const role = { role: 'service', dataDir, venue: venue.ready, timesVenue: false } as const;
    const behindProxy = await start<ServiceFacts>({ ...role, trustedProxies: '127.0.0.1' });
    const over = await measureOverload(behindProxy, venue.ready);
    await behindProxy.stop();
    const direct = await start<ServiceFacts>(role);
    progress('load: a crowd of sockets');
    const served = await serveBesideCrowd(direct.ready.url);
    progress('load: wrong codes');
    const guesses = await guessCodes(direct.ready.url, WRONG_CODES);
    for (const child of [direct, venue]) await child.stop();
    return { title: 'Load', texts: [texts(over, served, guesses)], goals: goalsOf(over, served, guesses.judged) };
  });
}

async function measureOverload(service: Child<ServiceFacts>, { markets }: VenueFacts): Promise<Overload> {
  const token = service.ready.token!;
  const paths = markets.slice(0, 8).map(({ tokenIds }) => `/api/preflight_trade?token_id=${tokenIds[0]}&usd=100`);
  const run = (requests: number) =>
    load(service, { paths, token, connections: CONNECTIONS, requests }, () => undefined);
  progress('load: capacity');
  const warm = await run(5_000);
  const { perSecond } = await run(Math.ceil(warm.perSecond * 3));
  progress(`load: ${show(TIMES * perSecond)} requests/s for ${OVERLOAD_S} s`);
  return overload(service.ready.url, { paths, token, capacity: perSecond, times: TIMES, seconds: OVERLOAD_S });
}

function texts(over: Overload, served: Served, guesses: { readonly judged: number; readonly refused: number }): string {
  const [oneMinute] = loadavg();
  return table(
    [`load average ${show(oneMinute ?? 0)} at the end`, 'measured'],
    [
      ['requests/s that can be done', show(over.capacity)],
      ['asked, of that', `${show(over.asked / over.capacity)} x`],
      ['accepted, of that', `${show(over.accepted / over.capacity)} x`],
      ['accepted: p50/p99 ms', `${show(over.acceptedP50Ms)}/${show(over.acceptedP99Ms)}`],
      ['refused as overloaded: p50/p99 ms', `${show(over.refusedP50Ms)}/${show(over.refusedP99Ms)}`],
      ['neither (connection lost, other statuses)', show(over.others)],
      [
        `new clients beside ${show(served.sockets)} sockets of one address: p50/max ms`,
        `${show(served.p50Ms)}/${show(served.maxMs)}`,
      ],
      ['new clients that got no answer', show(served.failed)],
      [`of ${show(WRONG_CODES)} wrong codes at once: judged; refused`, `${guesses.judged}; ${show(guesses.refused)}`],
    ],
  );
}

function goalsOf(over: Overload, served: Served, judged: number): Goal[] {
  return [
    { path: 'accepted at twice the load, p99', goal: atMost(500), measured: over.acceptedP99Ms, unit: 'ms' },
    { path: 'refused at twice the load, p50', goal: atMost(50), measured: over.refusedP50Ms, unit: 'ms' },
    { path: 'new client beside a crowd of sockets, slowest', goal: atMost(1_000), measured: served.maxMs, unit: 'ms' },
    { path: 'wrong codes judged in a minute', goal: atMost(20), measured: judged, unit: 'guesses' },
  ];
}
