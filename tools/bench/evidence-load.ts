import { lmdbRatingsPath, openLmdbRatings } from '#adapters/lmdb/ratings/ratings-store';
import { systemClock } from '#adapters/process/system-clock';
import { EVIDENCE_ENTRIES_MAX } from '#api/wallets/wallet-terms';
import type { Fill } from '#domain/rating/fill';
import { asOfOf } from '#domain/rating/rating-windows';
import type { TapeMarket } from '#domain/rating/tape-market';
import { conditionIdOf, tokenIdOf, walletOf } from '#local/venue/market/deterministic-ids';
import { rateWithBasis } from '#test/support/evidenced-ratings';
import { sampleBoard } from '#test/support/sample-ratings';
import { frameOf } from '#test/support/skilled-wallet';
import type { AskerRole } from './evidence-asker.js';
import { type Load, load } from './http-load.js';
import type { ServiceFacts, VenueFacts } from './http-server.js';
import { startServer } from './http-server-child.js';
import { type Child, startChild } from './support/children.js';
import { withDataDir } from './support/data-dir.js';
import { atMost, type Goal, show, table } from './support/report.js';
import { interleave, medianRatio, medians, type Variant } from './support/rounds.js';
import { checkVerdict, firstVerdict, pathsOf } from './support/verdict-paths.js';

const WALLET = walletOf('evidence of many entries');
const DAY_S = 86_400;
const CONNECTIONS = [8, 64] as const;
const HOT_MARKETS = 8;
const ROUNDS = 6;
const ROUND_S = 4;
const WARM_UP = 5_000;

/** What a round saw; times of evidence are NaN where none was asked for. */
type Beside = Pick<Load, 'perSecond' | 'p50Ms' | 'p99Ms'> & { readonly evidenceMs: number };

/**
 * Measures verdicts over HTTP beside evidence of a rating of as many entries as evidence lists at
 * most, once a second.
 */
export function evidenceBesideVerdicts(): Promise<{ readonly text: string; readonly goals: readonly Goal[] }> {
  return withDataDir(async (dataDir) => {
    const bytes = await storeRating(dataDir);
    const venue = await startServer<VenueFacts>({ role: 'venue' });
    const role = { role: 'service', dataDir, venue: venue.ready, timesVenue: false } as const;
    const service = await startServer<ServiceFacts>(role);
    const paths = pathsOf(venue.ready, HOT_MARKETS);
    await firstVerdict(service.ready.url, paths, service.ready.token!);
    const results = new Map<number, ReadonlyMap<string, readonly Beside[]>>();
    const caller = { url: service.ready.url, token: service.ready.token!, wallet: WALLET } satisfies AskerRole;
    const asker = await startChild<object>(new URL('./evidence-asker.js', import.meta.url), caller);
    for (const connections of CONNECTIONS) {
      results.set(connections, await measure({ service, asker }, paths, connections));
    }
    await asker.stop();
    await service.stop();
    await venue.stop();
    return { text: textOf(results, bytes), goals: goalsOf(results) };
  });
}

const ALONE = 'verdicts';
const BESIDE = 'verdicts beside evidence';

async function measure(
  { service, asker }: { readonly service: Child<ServiceFacts>; readonly asker: Child<object> },
  paths: readonly string[],
  connections: number,
) {
  const token = service.ready.token!;
  const run = (requests: number) => load(service, { paths, token, connections, requests }, checkVerdict);
  const { perSecond } = await run(WARM_UP);
  const requests = Math.ceil(perSecond * ROUND_S);
  const variants: readonly Variant<Beside>[] = [
    { name: ALONE, run: async () => ({ ...(await run(requests)), evidenceMs: Number.NaN }) },
    {
      name: BESIDE,
      async run() {
        await asker.ask('begin');
        const verdicts = await run(requests);
        return { ...verdicts, evidenceMs: (await asker.ask('end')) as number };
      },
    },
  ];
  return interleave(`evidence beside verdicts, ${connections} connections`, variants, ROUNDS);
}

