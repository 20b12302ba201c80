import { lmdbRatingsPath, openLmdbRatings } from '#adapters/lmdb/ratings/ratings-store';
import { systemClock } from '#adapters/process/system-clock';
import { LeaderboardSchema } from '#api/wallets/wallet-lists';
import { WalletProfileSchema } from '#api/wallets/wallet-profile';
import { asOfOf } from '#domain/rating/rating-windows';
import { sampleBoard, storedRating } from '#test/support/sample-ratings';
import { type Load, load } from './http-load.js';
import type { ServerRole, ServiceFacts } from './http-server.js';
import { type Child, startChild } from './support/children.js';
import { withDataDir } from './support/data-dir.js';
import { atLeast, atMost, type Goal, type Section, show, table } from './support/report.js';
import { interleave, medianRatio, medians, progress, type Variant } from './support/rounds.js';
import type { WalletServerRole } from './wallet-server.js';

const CONNECTIONS = [1, 8, 64] as const;
const ROUNDS = 5;
const ROUND_S = 1;
const WALLETS = 20_000;
const LISTED = 50;
const WALLETS_PER_WRITE = 500;
/** Wallets that are asked about, spread over the board. */
const REQUESTED = 500;
/** The one route that the Express control has; it is asked for as many paths as ours. */
const CONTROL_PATH = '/api/preflight_trade';

const RATIOS = [
  ['requests/s', 'perSecond'],
  ['p99', 'p99Ms'],
  ['CPU', 'cpuMicros'],
] as const;

/** One row of the table: what is asked of whom, and what an answer has to be. */
interface Row {
  readonly name: string;
  readonly server: Child<ServiceFacts>;
  readonly paths: readonly string[];
  readonly credits: number;
  readonly check: (body: string) => void;
}

/**
 * Measures covered wallets and the leaderboard end to end, each beside Express with the same bytes.
 */
export function benchWalletAnswers(): Promise<Section> {
  return withDataDir(async (dataDir) => {
    progress(`wallet answers: a board of ${WALLETS} ratings`);
    await publishBoard(dataDir);
    const role: WalletServerRole = { dataDir };
    const service = await startChild<ServiceFacts>(new URL('./wallet-server.js', import.meta.url), role);
    const token = service.ready.token!;
    const copy = Array.from(
      { length: REQUESTED },
      (_, n) => `/api/preflight_copy?wallet=${walletOf(n * (WALLETS / REQUESTED))}`,
    );
    const board = '/api/leaderboard';
    const [profile, list] = [await bodyOf(service, copy[0]!), await bodyOf(service, board)];
    const express = [await startExpress(profile), await startExpress(list)] as const;
    const floor = { credits: 0, check: () => undefined };
    const requested = copy.map((path) => path.replace('/api/preflight_copy', CONTROL_PATH));
    const rows: readonly Row[] = [
      { name: 'preflight_copy, covered', server: service, paths: copy, credits: 5, check: checkProfile },
      { name: 'Express res.json, a profile', server: express[0], paths: requested, ...floor },
      { name: 'leaderboard', server: service, paths: [board], credits: 1, check: checkList },
      { name: 'Express res.json, a leaderboard', server: express[1], paths: [CONTROL_PATH], ...floor },
    ];
    const loads = await loadAll(rows, token);
    for (const child of [service, ...express]) await child.stop();
    const what =
      `${REQUESTED} of ${WALLETS.toLocaleString('en-US')} wallets of the board in force, profiles of ${profile.length} bytes and a list of ` +
      `${LISTED} wallets of ${list.length} bytes, credits lane, each debited on disk before it is answered; Express answers with the same bytes.`;
    return { title: 'Wallet answers over HTTP', texts: [what, loadTable(rows, loads)], goals: goalsOf(rows, loads) };
  });
}

function walletOf(n: number): string {
  return `0x${n.toString(16).padStart(40, '0')}`;
}

async function publishBoard(dataDir: string): Promise<void> {
  const store = openLmdbRatings({ path: lmdbRatingsPath(dataDir) });
  const asOfS = asOfOf(Math.floor(systemClock.nowMs() / 1e3));
  const wallets = Array.from({ length: WALLETS }, (_, n) => walletOf(n));
  const board = sampleBoard({ asOfS, tapeStartS: asOfS - 400 * 86_400, leaderboard: wallets.slice(0, LISTED) });
  try {
    for (let at = 0; at < WALLETS; at += WALLETS_PER_WRITE) {
      const batch = wallets.slice(at, at + WALLETS_PER_WRITE);
      await store.putBoardRatings(
        board.run,
        batch.map((wallet) => storedRating({ wallet, asOfS })),
      );
    }
    await store.publish(board);
  } finally {
    await store.close();
  }
}

