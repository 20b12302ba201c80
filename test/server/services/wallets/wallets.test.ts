import { expect } from 'chai';
import type { Problem } from '#domain/errors';
import type { Fill } from '#domain/rating/fill';
import { rateSums } from '#domain/rating/rate-sums';
import { RATING_CONFIG } from '#domain/rating/rating-config';
import { EDGES } from '#domain/rating/strength/edge-grid';
import { FILLS_PER_STEP, sumWallet } from '#domain/rating/sum-wallet';
import { toWalletProfile } from '#judge/wallet/bodies';
import { walletMachineWith } from '#machines/wallet.machine';
import type { TradePage } from '#ports/trade-source';
import { ratingConfigHash } from '#services/ratings/config-hash';
import { LOOK_MS_MAX } from '#services/wallets/never-traded';
import { ATTEMPTS_FOR_MARKETS, profileWallet } from '#services/wallets/profile';
import { PROFILE_MS_MAX } from '#services/wallets/rate-in-turn';
import { WALLET_PAGES_MAX } from '#services/wallets/read-trades';
import { WALLET_BACKOFF } from '#services/wallets/steps';
import { WALLETS_COMPUTED_AT_ONCE, WALLETS_IN_WORK_MAX } from '#services/wallets/wallets';
import { walletNumber } from '#test/contract/store.contract';
import { fillsOf, marketOf } from '#test/support/paper-venue';
import { deferred, rejectionOf } from '#test/support/promises';
import { AS_OF_S, sampleBoard, storedRating } from '#test/support/sample-ratings';
import { WalletsRig } from '../support/wallets-rig.js';

const DAY_S = 86_400;
const [A, B] = [walletNumber(0xa), walletNumber(0xb)];
const CALLER = '10.0.0.1';

const never = new Promise<never>(() => {});
const isoDate = (timeS: number) => new Date(timeS * 1e3).toISOString().slice(0, 10);

