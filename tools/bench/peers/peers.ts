import type { ServiceFacts } from '../http-server.js';
import { startServer } from '../http-server-child.js';
import { type Child, startChild } from '../support/children.js';
import { withDataDir } from '../support/data-dir.js';
import { atLeast, type Goal, type Section } from '../support/report.js';
import { interleave, medianRatio, progress, type Variant } from '../support/rounds.js';
import type { CallerOptions, Looked, Speed } from './caller.js';
import { type Judged, judge } from './judge.js';
import { faultTable, type Run, type Runs, speedTable } from './tables.js';
import { fetchTerms, type Terms } from './terms.js';
import type { PeerVenueFacts, PeerVenueOptions, TrueBooks } from './venue.js';
import type { PeerOrder, WayOptions } from './way.js';
import { allWays, EMBEDDED, OFFICIAL_COUNT, SERVICE, type Way } from './ways.js';

/** All of the first protocol, which every client reads; one takes no fee, and they have four price steps. */
const SLUGS = [
  'will-arcadia-call-a-snap-election-by-december-31',
  'will-parliament-pass-the-arcadia-budget-before-october',
  'will-ada-marlowe-win-the-arcadia-presidential-election',
  'will-the-northgate-ceasefire-hold-through-2026',
  'mlb-hbr-rvt-2026-07-18',
  'will-the-meridian-100-close-above-9000-this-month',
  'cup-arc-nor-2026-07-19-arc',
  'will-northgate-win-the-cup',
];
/** In all, 160 changes a second: 20 of each market. */
const STEP_MS = 6;
/** The first is less than the venue takes. */
const SIZES_USD = [0.5, 25, 100, 1_000];
const ROUNDS = 3;
const RUN_MS = 1_500;
/** Of the process that asks, its start included. */
const WARM_UP_CPU_MICROS = 2_500_000;
/** Either way: a round trip takes twice as long. */
const DELAYS_MS = [0, 10] as const;

/** Where everything is, at one distance. */
interface Distance {
  readonly given: WayOptions;
  readonly service: Child<ServiceFacts>;
  stop(): Promise<void>;
}

interface World {
  readonly venue: Child<PeerVenueFacts>;
  readonly terms: ReadonlyMap<string, Terms>;
}

/** Checks the same orders on the same moving venue by the clients of others and by ours. */
export async function benchPeers(): Promise<Section> {
  progress('peers: installs them');
  const ways = await allWays();
  const options: PeerVenueOptions = { slugs: SLUGS, stepMs: STEP_MS };
  const venue = await startChild<PeerVenueFacts>(new URL('./venue.js', import.meta.url), options);
  const { url, markets } = venue.ready;
  const terms = new Map<string, Terms>();
  for (const { tokenId, conditionId } of markets) terms.set(tokenId, await fetchTerms(url.clob, conditionId));
  const orders = await ordersOn(venue);
  const texts = [about(ways)];
  const goals: Goal[] = [];
  for (const delayMs of DELAYS_MS) {
    const title = delayMs === 0 ? 'On loopback' : `With ${2 * delayMs} ms for each round trip`;
    const runs = await withDataDir(async (dataDir) => {
      const distance = await openAt(delayMs, { dataDir, venue, orders });
      const compared = await compare(ways, distance, { venue, terms }, `peers, ${2 * delayMs} ms`);
      await distance.stop();
      return compared;
    });
    texts.push(`${title}:`, speedTable(runs), faultTable(runs));
    goals.push(...goalsOf(runs, title));
  }
  await venue.stop();
  return { title: 'The same order, checked by others and by us', texts, goals };
}

/** Orders of every size on every market; so many hundredths of a share as they buy at the best price. */
async function ordersOn({ ready, ask }: Child<PeerVenueFacts>): Promise<readonly PeerOrder[]> {
  const books = (await ask('books')) as TrueBooks;
  return SIZES_USD.flatMap((usd) =>
    ready.markets.map(({ tokenId, conditionId }) => {
      const best = books[tokenId]![0]!.asks[0]!.priceTicks / 1e4;
      return { tokenId, conditionId, usd, shares: Math.floor((usd / best) * 100) / 100 };
    }),
  );
}