/** Puts a board in force that has the wallet, and what its rating was computed from. Returns its bytes. */
async function storeRating(dataDir: string): Promise<number> {
  const asOfS = asOfOf(Math.floor(systemClock.nowMs() / 1e3));
  const { stored, basis } = rateWithBasis({ wallet: WALLET, ...busyWallet(asOfS), frame: frameOf(asOfS, TAPE) });
  const store = openLmdbRatings({ path: lmdbRatingsPath(dataDir) });
  const board = sampleBoard({ asOfS, tapeStartS: asOfS - 400 * DAY_S });
  try {
    await store.putBoardRatings(board.run, [stored]);
    await store.bases.put([{ wallet: WALLET, asOfS, text: basis }]);
    await store.publish(board);
  } finally {
    await store.close();
  }
  return basis.length;
}

const TAPE = { source: 'tape' } as const;

/** A wallet with as many entries as evidence lists, with ids as long as the venue's. */
function busyWallet(asOfS: number): { fills: readonly Fill[]; markets: ReadonlyMap<string, TapeMarket> } {
  const fills = Array.from({ length: EVIDENCE_ENTRIES_MAX }, (_, n): Fill => {
    const slug = `busy-${n}`;
    const [token, condition] = [tokenIdOf(slug, n % 2), conditionIdOf(slug)];
    return {
      ...{ wallet: WALLET, token, condition, event: `event-${n}`, outcomeIndex: n % 2, side: 'BUY' },
      ...{ sizeMicros: 20_000_000, priceMicros: 300_000 + 1_000 * (n % 400), tx: condition, logIndex: n },
      timeS: asOfS - 89 * DAY_S + Math.floor((n / EVIDENCE_ENTRIES_MAX) * 88 * DAY_S),
    };
  });
  const markets = new Map(
    fills.map(({ condition, event, timeS }, n): [string, TapeMarket] => [
      condition,
      {
        ...{ condition, event, slug: '', category: n % 3 === 0 ? 'politics' : 'sports', upDown: false },
        ...{ feeRateMicros: 30_000, scheduledEndS: timeS + 3_600, resolvedAtS: timeS + 7_200 },
        payoutMicros: n % 5 < 3 ? [1_000_000, 0] : [0, 1_000_000],
      },
    ]),
  );
  return { fills, markets };
}

type Results = ReadonlyMap<number, ReadonlyMap<string, readonly Beside[]>>;

function textOf(results: Results, bytes: number): string {
  const rows = [...results].flatMap(([connections, loads]) =>
    [...loads].map(([name, all]) => {
      const { perSecond, p50Ms, p99Ms, evidenceMs } = medians(all);
      const evidence = Number.isNaN(evidenceMs) ? '–' : show(evidenceMs);
      return [`${name}, ${connections} connections`, show(perSecond), `${show(p50Ms)}/${show(p99Ms)}`, evidence];
    }),
  );
  const what = `Verdicts from credits beside evidence of a rating, once a second, of ${EVIDENCE_ENTRIES_MAX} entries and ${bytes} bytes:`;
  return `${what}\n\n${table(['', 'verdicts/s', 'p50/p99 ms', 'evidence, slowest ms'], rows)}`;
}

function goalsOf(results: Results): Goal[] {
  return [...results].flatMap(([connections, loads]) => {
    const [alone, beside] = [loads.get(ALONE)!, loads.get(BESIDE)!];
    const path = `verdicts beside evidence of ${EVIDENCE_ENTRIES_MAX} entries, ${connections} connections`;
    return [
      { path: `${path}, p99`, goal: atMost(1.2), measured: medianRatio(beside, alone, (one) => one.p99Ms), unit: 'x' },
      { path: `${path}, evidence`, goal: atMost(1_000), measured: medians(beside).evidenceMs, unit: 'ms' },
    ];
  });
}