describe('wallets', () => {
  let rig: WalletsRig;

  beforeEach(async () => {
    rig = await WalletsRig.open();
  });

  afterEach(() => rig.remove());

  const publish = async (run: number, changes: Parameters<typeof sampleBoard>[0], ...wallets: readonly string[]) => {
    const board = sampleBoard({ run, ...changes });
    const verdict = 'COPY' as const;
    await rig.store.putBoardRatings(
      run,
      wallets.map((wallet) => storedRating({ wallet, asOfS: board.asOfS, verdict })),
    );
    await rig.store.publish(board);
  };

  const rated = async (wallet: typeof A) => {
    const answer = await rig.settled(wallet);
    if (answer.kind !== 'rated') throw new Error(`${wallet} is ${answer.kind}`);
    return answer;
  };

  /** Lists a wallet that wins seven in ten. */
  const listSkilled = (wallet: typeof A) => {
    const fills = rig.venue.list(wallet, 300);
    for (const [n, fill] of fills.entries()) rig.venue.markets.set(fill.condition, marketOf(fill, n % 10 < 7));
  };

  describe('what is answered', () => {
    it('is the board’s rating where there is one, without asking the venue', async () => {
      await publish(1, {}, A);
      rig.venue.down = true;
      const answer = await rig.ask(A);
      expect(answer).to.deep.include({ kind: 'rated', nextRefreshS: AS_OF_S + DAY_S + 4.5 * 3_600 });
      expect(rig.venue.calls).to.deep.equal({ pages: 0, looks: 0, facts: 0 });
    });

    it('is queued for a wallet that traded, and then its rating, equal to what the rules give', async () => {
      const fills = rig.venue.list(A, 120);
      expect(await rig.ask(A)).to.deep.equal({ kind: 'queued', position: 0, retryAfterS: 20 });
      const answer = await rig.settled(A);
      const sums = sumWallet(A, fills, rig.venue.markets, AS_OF_S, RATING_CONFIG);
      expect(answer.kind === 'rated' && answer.stored).to.deep.equal({
        rating: rateSums(sums, AS_OF_S, RATING_CONFIG),
        name: `name of ${A}`,
        computedAtMs: rig.clock.nowMs(),
        config: ratingConfigHash(RATING_CONFIG),
      });
      expect(await rig.store.walletRow(A)).to.equal(null);
      await rig.until(() => rig.wallets.report().rated === 1);
      expect(rig.wallets.report()).to.deep.include({ queued: 0, inWork: 0, resting: 0, lastError: null });
    });

    it('is no coverage below the floor, with the counts, also the next time', async () => {
      rig.venue.list(A, 9);
      await rig.ask(A);
      const answer = await rig.settled(A);
      expect(answer.kind === 'no_coverage' && answer.stored?.rating.firstEntries).to.equal(9);
      const { pages } = rig.venue.calls;
      expect((await rig.ask(A)).kind).to.equal('no_coverage');
      expect(rig.venue.calls.pages).to.equal(pages);
    });

    it('is the same where the venue lists combos and other rows that are no trades beside its trades', async () => {
      rig.venue.list(A, 120);
      const { stored } = await rated(A);
      rig.venue.trades.set(
        B,
        rig.venue.trades.get(A)!.map((fill) => ({ ...fill, wallet: B })),
      );
      rig.venue.tear = (page) => ({ ...page, skipped: 7 });
      expect((await rated(B)).stored.rating).to.deep.equal({ ...stored.rating, wallet: B });
    });

    it('is WATCH, with the day, where a row of the window is of a kind that nobody knows', async () => {
      listSkilled(A);
      expect((await rated(A)).stored.rating.verdict).to.equal('COPY');
      listSkilled(B);
      const unknownS = AS_OF_S - 20 * DAY_S;
      rig.venue.tear = (page) => ({ ...page, unreadable: 1, unknownS: [unknownS] });
      const { stored } = await rated(B);
      expect([stored.rating.verdict, stored.rating.reason]).to.deep.equal(['WATCH', 'tape_short']);
      expect(stored.rating.reasonText).to.include(isoDate(unknownS));
      expect(stored.unseen).to.deep.equal({ beforeS: null, gap: { fromS: unknownS, toS: unknownS }, markets: 0 });
    });

    it('is what it would be where such a row is older than the window', async () => {
      listSkilled(A);
      rig.venue.tear = (page) => ({ ...page, unreadable: 1, unknownS: [AS_OF_S - 91 * DAY_S] });
      const { stored } = await rated(A);
      expect([stored.rating.verdict, stored.unseen]).to.deep.equal(['COPY', undefined]);
    });

    it('is no coverage, and not queued for ever, for a wallet that traded combos alone', async () => {
      rig.venue.trades.set(A, fillsOf(A, 1, AS_OF_S));
      rig.venue.tear = (page) => ({ ...page, fills: [], skipped: 1 });
      expect((await rig.ask(A)).kind).to.equal('queued');
      const answer = await rig.settled(A);
      expect(answer.kind === 'no_coverage' && answer.stored?.rating.firstEntries).to.equal(0);
    });

    it('is queued where a row cannot be read otherwise', async () => {
      rig.venue.list(A, 120);
      rig.venue.tear = (page) => ({ ...page, unreadable: 2, unknownS: [AS_OF_S - DAY_S] });
      await rig.ask(A);
      await rig.until(() => rig.wallets.report().resting === 1);
      expect(rig.wallets.report().lastError).to.include("1 of the wallet's trades cannot be read");
    });

    it('waits less for a market of the second protocol that is described nowhere, and is never COPY', async () => {
      const fills = rig.venue.list(A, 120);
      const condition = `0x01${'5b'.repeat(30)}`;
      rig.venue.trades.set(A, [...fills, { ...fills.at(-1)!, condition, token: '77', tx: `0x${'7'.repeat(64)}` }]);
      await rig.ask(A);
      await rig.until(() => rig.rests.length === 1);
      rig.endRests();
      const { stored } = await rated(A);
      expect([stored.rating.verdict, stored.unseen?.markets]).to.deep.equal(['WATCH', 1]);
    });

    it('is no coverage at once for a wallet that never traded, and the venue is asked once in five minutes', async () => {
      for (let n = 0; n < 3; n++) {
        expect(await rig.ask(A)).to.deep.include({ kind: 'no_coverage', stored: null });
        expect(rig.venue.calls.looks).to.equal(1);
      }
      rig.clock.advance(301_000);
      rig.venue.list(A, 20);
      expect((await rig.ask(A)).kind).to.equal('queued');
      expect(await rig.store.demandRating(B)).to.equal(null);
    });

    it('is queued where the venue cannot be asked whether the wallet ever traded', async () => {
      rig.venue.down = true;
      expect((await rig.ask(A)).kind).to.equal('queued');
      expect(await rig.store.walletRow(A)).to.not.equal(null);
    });

    it('is queued where the venue takes too long to say whether the wallet ever traded', async () => {
      rig.venue.gate = never;
      const requested = rig.ask(A);
      await rig.until(() => rig.timers.waiting === 1);
      rig.timers.advance(LOOK_MS_MAX);
      expect((await requested).kind).to.equal('queued');
    });

    const belowFloor = (tapeStartS: number) => async () => {
      const rating = { wallet: A, verdict: 'NO_COVERAGE', reason: 'below_floor' } as const;
      await rig.store.putBoardRatings(1, [storedRating(rating)]);
      await rig.store.publish(sampleBoard({ run: 1, tapeStartS }));
      rig.venue.list(A, 20);
      return (await rig.settled(A)).kind;
    };

    it('is the board’s “below the floor” where its tape covers the 90 days', async () => {
      expect(await belowFloor(AS_OF_S - 90 * DAY_S)()).to.equal('no_coverage');
    });

    it('is computed from all trades where the board’s tape is too young to say “below the floor”', async () => {
      expect(await belowFloor(AS_OF_S - 90 * DAY_S + 1)()).to.equal('rated');
    });

    it('is computed from all trades where a younger tape rated it: its first entries may not be the first', async () => {
      await rig.store.putBoardRatings(1, [
        storedRating({ wallet: A, verdict: 'VETO', reason: 'lost_money', firstEntries: 11 }),
      ]);
      await rig.store.publish(sampleBoard({ run: 1, tapeStartS: AS_OF_S - 89 * DAY_S }));
      rig.venue.list(A, 20);
      expect((await rig.ask(A)).kind).to.equal('queued');
      const answer = await rig.settled(A);
      expect(answer.kind === 'rated' && answer.stored.rating.firstEntries).to.equal(20);
    });
  });

  describe('under load', () => {
    it('compute a wallet once, whoever asks for it at the same time', async () => {
      rig.venue.list(A, 30);
      const answers = await Promise.all(Array.from({ length: 1_000 }, (_, n) => rig.ask(A, `10.0.0.${n}`)));
      expect(new Set(answers.map(({ kind }) => kind))).to.deep.equal(new Set(['queued']));
      await rig.settled(A);
      await rig.until(() => rig.wallets.report().rated > 0);
      // Its one page is read a second time, in two.
      expect([rig.venue.calls.pages, rig.venue.calls.looks]).to.deep.equal([3, 1]);
      expect(rig.wallets.report().rated).to.equal(1);
    });

    it('compute so many at once, in the order in which they came, and tell later ones to wait longer', async () => {
      rig.venue.gate = never;
      for (let n = 1; n <= 12; n++) await rig.store.putWalletRow(rowOf(n));
      await rig.restart();
      await rig.until(() => rig.wallets.report().inWork === WALLETS_COMPUTED_AT_ONCE);
      const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => rig.ask(walletNumber(n + 1))));
      const waits = answers.map((answer) => (answer.kind === 'queued' ? [answer.position, answer.retryAfterS] : null));
      const turns = [1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3].map((turn) => turn * 20);
      expect(waits).to.deep.equal([0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8].map((position, n) => [position, turns[n]]));
      expect(rig.wallets.report()).to.deep.include({ queued: 8, inWork: 4 });
    });

    it('estimate by what computations really took', async () => {
      rig.venue.list(A, 20);
      rig.venue.tear = (page) => {
        rig.clock.advance(30_000);
        return page;
      };
      await rig.settled(A);
      await rig.until(() => rig.wallets.report().rated === 1);
      expect(rig.wallets.report().meanMs).to.equal(90_000);
      rig.venue.gate = never;
      await rig.store.putWalletRow(rowOf(0xb));
      await rig.ask(B);
      rig.clock.advance(60_000);
      expect(await rig.ask(B)).to.deep.include({ kind: 'queued', retryAfterS: 90 });
    });

    it('tell who asks early to come back within a minute, however many are before, and others what it takes', async () => {
      rig.venue.gate = never;
      const nowMs = rig.clock.nowMs();
      for (let n = 1; n <= 40; n++) await rig.store.putWalletRow({ ...rowOf(n), queuedAtMs: nowMs });
      await rig.restart();
      const last = async () => {
        const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => rig.ask(walletNumber(n + 1))));
        return Math.max(...answers.map((answer) => (answer.kind === 'queued' ? answer.retryAfterS : 0)));
      };
      expect(await last()).to.equal(60);
      rig.clock.advance(60_000);
      expect(await last()).to.equal(200);
    });

    it('remember how long a computation takes over a restart', async () => {
      rig.venue.list(A, 20);
      rig.venue.tear = (page) => {
        rig.clock.advance(200);
        return page;
      };
      await rig.settled(A);
      await rig.until(async () => (await rig.store.profileMeanMs()) !== null);
      await rig.restart();
      expect(rig.wallets.report().meanMs).to.equal(600);
    });

    it('keep their order over a restart', async () => {
      rig.venue.gate = never;
      for (let n = 1; n <= 12; n++) await rig.store.putWalletRow({ ...rowOf(n), queuedAtMs: AS_OF_S * 1e3 - n });
      await rig.restart();
      await rig.until(() => rig.wallets.report().inWork === WALLETS_COMPUTED_AT_ONCE);
      const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => rig.ask(walletNumber(n + 1))));
      const slots = answers.map((answer) => (answer.kind === 'queued' ? answer.position : null));
      expect(slots).to.deep.equal([8, 7, 6, 5, 4, 3, 2, 1, 0, 0, 0, 0]);
    });

    it('take no more wallets in than they can hold, and say when to come back', async () => {
      rig.venue.down = true;
      for (let n = 1; n <= WALLETS_IN_WORK_MAX; n++) void rig.store.putWalletRow(rowOf(n));
      await rig.restart();
      const refused = await rejectionOf<Problem>(rig.ask(walletNumber(WALLETS_IN_WORK_MAX + 1)));
      expect(refused.code).to.equal('rate_limited');
      expect(refused.retryAfterS).to.be.at.least(1);
      expect((await rig.ask(walletNumber(1))).kind).to.equal('queued');
    });

    it('let a caller cause only so much work, and everybody ask for what is queued or rated already', async () => {
      await publish(1, {}, B);
      rig.venue.list(A, 20);
      await rig.ask(A, CALLER);
      rig.callerWaitS = (caller) => (caller === CALLER ? 30 : null);
      const refused = await rejectionOf<Problem>(rig.ask(walletNumber(7), CALLER));
      expect([refused.code, refused.retryAfterS]).to.deep.equal(['rate_limited', 30]);
      expect((await rig.ask(walletNumber(7), '10.0.0.2')).kind).to.equal('no_coverage');
      expect((await rig.settled(A)).kind).to.equal('rated');
      expect((await rig.ask(B, CALLER)).kind).to.equal('rated');
    });
  });

  it('refuse nobody for what another caller has used up, though both ask at once', async () => {
    rig.venue.list(A, 20);
    rig.callerWaitS = (caller) => (caller === CALLER ? 30 : null);
    const callers = [CALLER, CALLER, '10.0.0.2', '10.0.0.3'];
    const requested = await Promise.allSettled(callers.map((caller) => rig.ask(A, caller)));
    expect(requested.map((ask) => (ask.status === 'fulfilled' ? ask.value.kind : ask.reason.code))).to.deep.equal([
      'rate_limited',
      'rate_limited',
      'queued',
      'queued',
    ]);
    expect(rig.venue.calls.looks).to.equal(1);
  });

  it('begin nothing once they are stopped, and say so', async () => {
    rig.venue.list(A, 20);
    const requested = rejectionOf<Problem>(rig.ask(A));
    rig.wallets.stop();
    expect((await requested).code).to.equal('shutting_down');
    expect(rig.wallets.report().inWork).to.equal(0);
  });

  it('write nothing any more once they are stopped, though a rating was as good as made', async () => {
    rig.venue.list(A, 20);
    rig.venue.tear = (page) => ({ ...page, names: [] });
    const writes: string[] = [];
    const { store } = rig;
    rig.store = {
      ...store,
      putWalletRow: (row) => store.putWalletRow(row).finally(() => writes.push(row.state)),
      putDemandRating: (stored) => store.putDemandRating(stored).finally(() => writes.push('rating')),
    };
    let isAtLastRead = false;
    const names = deferred<ReadonlyMap<string, string>>();
    rig.tape.namesOf = () => {
      isAtLastRead = true;
      return names.promise;
    };
    rig.wallets = rig.serve();
    await rig.ask(A);
    await rig.until(() => isAtLastRead);
    rig.wallets.stop();
    names.resolve(new Map());
    for (let turns = 0; turns < 20; turns++) await new Promise(setImmediate);
    // A write that has begun would be in order before this one.
    await store.putWalletRow(rowOf(0xb));
    expect(writes).to.deep.equal(['QUEUED', 'PROFILING']);
    expect(await store.demandRating(A)).to.equal(null);
  });

  describe('when the venue fails', () => {
    it('keep the wallet queued, rest longer each time, and rate it when the venue is back', async () => {
      rig.venue.list(A, 20);
      rig.venue.down = true;
      await rig.ask(A);
      for (let failures = 1; failures <= 4; failures++) {
        await rig.until(() => rig.rests.length === failures);
        expect(await rig.ask(A)).to.deep.include({ kind: 'queued' });
        expect(await rig.store.walletRow(A)).to.deep.include({ state: 'FAILED', attempts: failures });
        if (failures === 4) rig.venue.down = false;
        rig.endRests();
      }
      expect((await rig.settled(A)).kind).to.equal('rated');
      expect(rig.rests).to.deep.equal([3_750, 7_500, 15_000, 30_000]);
      await rig.until(() => rig.wallets.report().rated === 1);
      expect(rig.wallets.report()).to.deep.include({ failures: 4, lastError: null });
    });

    it('give the place of a wallet that failed to the next one, as often as there are places', async () => {
      rig.venue.down = true;
      for (let n = 1; n <= WALLETS_COMPUTED_AT_ONCE; n++) await rig.ask(walletNumber(n));
      await rig.until(() => rig.rests.length === WALLETS_COMPUTED_AT_ONCE);
      rig.venue.down = false;
      rig.venue.list(A, 20);
      expect((await rig.settled(A)).kind).to.equal('rated');
      await rig.until(() => rig.wallets.report().rated === 1);
      expect(rig.wallets.report()).to.deep.include({ resting: WALLETS_COMPUTED_AT_ONCE, inWork: 0 });
    });

    it('tell what failed, and when to ask again', async () => {
      rig.venue.down = true;
      await rig.ask(A);
      await rig.until(() => rig.rests.length === 1);
      expect(rig.wallets.report()).to.deep.include({ resting: 1, lastError: 'paper-venue: answers 503' });
      const answer = await rig.ask(A);
      expect(answer.kind === 'queued' && answer.retryAfterS).to.be.at.least(4);
    });

    it('rest no longer than a quarter of an hour, however often it fails', async () => {
      rig.venue.down = true;
      await rig.ask(A);
      for (let failures = 1; failures <= 10; failures++) {
        await rig.until(() => rig.rests.length === failures);
        rig.endRests();
      }
      expect(rig.rests.slice(-3)).to.deep.equal([480_000, 675_000, 675_000]);
    });

    it('give up a computation that takes too long, and try again later', async () => {
      rig.venue.list(A, 20);
      await rig.store.putWalletRow(rowOf(0xa));
      rig.venue.gate = never;
      await rig.ask(A);
      await rig.until(() => rig.timers.waiting === 1);
      rig.timers.advance(PROFILE_MS_MAX - 1);
      expect(rig.wallets.report()).to.deep.include({ inWork: 1, resting: 0 });
      rig.timers.advance(1);
      await rig.until(() => rig.rests.length === 1);
      const lastError = 'trades: the wallet was not computed within 600 s';
      expect(rig.wallets.report()).to.deep.include({ inWork: 0, resting: 1, lastError });
    });

    it('forget a wallet that could not be computed for a day', async () => {
      rig.venue.down = true;
      await rig.ask(A);
      await rig.until(() => rig.rests.length === 1);
      rig.clock.advance(86_400_001);
      rig.endRests();
      await rig.until(async () => (await rig.store.walletRow(A)) === null);
      await rig.until(() => rig.wallets.report().resting === 0);
      expect(rig.wallets.report().rated).to.equal(0);
    });

    it('rate a busy wallet in turns with all else that is to be done', async () => {
      const fills = fillsOf(A, 3 * FILLS_PER_STEP);
      const deps = { trades: rig.venue, facts: rig.venue, tape: rig.tape, clock: rig.clock, config: RATING_CONFIG };
      rig.venue.trades.set(A, fills);
      rig.venue.pageRows = fills.length;
      let turns = 0;
      const turn = () => {
        turns++;
        next = setImmediate(turn);
      };
      let next = setImmediate(turn);
      for (const fill of fills) rig.venue.markets.set(fill.condition, marketOf(fill, true));
      const order = { wallet: A, asOfS: AS_OF_S, attempts: 0 };
      const { stored } = (await profileWallet(order, deps, new AbortController().signal))!;
      clearImmediate(next);
      expect(stored.rating.firstEntries).to.equal(fills.length);
      expect(turns).to.be.at.least(3);
    });

    it('mark a COPY as strong by how edges are spread on the board in force', async () => {
      const fills = fillsOf(A, 300);
      rig.venue.trades.set(A, fills);
      for (const [n, fill] of fills.entries()) rig.venue.markets.set(fill.condition, marketOf(fill, n % 10 < 7));
      const deps = { trades: rig.venue, facts: rig.venue, tape: rig.tape, clock: rig.clock, config: RATING_CONFIG };
      const order = { wallet: A, asOfS: AS_OF_S, attempts: 0 };
      const signal = new AbortController().signal;
      const profiled = async (prior: readonly number[] | null) =>
        (await profileWallet(order, { ...deps, edgePrior: async () => prior }, signal))!.stored;
      const even = EDGES.map(() => 1_000_000);
      const { strength, ...rest } = await profiled(even);
      expect([rest.rating.verdict, strength]).to.deep.equal(['COPY', 'strong']);
      const nobody = EDGES.map((edge) => (edge < 0 ? 1_000_000 : 0));
      for (const prior of [null, nobody]) expect(await profiled(prior)).to.deep.equal(rest);
      await rig.store.publish(sampleBoard({ asOfS: AS_OF_S, edgePrior: even }));
      await rig.settled(A);
      expect((await rig.store.demandRating(A))?.strength).to.equal('strong');
    });

    it('rate no wallet from half of its trades', async () => {
      rig.venue.list(A, 200);
      rig.venue.tear = (page, cursor) => {
        if (cursor !== null) rig.venue.down = true;
        return page;
      };
      await rig.ask(A);
      await rig.until(() => rig.rests.length === 1);
      expect(await rig.store.demandRating(A)).to.equal(null);
    });
  });

  describe('when their machine itself breaks', () => {
    const errors: object[] = [];

    beforeEach(() => {
      errors.length = 0;
      rig.log = { ...rig.log, error: (facts) => errors.push(facts) };
      const fault = () => {
        throw new Error('a fault of this program');
      };
      rig.wallets = rig.serve((steps) => walletMachineWith(steps).provide({ actions: { countFailure: fault } }));
      rig.venue.list(A, 20);
      rig.venue.down = true;
    });

    it('end the run, free its place, and count it', async () => {
      expect((await rig.ask(A)).kind).to.equal('queued');
      await rig.until(() => rig.wallets.report().broken === 1);
      expect(rig.wallets.report()).to.deep.include({ queued: 0, inWork: 0, resting: 0, oldestQueuedAgeMs: null });
      expect(errors.map((facts) => ('wallet' in facts ? facts.wallet : null))).to.deep.equal([A]);
    });

    it('queue the wallet anew when it is asked for, and rate it', async () => {
      await rig.ask(A);
      await rig.until(() => rig.wallets.report().broken === 1);
      rig.venue.down = false;
      expect((await rig.ask(A)).kind).to.equal('queued');
      expect((await rig.settled(A)).kind).to.equal('rated');
    });

    it('queue the wallet anew at the next start', async () => {
      await rig.ask(A);
      await rig.until(() => rig.wallets.report().broken === 1);
      rig.venue.down = false;
      await rig.restart();
      await rig.until(() => rig.wallets.report().rated === 1);
    });
  });

  it('write the transitions of a wallet to the log at debug', async () => {
    const lines: object[] = [];
    rig.log = { ...rig.log, debug: (facts) => lines.push(facts), isLevelEnabled: () => true };
    rig.wallets = rig.serve();
    rig.venue.list(A, 20);
    await rig.settled(A);
    await rig.until(() => rig.wallets.report().rated === 1);
    expect(lines).to.deep.equal([
      { wallet: A, state: 'QUEUED', event: 'xstate.init' },
      { wallet: A, state: 'PROFILING', event: 'turn.came' },
      { wallet: A, state: 'CHECKING', event: 'wallet.profiled' },
      { wallet: A, state: 'PROFILED', event: 'as_of.held' },
    ]);
  });

  describe('with pages of trades', () => {
    const ratingOfTorn = async (tear: typeof rig.venue.tear) => {
      rig.venue.list(A, 120);
      rig.venue.tear = tear;
      const answer = await rig.settled(A);
      return answer.kind === 'rated' ? answer.stored.rating : null;
    };

    it('count what pages repeat once', async () => {
      const plain = await ratingOfTorn((page) => page);
      await rig.remove();
      rig = await WalletsRig.open();
      let last = rig.venue.list(A, 120);
      const repeated = await ratingOfTorn((page) => {
        const before = last;
        last = page.fills;
        return { ...page, fills: [...page.fills, ...before.slice(-10), ...page.fills.slice(0, 5)] };
      });
      expect(repeated).to.deep.equal(plain);
    });

    const torn: readonly (readonly [string, (page: TradePage, call: number) => TradePage, string])[] = [
      [
        'with rows of somebody else',
        (page) => ({ ...page, fills: [...page.fills, { ...page.fills[0]!, wallet: B }] }),
        'trades: the venue lists trades of another wallet',
      ],
      ['with a row that cannot be read', (page) => ({ ...page, unreadable: 1 }), "1 of the wallet's trades"],
      [
        'that lost a row the second time',
        (page, call) => (call > 3 ? { ...page, fills: page.fills.slice(1) } : page),
        'trades: the venue listed other trades when it was asked again',
      ],
      [
        'without rows, of a wallet that has traded',
        (page) => ({ ...page, fills: [], next: null }),
        'lists no trade of it',
      ],
    ];
    for (const [what, tear, why] of torn) {
      it(`make no rating of a list ${what}, and try again`, async () => {
        rig.venue.list(A, 120);
        let calls = 0;
        rig.venue.tear = (page) => tear(page, ++calls);
        await rig.ask(A);
        await rig.until(() => rig.rests.length === 1);
        expect(rig.wallets.report()).to.deep.include({ unreadable: 1, rated: 0 });
        expect(rig.wallets.report().lastError).to.include(why);
        expect(await rig.store.demandRating(A)).to.equal(null);
        rig.venue.tear = (page) => page;
        rig.endRests();
        expect((await rig.settled(A)).kind).to.equal('rated');
      });
    }

    it('make no rating of a wallet of which the tape holds trades and the venue lists none', async () => {
      rig.tape.fills.push(...fillsOf(A, 12));
      rig.venue.hasTraded = async () => {
        throw new Error('it cannot say');
      };
      await rig.ask(A);
      await rig.until(() => rig.rests.length === 1);
      expect(rig.wallets.report().lastError).to.include('the tape holds some');
    });

    it('keep nothing of a wallet that turns out never to have traded', async () => {
      let looks = 0;
      rig.venue.hasTraded = async () => {
        if (looks++ === 0) throw new Error('it cannot say');
        return false;
      };
      expect((await rig.ask(A)).kind).to.equal('queued');
      const answer = await rig.settled(A);
      expect(answer.kind === 'no_coverage' && answer.stored).to.equal(null);
      expect(await rig.store.demandRating(A)).to.equal(null);
    });

    it('have no coverage where a wallet began to trade after the moment of the board', async () => {
      const today = fillsOf(A, 3).map((fill, n) => ({ ...fill, timeS: AS_OF_S + n }));
      rig.venue.trades.set(A, today);
      const answer = await rig.settled(A);
      expect(answer.kind === 'no_coverage' && answer.stored?.rating.firstEntries).to.equal(0);
    });

    it('have no coverage where all that a wallet did since the moment of the board is no trade that is rated', async () => {
      rig.venue.trades.set(
        A,
        fillsOf(A, 2).map((fill, n) => ({ ...fill, timeS: AS_OF_S + n })),
      );
      rig.venue.tear = (page) => ({ ...page, fills: [], skipped: page.fills.length });
      expect((await rig.ask(A)).kind).to.equal('queued');
      const answer = await rig.settled(A);
      expect(answer.kind === 'no_coverage' && answer.stored?.rating.firstEntries).to.equal(0);
    });

    it('stop at a venue that gives the same page for ever', async () => {
      rig.venue.list(A, 20);
      rig.venue.tear = (page) => ({ ...page, fills: [], next: 'same' });
      await rig.ask(A);
      await rig.until(() => rig.rests.length === 1);
      expect(rig.venue.calls.pages).to.equal(2);
    });

    it('stop at a venue whose pages are empty and never end', async () => {
      rig.venue.list(A, 20);
      let page = 0;
      rig.venue.tear = (received) => ({ ...received, fills: [], next: `${1e6 + page++}` });
      await rig.ask(A);
      await rig.until(() => rig.rests.length === 1);
      expect(rig.venue.calls.pages).to.equal(21);
      expect(rig.wallets.report().lastError).to.include('no end of them');
    });

    it('stop at a venue whose pages never end', async () => {
      rig.venue.list(A, 20);
      let page = 0;
      const [newest] = rig.venue.trades.get(A)!.slice(-1);
      rig.venue.tear = (received) => ({ ...received, fills: [newest!], next: `${1e6 + page++}` });
      await rig.ask(A);
      await rig.until(() => rig.rests.length === 1);
      expect(rig.venue.calls.pages).to.equal(WALLET_PAGES_MAX);
      expect(rig.wallets.report().lastError).to.include('pages of trades do not reach back');
    });

    it('whose older part goes on without end count markets that were made since, and are said to begin there', async () => {
      const fills = rig.venue.list(A, 30);
      const oldS = AS_OF_S - 91 * DAY_S;
      for (const [n, { condition }] of fills.entries()) {
        const market = rig.venue.markets.get(condition)!;
        // The first ten may have been bought before: their markets are as old as what was not read.
        rig.venue.markets.set(condition, { ...market, createdAtS: n < 10 ? oldS : oldS + 1 });
      }
      const old = { ...fills[0]!, token: 'old', condition: 'old', timeS: oldS };
      rig.venue.tear = (received, cursor) => {
        if (received.next !== null) return received;
        const at = Number(cursor ?? 0);
        if (at < 1e6) return { ...received, next: '1000000' };
        // The second reading ends where the first one ended.
        const next = at < 1e6 + WALLET_PAGES_MAX ? String(at + 1) : null;
        return { ...received, fills: [old], next };
      };
      const answer = await rig.settled(A);
      if (answer.kind !== 'rated') throw new Error('it was not rated');
      expect(answer.stored.rating.firstEntries).to.equal(20);
      expect(answer.stored.unseen).to.deep.equal({ beforeS: oldS + 1, gap: null, markets: 0 });
      expect(toWalletProfile(answer.stored, answer).tape_note).to.include(isoDate(oldS));
    });
  });

  describe('and the facts of their markets', () => {
    it('are taken from the tape first, and the venue’s news goes into the tape', async () => {
      const fills = rig.venue.list(A, 20);
      for (const { condition } of fills.slice(0, 15))
        rig.tape.markets.set(condition, rig.venue.markets.get(condition)!);
      await rig.settled(A);
      expect(rig.venue.calls.facts).to.equal(1);
      expect(rig.tape.markets.size).to.equal(20);
    });

    it('are not asked for again where all are settled', async () => {
      for (const { condition } of rig.venue.list(A, 20)) {
        rig.tape.markets.set(condition, rig.venue.markets.get(condition)!);
      }
      await rig.settled(A);
      expect(rig.venue.calls.facts).to.equal(0);
    });

    it('are waited for where the venue has no row of one, and then it is rated for free, with a note', async () => {
      rig.venue.list(A, 20);
      const [first] = rig.venue.markets.keys();
      rig.venue.markets.delete(first!);
      await rig.ask(A);
      for (let attempt = 1; attempt < ATTEMPTS_FOR_MARKETS; attempt++) {
        await rig.until(() => rig.rests.length === attempt);
        expect(await rig.store.demandRating(A)).to.equal(null);
        rig.endRests();
      }
      const answer = await rig.settled(A);
      if (answer.kind !== 'rated') throw new Error('it was not rated');
      expect(answer.stored.rating.pending).to.equal(1);
      expect(answer.stored.unseen).to.deep.equal({ beforeS: null, gap: null, markets: 1 });
      expect((await rig.store.demandRating(A))?.unseen).to.deep.equal(answer.stored.unseen);
      expect(toWalletProfile(answer.stored, answer).reasons).to.include(
        'The venue does not describe 1 of its markets: their entries count as pending.',
      );
    });

    const withoutEntry: Readonly<Record<string, (fill: Fill) => readonly Fill[]>> = {
      'only sold in': (fill) => [{ ...fill, side: 'SELL' }],
      'bought less than five shares in': (fill) => [{ ...fill, sizeMicros: 4_999_999 }],
      'bought a token of before the window, and again': (fill) => [
        { ...fill, timeS: AS_OF_S - 91 * DAY_S, tx: '0xearlier' },
        { ...fill, tx: '0xlater' },
      ],
    };
    for (const [what, fillsIn] of Object.entries(withoutEntry)) {
      it(`are not waited for, and cost no COPY, where the venue has no row of one that it ${what}`, async () => {
        listSkilled(A);
        const { stored } = await rated(A);
        expect(stored.rating.verdict).to.equal('COPY');
        listSkilled(B);
        const [entry, ...entries] = rig.venue.trades.get(B)!;
        const undescribed = { ...entry!, token: 'undescribed', condition: 'undescribed' };
        const trades = [entry!, ...fillsIn(undescribed), ...entries].toSorted((a, b) => a.timeS - b.timeS);
        rig.venue.trades.set(B, trades);
        const { rating, unseen } = (await rated(B)).stored;
        expect([rating.verdict, rating.firstEntries, rating.pending, unseen]).to.deep.equal([
          'COPY',
          300,
          0,
          undefined,
        ]);
      });
    }

    it('are waited for where a question about one failed', async () => {
      const [fill] = rig.venue.list(A, 20);
      rig.venue.unasked.set(fill!.condition, 'the CLOB is down');
      await rig.ask(A);
      await rig.until(() => rig.rests.length === 1);
      expect(rig.wallets.report().lastError).to.include('a market of the wallet cannot be read: the CLOB is down');
      rig.venue.unasked.clear();
      rig.endRests();
      expect((await rig.settled(A)).kind).to.equal('rated');
    });

    it('are asked for again where a payout was known by price alone, and stand once they are confirmed', async () => {
      const fills = rig.venue.list(A, 20);
      for (const { condition } of fills) {
        const market = rig.venue.markets.get(condition)!;
        rig.tape.markets.set(condition, { ...market, payoutMicros: [1_000_000, 0], payoutSource: 'price' });
        rig.venue.markets.set(condition, { ...market, payoutMicros: [0, 1_000_000], payoutSource: 'vector' });
      }
      const answer = await rig.settled(A);
      expect(answer.kind === 'rated' && answer.stored.rating.winRatePct).to.equal(0);
    });
  });

  describe('over time', () => {
    it('compute a wallet anew that was rated for an earlier board, and only when it is asked for', async () => {
      rig.venue.list(A, 20);
      await publish(1, { asOfS: AS_OF_S });
      await rig.settled(A);
      await publish(2, { asOfS: AS_OF_S + DAY_S });
      await rig.until(() => rig.wallets.report().rated === 1);
      expect(rig.venue.calls.pages).to.equal(3);
      expect((await rig.ask(A)).kind).to.equal('queued');
      const answer = await rig.settled(A);
      expect(answer.kind === 'rated' && answer.stored.rating.asOfS).to.equal(AS_OF_S + DAY_S);
    });

    it('compute a wallet again whose board changed while it was computed', async () => {
      rig.venue.list(A, 20);
      await publish(1, { asOfS: AS_OF_S });
      const [requested, gate] = [deferred(), deferred()];
      rig.venue.tear = (page) => {
        requested.resolve();
        rig.venue.tear = (next) => next;
        rig.venue.gate = gate.promise;
        return page;
      };
      await rig.ask(A);
      await requested.promise;
      await publish(2, { asOfS: AS_OF_S + DAY_S });
      gate.resolve();
      await rig.until(async () => (await rig.store.demandRating(A))?.rating.asOfS === AS_OF_S + DAY_S);
      expect((await rig.settled(A)).kind).to.equal('rated');
    });

    it('answer from the board what it rated while the wallet waited', async () => {
      rig.venue.down = true;
      await rig.ask(A);
      await rig.until(() => rig.rests.length === 1);
      await publish(1, {}, A);
      expect((await rig.ask(A)).kind).to.equal('rated');
      rig.endRests();
      await rig.until(async () => (await rig.store.walletRow(A)) === null);
      expect(await rig.store.demandRating(A)).to.equal(null);
    });

    it('compute anew what was rated by other cut-offs', async () => {
      rig.venue.list(A, 20);
      await rig.store.putDemandRating({ ...storedRating({ wallet: A }), config: 'others' });
      expect((await rig.ask(A)).kind).to.equal('queued');
    });

    it('go on after a restart with what was queued, computed or failed', async () => {
      rig.venue.down = true;
      rig.venue.list(A, 20);
      rig.venue.list(B, 20);
      await rig.ask(A);
      await rig.until(() => rig.rests.length === 1);
      await rig.store.putWalletRow({ ...rowOf(0xb), state: 'PROFILING' });
      rig.venue.down = false;
      await rig.restart();
      expect(rig.rests[1], 'the rest that was left').to.equal(rig.rests[0]);
      expect((await rig.settled(B)).kind).to.equal('rated');
      expect((await rig.ask(A)).kind).to.equal('queued');
      rig.endRests();
      expect((await rig.settled(A)).kind).to.equal('rated');
    });

    it('go on after a restart though a row cannot be read, and queue its wallet anew', async () => {
      rig.venue.list(A, 20);
      rig.venue.list(B, 20);
      await rig.store.putWalletRow({ ...rowOf(0xa), state: 'NONSENSE' as 'QUEUED' });
      await rig.store.putWalletRow(rowOf(0xb));
      await rig.restart();
      expect((await rig.settled(B)).kind).to.equal('rated');
      expect((await rig.settled(A)).kind).to.equal('rated');
    });

    it('queue a wallet whose row cannot be read when it is asked for', async () => {
      rig.venue.list(A, 20);
      await rig.store.putWalletRow({ ...rowOf(0xa), state: 'NONSENSE' as 'QUEUED' });
      expect((await rig.ask(A)).kind).to.equal('queued');
      expect((await rig.settled(A)).kind).to.equal('rated');
    });

    it('rest no longer than a rest can be, though the clock was set back since', async () => {
      const nextAttemptAtMs = rig.clock.nowMs() + 365 * DAY_S * 1e3;
      await rig.store.putWalletRow({ ...rowOf(0xa), state: 'FAILED', attempts: 1, nextAttemptAtMs });
      await rig.restart();
      await rig.until(() => rig.rests.length === 1);
      expect(rig.rests).to.deep.equal([WALLET_BACKOFF.maxMs]);
    });

    for (const [time, of, refresh] of [
      ['04:29', 'yesterday', '2026-08-01T04:30:00.000Z'],
      ['04:30', 'yesterday', '2026-08-01T04:45:00.000Z'],
      ['04:31', 'yesterday', '2026-08-01T04:46:00.000Z'],
      ['03:20', 'today', '2026-08-02T04:30:00.000Z'],
      ['04:31', 'today', '2026-08-02T04:30:00.000Z'],
    ] as const) {
      it(`say at ${time} of the board of ${of} that it is refreshed next at ${refresh}`, async () => {
        await publish(1, { asOfS: of === 'today' ? AS_OF_S : AS_OF_S - DAY_S }, A);
        rig.clock.advance(Date.parse(`2026-08-01T${time}:00Z`) - rig.clock.nowMs());
        const answer = await rig.ask(A);
        expect(answer.kind === 'rated' && new Date(answer.nextRefreshS * 1e3).toISOString()).to.equal(refresh);
      });
    }
  });

  function rowOf(n: number) {
    const atMs = rig.clock.nowMs();
    const state = 'QUEUED' as const;
    return { wallet: walletNumber(n), state, queuedAtMs: atMs, attempts: 0, nextAttemptAtMs: atMs, lastError: null };
  }
});