/** Starts a service, and a delay before it and before the venue. */
async function openAt(
  delayMs: number,
  { dataDir, venue, orders }: { dataDir: string; venue: Child<PeerVenueFacts>; orders: readonly PeerOrder[] },
): Promise<Distance> {
  const delays: Child<{ port: number }>[] = [];
  const through = async (url: string) => {
    if (delayMs === 0) return (each: string) => each;
    const toPort = Number(new URL(url).port);
    const delay = await startChild<{ port: number }>(new URL('./delay.js', import.meta.url), { toPort, delayMs });
    delays.push(delay);
    return (each: string) => each.replace(`:${toPort}`, `:${delay.ready.port}`);
  };
  const { gamma, clob, data, ws } = venue.ready.url;
  const far = await through(clob);
  const url = { gamma: far(gamma), clob: far(clob), data: far(data), ws: far(ws) };
  const facts = { gammaUrl: url.gamma, clobUrl: url.clob, dataUrl: url.data, wsUrl: url.ws, markets: [] };
  const service = await startServer<ServiceFacts>({ role: 'service', dataDir, venue: facts, timesVenue: false });
  const reach = await through(service.ready.url);
  return {
    given: { url, orders, service: { url: reach(service.ready.url), token: service.ready.token! } },
    service,
    async stop() {
      for (const child of [service, ...delays]) await child.stop();
    },
  };
}

/** Lets all ways take turns; a process of each is there all the time, and only one of them asks. */
async function compare(ways: readonly Way[], distance: Distance, world: World, title: string): Promise<Runs> {
  const callers: Child<object>[] = [];
  const variants: Variant<Run>[] = [];
  for (const { name, module } of ways) {
    if ('why' in module) continue;
    const options: CallerOptions = { way: module.url, given: distance.given, runMs: RUN_MS };
    const caller = await startChild<object>(new URL('./caller.js', import.meta.url), options);
    callers.push(caller);
    await warmUp(caller);
    variants.push({ name, run: () => runOf(caller, distance, world) });
  }
  const runs = await interleave(title, variants, ROUNDS);
  for (const caller of callers) await caller.stop();
  return new Map(ways.map(({ name, module }) => [name, 'why' in module ? module.why : runs.get(name)!]));
}

/**
 * Lets a way work until its code is compiled and every book that is kept is warm: on a busy machine that
 * takes longer.
 */
async function warmUp(caller: Child<object>): Promise<void> {
  while (((await caller.ask('cpu')) as number) < WARM_UP_CPU_MICROS) await caller.ask('load');
}

async function runOf(caller: Child<object>, { service }: Distance, { venue, terms }: World): Promise<Run> {
  const cpu = async () => {
    const taken = await Promise.all([caller, service, venue].map((child) => child.ask('cpu') as Promise<number>));
    return taken as [caller: number, service: number, venue: number];
  };
  const before = await cpu();
  const speed = (await caller.ask('load')) as Speed;
  const after = await cpu();
  const [callerMicros, serviceMicros, venueMicros] = after.map((micros, at) => (micros - before[at]!) / speed.checks);
  await venue.ask('forget');
  const { answers, p50Ms: aloneP50Ms, p99Ms: aloneP99Ms } = (await caller.ask('look')) as Looked;
  const books = (await venue.ask('books')) as TrueBooks;
  const judged = answers.map((answer): Judged => {
    const { tokenId } = answer.order;
    return judge(answer, books[tokenId]!, terms.get(tokenId)!);
  });
  const cpuMicros = { callerMicros: callerMicros!, serviceMicros: serviceMicros!, venueMicros: venueMicros! };
  return { ...speed, ...cpuMicros, aloneP50Ms, aloneP99Ms, judged };
}

function about(ways: readonly Way[]): string {
  const missing = ways.flatMap(({ name, module }) => ('why' in module ? [`${name} ${module.why}`] : []));
  const note = missing.length === 0 ? '' : ` Left out: ${missing.join('; ')}.`;
  return (
    `BUYs of ${SIZES_USD.join(', ')} USD on ${SLUGS.length} markets whose books change ${Math.round(1e3 / STEP_MS)} times a ` +
    'second in all. Each way has a process of its own; 64 checks are under way at once where a check waits, and one ' +
    `where it does not. What an answer says is compared with the simulator's own books. ` +
    'pmxt runs as the library behind its local server, which cannot be sent to another venue, without that server and ' +
    `without its limit of five requests a second; ccxt has no price of an order, so its book is walked.${note}`
  );
}

/** Both of ours beside the fastest of the official clients. */
function goalsOf(runs: Runs, title: string): Goal[] {
  const official = [...runs.values()].slice(0, OFFICIAL_COUNT).filter((each) => typeof each !== 'string');
  return [SERVICE, EMBEDDED].flatMap((name) => {
    const own = runs.get(name)!;
    if (typeof own === 'string' || official.length === 0) return [];
    const ratios = official.map((their) => medianRatio(own, their, ({ perSecond }) => perSecond));
    const path = `${title.toLowerCase()}: ${name}, checks per second of the fastest official client`;
    return [{ path, goal: atLeast(20), measured: Math.min(...ratios), unit: 'x' }];
  });
}
