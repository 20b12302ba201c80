import { join } from 'node:path';
import { expect } from 'chai';
import { openTape } from '#adapters/tape/tape';
import { STRENGTH_METHOD } from '#api/wallets/wallet-method';
import { Problem } from '#domain/errors';
import { rateSums } from '#domain/rating/rate-sums';
import { RATING_CONFIG } from '#domain/rating/rating-config';
import { sumWallet } from '#domain/rating/sum-wallet';
import type { TapeMarket } from '#domain/rating/tape-market';
import { toWalletProfile } from '#judge/wallet/bodies';
import type { Log } from '#ports/log';
import type { RatingsStore } from '#ports/ratings-store';
import type { Tape } from '#ports/tape';
import { ratingConfigHash } from '#services/ratings/config-hash';
import { RatingJob, type RatingJobDeps } from '#services/ratings/job';
import { keptBoards } from '#services/ratings/kept-boards';
import { toLeaderboard } from '#services/wallets/list-bodies';
import { walletNumber } from '#test/contract/store.contract';
import { makeRatingsFixture } from '#test/contract/support/lmdb-ratings-fixture';
import { edgeSums, normalSpread } from '#test/support/edge-sums';
import { jobOwner } from '#test/support/job-owners';
import { ManualClock } from '#test/support/manual-clock';
import { fillsOf, marketOf } from '#test/support/paper-venue';
import { deferred, rejectionOf } from '#test/support/promises';
import { AS_OF_S } from '#test/support/sample-ratings';

const DAY_S = 86_400;
const silent: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** Wallets of the tape, how many entries each has, and which share of them it wins. */
const WALLETS = [
  { wallet: walletNumber(1), entries: 300, wins: (n: number) => n % 10 < 7 },
  { wallet: walletNumber(2), entries: 120, wins: (n: number) => n % 10 < 2 },
  { wallet: walletNumber(3), entries: 40, wins: (n: number) => n % 10 < 6 },
  { wallet: walletNumber(4), entries: 9, wins: () => true },
];

/** Trades before the window alone. */
const OLD = walletNumber(5);

const fills = WALLETS.flatMap(({ wallet, entries }) => fillsOf(wallet, entries));
const markets = WALLETS.flatMap(({ wallet, entries, wins }) =>
  fillsOf(wallet, entries).map((fill, n): TapeMarket => marketOf(fill, wins(n))),
);

const byCondition = new Map(markets.map((market) => [market.condition, market]));
const sumsAt = (asOfS: number) =>
  WALLETS.map(({ wallet }) => sumWallet(wallet, fills, byCondition, asOfS, RATING_CONFIG));

/**
 * What the job needs of a tape, by the rules themselves, in batches of two wallets. Its placebo
 * board is the real one.
 */
const tape: RatingJobDeps['tape'] = {
  compact: async () => {},
  fillsOf: async (wallet) => fills.filter((fill) => fill.wallet === wallet),
  marketsOf: async () => byCondition,
  async *outcomes() {},
  async *names() {
    yield [{ wallet: walletNumber(1), name: 'skilled' }];
  },
  status: async () => ({
    fills: fills.length,
    segments: 1,
    markets: markets.length,
    marketsResolved: markets.length,
    firstFillS: AS_OF_S - 100 * DAY_S,
    lastFillS: AS_OF_S - 1,
    bytes: 1,
    compactedThroughDay: null,
  }),
  async *rateAll(asOfS) {
    const sums = sumsAt(asOfS);
    for (let at = 0; at < sums.length; at += 2) yield sums.slice(at, at + 2);
  },
};