async function bodyOf({ ready }: Child<ServiceFacts>, path: string): Promise<string> {
  const answer = await fetch(ready.url + path, { headers: { authorization: `Bearer ${ready.token}` } });
  return answer.text();
}

function startExpress(body: string): Promise<Child<ServiceFacts>> {
  return startChild<ServiceFacts>(new URL('./http-server.js', import.meta.url), {
    role: 'express',
    body,
  } satisfies ServerRole);
}

function checkProfile(body: string): void {
  const { paid } = WalletProfileSchema.parse(JSON.parse(body));
  if (paid === undefined) throw new Error(`this is no paid profile: ${body}`);
}

function checkList(body: string): void {
  const { paid, wallets } = LeaderboardSchema.parse(JSON.parse(body));
  if (paid === undefined || wallets.length !== LISTED) throw new Error(`this is no paid leaderboard: ${body}`);
}

/** The loads of all rounds, by row and number of connections. */
type Loads = ReadonlyMap<string, readonly Load[]>;

async function loadAll(rows: readonly Row[], token: string): Promise<Loads> {
  const loads = new Map<string, readonly Load[]>();
  const balance = async () => (await rows[0]!.server.ask('balance')) as number;
  for (const connections of CONNECTIONS) {
    const before = await balance();
    let spent = 0;
    const run = async ({ server, paths, credits, check }: Row, requests: number) => {
      const result = await load(server, { paths, token, connections, requests }, check);
      spent += result.answers * credits;
      return result;
    };
    const variants: Variant<Load>[] = [];
    for (const row of rows) {
      const { perSecond } = await run(row, 300 + 50 * connections);
      variants.push({ name: row.name, run: () => run(row, Math.ceil(perSecond * ROUND_S) + connections) });
    }
    const results = await interleave(`wallet answers, ${connections} connections`, variants, ROUNDS);
    for (const [name, all] of results) loads.set(`${name} ${connections}`, all);
    const debited = before - (await balance());
    if (debited !== spent) throw new Error(`${debited} credits were debited where answers cost ${spent}`);
  }
  return loads;
}

/** Ours are the first and the third row, each with its control after it. */
function goalsOf(rows: readonly Row[], loads: Loads): Goal[] {
  const most = CONNECTIONS.at(-1)!;
  return [0, 2].flatMap((at) => {
    const [ours, control] = [loads.get(`${rows[at]!.name} ${most}`)!, loads.get(`${rows[at + 1]!.name} ${most}`)!];
    const path = `${rows[at]!.name}, debited, ${most} connections`;
    return [
      {
        path: `${path}, of Express res.json`,
        goal: atLeast(1.5),
        measured: medianRatio(ours, control, ({ perSecond }) => perSecond),
        unit: 'x',
      },
      { path: `${path}, p99`, goal: atMost(25), measured: medians(ours).p99Ms, unit: 'ms' },
    ];
  });
}

function loadTable(rows: readonly Row[], loads: Loads): string {
  const of = (name: string, connections: number) => loads.get(`${name} ${connections}`)!;
  const cell = (all: readonly Load[]) => {
    const { perSecond, p50Ms, p99Ms, cpuMicros } = medians(all);
    return `${show(perSecond)} · ${show(p50Ms)}/${show(p99Ms)} · ${show(cpuMicros)}`;
  };
  const ratios = (ours: Row, control: Row) =>
    RATIOS.map(([what, part]) => [
      `${what} of ${ours.name}, of ${control.name}`,
      ...CONNECTIONS.map((n) => show(medianRatio(of(ours.name, n), of(control.name, n), (one) => one[part]))),
    ]);
  return table(
    ['requests/s · p50/p99 ms · CPU µs', ...CONNECTIONS.map((n) => `${n} connection${n === 1 ? '' : 's'}`)],
    [
      ...rows.map(({ name }) => [name, ...CONNECTIONS.map((n) => cell(of(name, n)))]),
      ...ratios(rows[0]!, rows[1]!),
      ...ratios(rows[2]!, rows[3]!),
    ],
  );
}