describe('rating job', () => {
  let store: RatingsStore;
  let clock: ManualClock;
  let ratings: Awaited<ReturnType<typeof makeRatingsFixture>>;

  beforeEach(async () => {
    ratings = await makeRatingsFixture();
    store = await ratings.open();
    clock = new ManualClock(AS_OF_S * 1e3 + 3 * 3_600_000);
  });

  afterEach(async () => {
    await store.close();
    await ratings.remove();
  });

  const jobWith = (changes: Partial<RatingJobDeps> = {}) =>
    new RatingJob({
      store,
      jobs: jobOwner(store, clock),
      tape,
      refreshMarkets: async () => {},
      gapsOf: async () => [],
      clock,
      random: { next: () => 0.5, bytes: (count) => new Uint8Array(count) },
      log: silent,
      config: RATING_CONFIG,
      ...changes,
    });

  it('puts a board in force that says of every wallet what the rules say', async () => {
    const real = await openTape({ dir: join(ratings.dataDir, 'tape') });
    // Somebody traded before the window: the tape shows all of it.
    const [one] = fills;
    await real.addFills('all', [...fills, { ...one!, wallet: OLD, side: 'SELL', timeS: AS_OF_S - 100 * DAY_S }]);
    await real.addRows('markets', markets);
    await real.addRows('names', [{ wallet: walletNumber(1), name: 'skilled' }]);
    const outcome = await jobWith({ tape: real }).run(AS_OF_S);
    await real.close();
    const board = await store.board();
    expect(outcome).to.deep.equal({ kind: 'published', board });
    expect(board).to.deep.include({
      asOfS: AS_OF_S,
      computedAtMs: clock.nowMs(),
      config: ratingConfigHash(RATING_CONFIG),
      tapeStartS: AS_OF_S - 100 * DAY_S,
      walletsSeen: 4,
      walletsByVerdict: { COPY: 1, WATCH: 1, VETO: 1, NO_COVERAGE: 1 },
      leaderboard: [walletNumber(1), walletNumber(3)],
      redList: [walletNumber(2)],
    });
    for (const sums of sumsAt(AS_OF_S)) {
      const rating = rateSums(sums, AS_OF_S, RATING_CONFIG);
      expect((await store.boardRating(sums.wallet))?.rating).to.deep.equal(rating);
    }
    expect((await store.boardRating(walletNumber(1)))?.name).to.equal('skilled');
    expect((await store.boardRating(walletNumber(2)))?.name).to.equal(null);
    const times = { startedAtMs: clock.nowMs(), endedAtMs: clock.nowMs() };
    expect(await store.runReport()).to.deep.equal({ ...times, error: null });
  });

  it('marks a COPY as strong by all wallets of the board, and says so where the wallet is shown', async () => {
    const own = sumsAt(AS_OF_S);
    const crowd = normalSpread(1_200).map((draw, n) => ({
      ...own[3]!,
      wallet: walletNumber(100 + n),
      window: edgeSums((n % 10 === 0 ? 0.12 : -0.03) + draw * 0.04, 0.04),
    }));
    const crowded: RatingJobDeps['tape'] = {
      ...tape,
      async *rateAll() {
        yield [...own, ...crowd];
      },
    };
    await jobWith({ tape: crowded }).run(AS_OF_S);
    const board = (await store.board())!;
    expect(board.edgePrior?.reduce((sum, share) => sum + share)).to.be.closeTo(1e9, 100);
    const shown = (await store.boardRating(walletNumber(1)))!;
    const { strength, ...plain } = shown;
    expect(strength).to.equal('strong');
    const rated = rateSums(own[0]!, AS_OF_S, RATING_CONFIG);
    expect(plain.rating, 'nothing else changes').to.deep.equal(rated);
    expect((await store.history(walletNumber(1), 9)).map(({ verdict }) => verdict)).to.deep.equal(['COPY']);
    const facts = { nextRefreshS: AS_OF_S + DAY_S };
    const [one, other] = [toWalletProfile(shown, facts), toWalletProfile(plain, facts)];
    expect([one.strength, one.method]).to.deep.equal(['strong', `${other.method} ${STRENGTH_METHOD}`]);
    expect(other).to.not.have.property('strength');
    expect({ ...one, method: other.method }).to.deep.equal({ ...other, strength: 'strong' });
    const list = toLeaderboard({ board, ratings: [shown], ...facts });
    expect([list.wallets[0]?.strength, list.method.endsWith(STRENGTH_METHOD)]).to.deep.equal(['strong', true]);
    expect(toLeaderboard({ board, ratings: [plain], ...facts }).method).to.not.include('strong');
  });

  it('gives no COPY on a tape that begins within the window, and says where it begins', async () => {
    const status = async () => ({ ...(await tape.status()), firstFillS: AS_OF_S - 51 * DAY_S });
    await jobWith({ tape: { ...tape, status } }).run(AS_OF_S);
    expect(await store.board()).to.deep.include({
      tapeStartS: AS_OF_S - 51 * DAY_S,
      walletsByVerdict: { COPY: 0, WATCH: 2, VETO: 1, NO_COVERAGE: 1 },
      placeboCopies: 0,
      leaderboard: [walletNumber(1), walletNumber(3)],
    });
    const capped = (await store.boardRating(walletNumber(1)))?.rating;
    expect(capped).to.include({ verdict: 'WATCH', reason: 'tape_short' });
    expect(capped?.reasonText).to.match(/^The tape begins on 2026-06-11, within the window: no COPY\. /);
  });

  it('begins the tape after a stretch of missing trades that reaches over its begin', async () => {
    const spans: object[] = [];
    const gapsOf: RatingJobDeps['gapsOf'] = async (span) => {
      spans.push(span);
      return [{ fromS: AS_OF_S - 200 * DAY_S, toS: AS_OF_S - 60 * DAY_S - 1 }];
    };
    await jobWith({ gapsOf }).run(AS_OF_S);
    expect(spans).to.deep.equal([{ fromS: AS_OF_S - 90 * DAY_S, toS: AS_OF_S - 1 }]);
    expect((await store.board())?.tapeStartS).to.equal(AS_OF_S - 60 * DAY_S);
  });

  it('doubts only the wallets that traded on a day of which minutes are missing', async () => {
    // The last entries are the newest: wallet 3 has none on this day, wallet 1 trades every day.
    const dayS = [...Array(89).keys()]
      .map((day) => AS_OF_S - 89 * DAY_S + day * DAY_S)
      .find((day) => !fillsOf(walletNumber(3), 40).some(({ timeS }) => timeS >= day && timeS < day + DAY_S))!;
    const gap = { fromS: dayS + 3_600, toS: dayS + 3_900 };
    await jobWith({ gapsOf: async () => [gap] }).run(AS_OF_S);
    const board = await store.board();
    expect(board).to.deep.include({ tapeStartS: AS_OF_S - 100 * DAY_S, gaps: [gap] });
    const [touched, untouched] = await Promise.all([1, 3].map((n) => store.boardRating(walletNumber(n))));
    expect(touched?.unseen).to.deep.equal({ beforeS: null, gap, markets: 0 });
    expect(touched?.rating).to.include({ verdict: 'WATCH', reason: 'tape_short' });
    expect(untouched).to.not.have.property('unseen');
  });

  it('doubts every wallet where a day is missing: who traded in it is not seen', async () => {
    const dayS = AS_OF_S - 40 * DAY_S;
    const gap = { fromS: dayS, toS: dayS + DAY_S - 1 };
    const isSeen = ({ timeS }: { readonly timeS: number }) => timeS < gap.fromS || timeS > gap.toS;
    async function* rateAll() {
      yield [sumWallet(walletNumber(1), fills.filter(isSeen), byCondition, AS_OF_S, RATING_CONFIG)];
    }
    await jobWith({ gapsOf: async () => [gap], tape: { ...tape, rateAll } }).run(AS_OF_S);
    const stored = await store.boardRating(walletNumber(1));
    expect(stored?.unseen).to.deep.equal({ beforeS: null, gap, markets: 0 });
    expect(stored?.rating).to.include({ verdict: 'WATCH', reason: 'tape_short' });
    const board = (await store.board())!;
    expect(board.walletsByVerdict.COPY).to.equal(0);
    const { note } = toLeaderboard({ board, ratings: [stored!], nextRefreshS: AS_OF_S + DAY_S });
    expect(note).to.match(/ are missing from the tape: no wallet is rated COPY here\.$/);
  });

  it('makes the same board of the same tape each time, but for its number', async () => {
    await jobWith().run(AS_OF_S);
    const first = await store.board();
    await jobWith().run(AS_OF_S);
    const second = await store.board();
    expect(second?.run).to.be.above(first?.run ?? Number.POSITIVE_INFINITY);
    expect({ ...second, run: 0 }).to.deep.equal({ ...first, run: 0 });
    expect(await store.history(walletNumber(1), 10)).to.have.length(1);
  });

  const broken = () => Promise.reject(new Error('it broke'));
  const failures: readonly (readonly [string, () => Partial<RatingJobDeps>])[] = [
    ['the venue cannot be asked', () => ({ refreshMarkets: broken })],
    ['the tape cannot be sorted', () => ({ tape: { ...tape, compact: broken } })],
    [
      'the tape breaks in the middle',
      () => ({ tape: { ...tape, rateAll: (...args) => breaking(tape.rateAll(...args), null) } }),
    ],
    [
      'the placebo board breaks',
      () => ({ tape: { ...tape, rateAll: (...args) => breaking(tape.rateAll(...args), args[2]?.placeboSeed) } }),
    ],
    ['names cannot be read', () => ({ tape: { ...tape, names: () => breaking(tape.names(), null) } })],
    ['ratings cannot be kept', () => ({ store: { ...store, putBoardRatings: broken } })],
    ['the board cannot be kept', () => ({ store: { ...store, publish: broken } })],
  ];

  for (const [what, changes] of failures) {
    it(`leaves the last board in force where ${what}, tells why, and succeeds the next time`, async () => {
      await jobWith().run(AS_OF_S);
      const before = [await store.board(), await store.boardRating(walletNumber(1))];
      const bases = await store.bases.list(null, 10);
      expect(bases.items, 'of the two lists').to.have.length(3);
      clock.advance(DAY_S * 1e3);
      const error = await rejectionOf(jobWith(changes()).run(AS_OF_S + DAY_S));
      expect(error?.message).to.equal('it broke');
      expect([await store.board(), await store.boardRating(walletNumber(1))]).to.deep.equal(before);
      expect((await store.runReport())?.error).to.equal('it broke');
      expect(await store.history(walletNumber(1), 10)).to.have.length(1);
      for (const basis of bases.items) {
        expect(await store.bases.read(basis.asOfS, basis.wallet), basis.wallet).to.equal(basis.text);
      }
      await jobWith().run(AS_OF_S + DAY_S);
      expect((await store.board())?.asOfS).to.equal(AS_OF_S + DAY_S);
      expect((await store.runReport())?.error).to.equal(null);
    });
  }

  it('rates by the right clock although a run by one that was days ahead came to nothing', async () => {
    clock.step(2 * DAY_S * 1e3);
    const rateAll: Tape['rateAll'] = (...args) => breaking(tape.rateAll(...args), null);
    const error = await rejectionOf(jobWith({ tape: { ...tape, rateAll } }).run(AS_OF_S + 2 * DAY_S));
    expect(error?.message).to.equal('it broke');
    clock.step(-2 * DAY_S * 1e3);
    expect((await jobWith().run(AS_OF_S, { onlyIfDue: true })).kind).to.equal('published');
    expect((await store.board())?.asOfS).to.equal(AS_OF_S);
    clock.advance(DAY_S * 1e3);
    expect((await jobWith().run(AS_OF_S + DAY_S)).kind, 'the next night').to.equal('published');
  });

  it('has the board in force although the boards of before cannot be followed up, and says so', async () => {
    const errors: string[] = [];
    const log: Log = { ...silent, error: (_, message) => errors.push(message) };
    await jobWith({ log }).run(AS_OF_S - DAY_S);
    expect(errors).to.deep.equal([]);
    const failing: Tape['outcomes'] = () => {
      throw new Error('it broke');
    };
    const outcome = await jobWith({ log, tape: { ...tape, outcomes: failing } }).run(AS_OF_S);
    expect(outcome.kind).to.equal('published');
    expect((await store.board())?.asOfS).to.equal(AS_OF_S);
    expect((await store.runReport())?.error).to.equal(null);
    expect(errors).to.deep.equal(['earlier boards could not be followed up; the next night does it']);
    clock.advance(DAY_S * 1e3);
    await jobWith({ log }).run(AS_OF_S + DAY_S);
    const { boards } = await keptBoards(store.follows);
    expect(boards.map(({ result }) => result?.knownS)).to.deep.equal([AS_OF_S + DAY_S, AS_OF_S + DAY_S, undefined]);
  });

  it('follows nobody of a board that was made long after its moment', async () => {
    clock.advance(3 * DAY_S * 1e3);
    await jobWith().run(AS_OF_S);
    expect((await keptBoards(store.follows)).boards).to.deep.equal([]);
  });

  it('asks the venue what became of markets before it rates', async () => {
    const steps: string[] = [];
    const compact: Tape['compact'] = async () => void steps.push('compact');
    const refreshMarkets = async () => void steps.push('refresh');
    await jobWith({ refreshMarkets, tape: { ...tape, compact } }).run(AS_OF_S);
    expect(steps).to.deep.equal(['refresh', 'compact']);
  });

  for (const at of ['refreshMarkets', 'putBoardRatings'] as const) {
    it(`gives a run up at ${at} when it is told to, and tells of no failure`, async () => {
      await jobWith().run(AS_OF_S - DAY_S);
      const stopping = new AbortController();
      const refreshMarkets = async () => (at === 'refreshMarkets' ? stopping.abort() : undefined);
      const putBoardRatings: RatingsStore['putBoardRatings'] = async (run, list) => {
        await store.putBoardRatings(run, list);
        stopping.abort();
      };
      const job = jobWith({ refreshMarkets, store: { ...store, putBoardRatings } });
      expect((await rejectionOf(job.run(AS_OF_S, { signal: stopping.signal })))?.name).to.equal('AbortError');
      expect((await store.board())?.asOfS).to.equal(AS_OF_S - DAY_S);
      expect((await store.runReport())?.error).to.equal(null);
      expect((await jobWith().run(AS_OF_S)).kind).to.equal('published');
    });
  }

  it('keeps no other run out where it is given up before it has rated', async () => {
    const stopping = new AbortController();
    const compact = async () => stopping.abort();
    const { signal } = stopping;
    const error = await rejectionOf(jobWith({ tape: { ...tape, compact } }).run(AS_OF_S, { signal }));
    expect([error?.name, await store.newestRun()]).to.deep.equal(['AbortError', 0]);
  });

  it('rates once at a time in one process', async () => {
    const job = jobWith();
    const [first, second] = await Promise.all([job.run(AS_OF_S), job.run(AS_OF_S)]);
    expect([first.kind, second.kind]).to.deep.equal(['published', 'busy']);
    expect((await job.run(AS_OF_S)).kind).to.equal('published');
  });

  describe('of two processes', () => {
    let other: RatingsStore;

    beforeEach(async () => {
      other = await ratings.open();
    });

    afterEach(() => other.close());

    /** A run of the first process that stands still after its first ratings. */
    async function standingRun() {
      const [stands, goesOn] = [deferred(), deferred()];
      const putBoardRatings: RatingsStore['putBoardRatings'] = async (...args) => {
        await store.putBoardRatings(...args);
        stands.resolve();
        await goesOn.promise;
      };
      const outcome = jobWith({ store: { ...store, putBoardRatings } }).run(AS_OF_S);
      await stands.promise;
      return { goOn: goesOn.resolve, outcome };
    }

    it('rates in one at a time: the other does not start', async () => {
      const first = await standingRun();
      expect(await jobWith({ store: other, jobs: jobOwner(other, clock) }).run(AS_OF_S)).to.deep.equal({
        kind: 'busy',
      });
      first.goOn();
      expect((await first.outcome).kind).to.equal('published');
      expect((await jobWith({ store: other, jobs: jobOwner(other, clock) }).run(AS_OF_S)).kind).to.equal('published');
    });

    it('refuses the board of one that was taken for dead and goes on, and keeps the report of the other', async () => {
      const first = await standingRun();
      const lease = (await store.jobs.claim('night', 'nobody')) ?? null;
      expect(lease, 'it is held').to.equal(null);
      await ratings.endJob('night');
      clock.advance(1_000);
      const taken = await jobWith({ store: other, jobs: jobOwner(other, clock) }).run(AS_OF_S);
      expect(taken.kind).to.equal('published');
      first.goOn();
      expect(await first.outcome).to.deep.equal({ kind: 'busy' });
      expect((await store.board())?.computedAtMs).to.equal(clock.nowMs());
      for (const { wallet } of WALLETS) expect((await store.boardRating(wallet))?.computedAtMs).to.equal(clock.nowMs());
      expect(await store.runReport()).to.deep.equal({
        startedAtMs: clock.nowMs(),
        endedAtMs: clock.nowMs(),
        error: null,
      });
    });
  });

  it('puts no earlier board in the place of a later one, unless told to', async () => {
    await jobWith().run(AS_OF_S);
    const refused = await rejectionOf(jobWith().run(AS_OF_S - DAY_S));
    expect(refused).to.be.instanceOf(Problem);
    expect(refused?.message).to.include('The board of 2026-08-01 is in force');
    expect((await store.runReport())?.error, 'a refusal is no failed night').to.equal(null);
    await jobWith().run(AS_OF_S - DAY_S, { replaceLater: true });
    expect((await store.board())?.asOfS).to.equal(AS_OF_S - DAY_S);
  });

  it('puts no board of an empty tape in force, and says how to fill it', async () => {
    const status = async () => ({ ...(await tape.status()), fills: 0, firstFillS: null, lastFillS: null });
    const refused = await rejectionOf(jobWith({ tape: { ...tape, status } }).run(AS_OF_S));
    expect(refused?.message).to.include('The tape is empty').and.include('preflightctl tape');
    expect(await store.board()).to.equal(null);
  });

  it('names the cut-offs by a hash that their order does not change and every one of them does', () => {
    const hash = ratingConfigHash(RATING_CONFIG);
    expect(hash).to.match(/^[0-9a-f]{16}$/);
    const turned = Object.fromEntries(Object.entries(RATING_CONFIG).toReversed()) as typeof RATING_CONFIG;
    expect(ratingConfigHash(turned)).to.equal(hash);
    for (const name of Object.keys(RATING_CONFIG) as (keyof typeof RATING_CONFIG)[]) {
      expect(ratingConfigHash({ ...RATING_CONFIG, [name]: RATING_CONFIG[name] + 1 }), name).to.not.equal(hash);
    }
  });
});

/** Breaks after the first batch; `seed` undefined: goes through. */
async function* breaking<Item>(items: AsyncIterable<Item>, seed: number | null | undefined): AsyncGenerator<Item> {
  for await (const item of items) {
    yield item;
    if (seed !== undefined) throw new Error('it broke');
  }
}
