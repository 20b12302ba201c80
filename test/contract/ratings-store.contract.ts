import { expect } from 'chai';
import type { WalletAddress } from '#domain/ids';
import { RATING_REASONS } from '#domain/rating/rating';
import type { StoredRating } from '#domain/rating/stored-rating';
import type { RatingsStore, TrimmedPage, WalletRow } from '#ports/ratings-store';
import type { Cursor } from '#ports/store';
import { outsideErrorOf } from '#test/support/promises';
import { AS_OF_S, EMPTY_POOL, sampleBoard, storedRating } from '#test/support/sample-ratings';
import { walletNumber } from './store.contract.js';

/**
 * Where an engine keeps one test's ratings. Opening it again, also at the same time, finds the same
 * rows.
 */
export interface RatingsFixture {
  open(): Promise<RatingsStore>;
  remove(): Promise<void>;
}

const DAY_S = 86_400;
const [A, B, C] = [walletNumber(0xa), walletNumber(0xb), walletNumber(0xc)];

const queuedRow = (wallet: WalletAddress, changes: Partial<WalletRow> = {}): WalletRow => ({
  wallet,
  state: 'QUEUED',
  queuedAtMs: 1_780_000_000_000,
  attempts: 0,
  nextAttemptAtMs: 1_780_000_000_000,
  lastError: null,
  ...changes,
});

/** Ratings of a run: each wallet's sentence says which run it is of. */
const ratingsOf = (run: number, wallets: readonly string[]): readonly StoredRating[] =>
  wallets.map((wallet) => storedRating({ wallet, asOfS: AS_OF_S + run * DAY_S, reasonText: `run ${run}` }));

async function publish(store: RatingsStore, run: number, wallets: readonly string[]): Promise<void> {
  await store.putBoardRatings(run, ratingsOf(run, wallets));
  await store.publish(sampleBoard({ run, asOfS: AS_OF_S + run * DAY_S, walletsSeen: wallets.length }));
}

/** What every engine behind the RatingsStore port has to do. */
export function describeRatingsStore(name: string, makeFixture: () => Promise<RatingsFixture>): void {
  describe(`${name} ratings store`, () => {
    let fixture: RatingsFixture;
    let store: RatingsStore;

    beforeEach(async () => {
      fixture = await makeFixture();
      store = await fixture.open();
    });

    afterEach(() => fixture.remove());

    const reopen = async () => {
      await store.close();
      store = await fixture.open();
    };

    it('finds nothing in the beginning', async () => {
      expect(await store.board()).to.equal(null);
      expect(await store.boardRating(A)).to.equal(null);
      expect(await store.history(A, 10)).to.deep.equal([]);
      expect(await store.demandRating(A)).to.equal(null);
      expect(await store.walletRow(A)).to.equal(null);
      expect(await store.walletRows(null, 10)).to.deep.equal({ items: [], next: null });
      expect(await store.runReport()).to.equal(null);
    });

    it('lists all that is kept, page by page: ratings of a run and on demand, and verdicts of runs in force', async () => {
      await publish(store, 1, [A, B]);
      await publish(store, 2, [A, B, C]);
      await store.putBoardRatings(3, ratingsOf(3, [C]));
      const demand = [A, C].map((wallet) => storedRating({ wallet }));
      for (const one of demand) await store.putDemandRating(one);
      const { runRatings, demandRatings, verdicts } = store.listing;
      const first = await runRatings(2, null, 2);
      const rest = await runRatings(2, first.next, 2);
      expect([...first.items, ...rest.items]).to.deep.equal(ratingsOf(2, [A, B, C]));
      expect([first.faults, rest.faults, rest.next]).to.deep.equal([[], [], null]);
      expect((await runRatings(1, null, 10)).items, 'forgotten').to.deep.equal([]);
      expect(await demandRatings(null, 10)).to.deep.equal({ items: demand, faults: [], next: null });
      const all = await verdicts(null, 10);
      const found = all.items.map(({ wallet, run }) => `${run} ${wallet}`).toSorted();
      const wanted = [1, 2].flatMap((run) => [A, B, ...(run === 2 ? [C] : [])].map((wallet) => `${run} ${wallet}`));
      expect(found).to.deep.equal(wanted.toSorted());
      const { wallet: _, run: __, ...record } = all.items.find(({ wallet, run }) => wallet === A && run === 2)!;
      expect(record).to.deep.equal((await store.history(A, 1))[0]);
    });

    it('gives ratings of every reason back as they were written, also after it was opened anew', async () => {
      const made = RATING_REASONS.map((reason, n) => storedRating({ wallet: walletNumber(n + 1), reason }));
      const bare = storedRating(
        {
          wallet: C,
          verdict: 'NO_COVERAGE',
          reason: 'below_floor',
          winRatePct: null,
          roiSlippagePct: null,
          roiFeePct: null,
          avgEntryPrice: null,
          clipsPerEntryAvg: null,
          firstTradeS: null,
          lastTradeS: null,
          window: EMPTY_POOL,
          sample: 'thin',
          entriesNeeded: null,
        },
        null,
      );
      const negative = storedRating({ wallet: B, verdict: 'VETO', roiFeePct: -0.1 - 0.2, reasonText: 'ü – 1%' });
      const unseen = { beforeS: 7, gap: { fromS: 8, toS: 9 }, markets: 2 };
      const marked = [{}, { unseen }, { strength: 'strong' as const }, { unseen, strength: 'strong' as const }].map(
        (more, n): StoredRating => ({ ...storedRating({ wallet: walletNumber(0x100 + n) }), ...more }),
      );
      await store.putBoardRatings(1, [...made, bare, negative, ...marked]);
      const edgePrior = [0, 400_000_000, 600_000_000];
      const board = sampleBoard({ run: 1, tapeStartS: 5, leaderboard: [A, B], redList: [C], edgePrior });
      await store.publish(board);
      await reopen();
      expect(await store.board()).to.deep.equal(board);
      for (const stored of [
        ...made.filter(({ rating }) => rating.wallet !== B && rating.wallet !== C),
        bare,
        negative,
        ...marked,
      ]) {
        expect(await store.boardRating(stored.rating.wallet)).to.deep.equal(stored);
      }
    });

    it('keeps how long a rating takes, also after it was opened anew', async () => {
      expect(await store.profileMeanMs()).to.equal(null);
      await store.putProfileMeanMs(700);
      await reopen();
      expect(await store.profileMeanMs()).to.equal(700);
    });

    it('shows nothing of a run before it is in force, and all of it from then on', async () => {
      await publish(store, 1, [A, B]);
      await store.putBoardRatings(2, ratingsOf(2, [A]));
      await store.putBoardRatings(2, ratingsOf(2, [C]));
      expect((await store.boardRating(A))?.rating.reasonText).to.equal('run 1');
      expect(await store.boardRating(C)).to.equal(null);
      expect(await store.history(C, 10)).to.deep.equal([]);
      await store.publish(sampleBoard({ run: 2 }));
      expect((await store.boardRating(A))?.rating.reasonText).to.equal('run 2');
      expect((await store.boardRating(C))?.rating.reasonText).to.equal('run 2');
      expect(await store.boardRating(B), 'a rating of the run before').to.equal(null);
    });

    it('keeps every verdict that was in force, newest first, and none of a run that never was', async () => {
      await publish(store, 1, [A, B]);
      await store.putBoardRatings(2, ratingsOf(2, [A]));
      await publish(store, 3, [A]);
      const days = async (limit: number) =>
        (await store.history(A, limit)).map(({ asOfS }) => (asOfS - AS_OF_S) / DAY_S);
      expect(await days(10)).to.deep.equal([3, 1]);
      expect(await days(1)).to.deep.equal([3]);
      expect(await store.history(B, 10)).to.deep.equal([
        { asOfS: AS_OF_S + DAY_S, verdict: 'COPY', reason: 'validated', config: 'c0ffee00c0ffee00' },
      ]);
    });

    it('takes the verdicts of before a day out of histories, a few at a time, and leaves the younger ones', async () => {
      for (const run of [1, 2, 3, 4]) await publish(store, run, run === 2 ? [A, C] : [A, B]);
      const beforeS = AS_OF_S + 3 * DAY_S;
      let [removed, looks]: [number, number] = [0, 0];
      let from: Cursor = null;
      do {
        const swept: TrimmedPage = await store.trimHistory(beforeS, from, 2);
        expect(swept.removed).to.be.at.most(2);
        [removed, looks, from] = [removed + swept.removed, looks + 1, swept.next];
      } while (from !== null);
      expect(removed).to.equal(4);
      expect(looks).to.be.within(3, 4);
      const days = async (wallet: WalletAddress) =>
        (await store.history(wallet, 10)).map(({ asOfS }) => (asOfS - AS_OF_S) / DAY_S);
      expect([await days(A), await days(B), await days(C)]).to.deep.equal([[4, 3], [4, 3], []]);
      expect(await store.trimHistory(beforeS, null, 10)).to.deep.equal({ removed: 0, next: null });
    });

    it('counts a day that was rated twice once, by its newest verdict', async () => {
      const day = (reason: 'is_small' | 'validated') => [storedRating({ wallet: A, asOfS: AS_OF_S, reason })];
      await store.putBoardRatings(1, day('is_small'));
      await store.publish(sampleBoard({ run: 1 }));
      await store.putBoardRatings(2, day('validated'));
      await store.publish(sampleBoard({ run: 2 }));
      expect((await store.history(A, 10)).map(({ reason }) => reason)).to.deep.equal(['validated']);
    });

    it('holds nobody to a verdict below the floor', async () => {
      await store.putBoardRatings(1, [storedRating({ wallet: A, verdict: 'NO_COVERAGE', reason: 'below_floor' })]);
      await store.publish(sampleBoard({ run: 1 }));
      expect((await store.boardRating(A))?.rating.verdict).to.equal('NO_COVERAGE');
      expect(await store.history(A, 10)).to.deep.equal([]);
    });

    it('refuses the older of two runs that overlap, from the moment the newer one begins', async () => {
      const other = await fixture.open();
      await store.putBoardRatings(5, ratingsOf(5, [A]));
      await other.putBoardRatings(6, ratingsOf(6, [B]));
      for (const late of [
        () => store.putBoardRatings(5, ratingsOf(5, [C])),
        () => store.publish(sampleBoard({ run: 5 })),
      ]) {
        expect((await outsideErrorOf(late())).message).to.include('run 5 is not the newest one');
      }
      await other.publish(sampleBoard({ run: 6 }));
      expect(await store.boardRating(A)).to.equal(null);
      expect((await store.boardRating(B))?.rating.reasonText).to.equal('run 6');
      for (const again of [
        () => store.putBoardRatings(6, ratingsOf(6, [A])),
        () => store.publish(sampleBoard({ run: 6 })),
      ]) {
        expect((await outsideErrorOf(again())).failure).to.equal('final');
      }
      await other.close();
    });

    it('tells the newest run to everybody, from the moment it begins', async () => {
      const other = await fixture.open();
      expect(await other.newestRun()).to.equal(0);
      await publish(store, 5, [A]);
      expect(await other.newestRun()).to.equal(5);
      await store.putBoardRatings(7, ratingsOf(7, [A]));
      expect([await store.newestRun(), await other.newestRun()]).to.deep.equal([7, 7]);
      await other.close();
    });

    it('puts a board without wallets in force', async () => {
      await publish(store, 1, [A]);
      await store.publish(sampleBoard({ run: 2, walletsSeen: 0 }));
      expect((await store.board())?.run).to.equal(2);
      expect(await store.boardRating(A)).to.equal(null);
    });

    it('replaces many ratings of earlier runs, in whatever number of batches', async () => {
      const many = Array.from({ length: 2_500 }, (_, n) => walletNumber(n + 1));
      await publish(store, 1, many);
      await publish(store, 2, many.slice(0, 10));
      expect(await store.boardRating(many[0]!)).to.not.equal(null);
      expect(await store.boardRating(many[10]!)).to.equal(null);
      expect(await store.history(many[2_499]!, 10)).to.have.length(1);
    });

    it('keeps a rating on demand and forgets that the wallet was queued, at once', async () => {
      await store.putWalletRow(queuedRow(A));
      await store.putWalletRow(queuedRow(B));
      const stored = storedRating({ wallet: A });
      await store.putDemandRating(stored);
      await reopen();
      expect(await store.demandRating(A)).to.deep.equal(stored);
      expect(await store.walletRow(A)).to.equal(null);
      expect(await store.walletRow(B)).to.deep.equal(queuedRow(B));
      await store.putDemandRating(storedRating({ wallet: A, asOfS: AS_OF_S + DAY_S }));
      expect((await store.demandRating(A))?.rating.asOfS).to.equal(AS_OF_S + DAY_S);
    });

    it('forgets ratings on demand that are a month older than the board', async () => {
      await store.putDemandRating(storedRating({ wallet: A, asOfS: AS_OF_S - 31 * DAY_S }));
      await store.putDemandRating(storedRating({ wallet: B, asOfS: AS_OF_S - 29 * DAY_S }));
      await store.publish(sampleBoard({ run: 1 }));
      expect(await store.demandRating(A)).to.equal(null);
      expect(await store.demandRating(B)).to.not.equal(null);
    });

    it('lists wallets in work page by page, changes them and removes them', async () => {
      const failed = queuedRow(B, { state: 'FAILED', attempts: 3, nextAttemptAtMs: 9, lastError: 'venue: timeout' });
      for (const row of [queuedRow(A), failed, queuedRow(C, { state: 'PROFILING' })]) await store.putWalletRow(row);
      const pages: (readonly WalletRow[])[] = [];
      let from: Cursor = null;
      do {
        const { items, next }: { items: readonly WalletRow[]; next: Cursor } = await store.walletRows(from, 2);
        pages.push(items);
        from = next;
      } while (from !== null);
      expect(pages).to.deep.equal([[queuedRow(A), failed], [queuedRow(C, { state: 'PROFILING' })]]);
      await store.removeWalletRow(A);
      await store.removeWalletRow(A);
      expect(await store.walletRow(A)).to.equal(null);
    });

    it('keeps how the last run went', async () => {
      for (const report of [
        { startedAtMs: 5, endedAtMs: null, error: null },
        { startedAtMs: 5, endedAtMs: 7, error: 'tape: gone' },
      ]) {
        await store.putRunReport(report);
        expect(await store.runReport()).to.deep.equal(report);
      }
    });

    it('shows a change at once to whoever else has it open', async () => {
      const other = await fixture.open();
      await publish(store, 1, [A]);
      expect((await other.board())?.run).to.equal(1);
      await other.putWalletRow(queuedRow(B));
      expect(await store.walletRow(B)).to.deep.equal(queuedRow(B));
      await other.close();
    });

    describe('through two doors', () => {
      let other: RatingsStore;

      beforeEach(async () => {
        other = await fixture.open();
      });

      afterEach(() => other.close());

      it('lets the newer of two runs through that write at once, and nothing of the older one be seen', async () => {
        const batches = Array.from({ length: 8 }, (_, n) => [walletNumber(100 + n)]);
        const older = Promise.allSettled(batches.map((batch) => store.putBoardRatings(5, ratingsOf(5, batch))));
        const newer = batches.map((batch) => other.putBoardRatings(6, ratingsOf(6, batch)));
        await Promise.all(newer);
        await older;
        expect((await outsideErrorOf(store.publish(sampleBoard({ run: 5 })))).failure).to.equal('final');
        await other.publish(sampleBoard({ run: 6 }));
        for (const [wallet] of batches) {
          expect((await store.boardRating(wallet!))?.rating.reasonText).to.equal('run 6');
          expect(await store.history(wallet!, 10)).to.have.length(1);
        }
      });

      it('puts one of two boards in force that are published at once, whole', async () => {
        await store.putBoardRatings(5, ratingsOf(5, [A, B]));
        await other.putBoardRatings(6, ratingsOf(6, [A, C]));
        const boards = [sampleBoard({ run: 5 }), sampleBoard({ run: 6 })];
        const [older, newer] = await Promise.allSettled([store.publish(boards[0]!), other.publish(boards[1]!)]);
        expect([older.status, newer.status]).to.deep.equal(['rejected', 'fulfilled']);
        expect((await other.board())?.run).to.equal(6);
        const shown = await Promise.all([A, B, C].map((wallet) => other.boardRating(wallet)));
        expect(shown.map((stored) => stored?.rating.reasonText)).to.deep.equal(['run 6', undefined, 'run 6']);
      });

      it('goes on with a newer run while another process forgets the ones before', async () => {
        const many = Array.from({ length: 2_500 }, (_, n) => walletNumber(n + 1));
        await publish(store, 1, many);
        const runs = [other.putBoardRatings(3, ratingsOf(3, [A])), store.putBoardRatings(4, ratingsOf(4, [B]))];
        await Promise.allSettled(runs);
        await store.publish(sampleBoard({ run: 4 }));
        expect((await store.listing.runRatings(1, null, 10)).items).to.have.length(0);
        expect((await store.boardRating(B))?.rating.reasonText).to.equal('run 4');
      });

      it('keeps a rating on demand for both, and has the wallet leave the queue of both', async () => {
        await store.putWalletRow(queuedRow(A));
        expect(await other.walletRow(A)).to.deep.equal(queuedRow(A));
        await other.putDemandRating(storedRating({ wallet: A }));
        expect(await store.walletRow(A)).to.equal(null);
        expect(await store.demandRating(A)).to.deep.equal(storedRating({ wallet: A }));
      });
    });

    describe('leases of jobs', () => {
      let other: RatingsStore;

      beforeEach(async () => {
        other = await fixture.open();
      });

      afterEach(() => other.close());

      it('gives a job to one of two that claim it at once, and each job for itself', async () => {
        const claims = await Promise.all([store.jobs.claim('night', 'a'), other.jobs.claim('night', 'b')]);
        expect(claims.filter((hold) => hold !== null)).to.have.length(1);
        expect(await other.jobs.claim('sweeper', 'b')).to.deep.equal({ job: 'sweeper', owner: 'b', epoch: 1 });
      });

      it('lets the owner claim and renew it again and again, in the same epoch', async () => {
        const hold = (await store.jobs.claim('night', 'a'))!;
        expect(await store.jobs.renew(hold)).to.equal(true);
        expect(await store.jobs.claim('night', 'a')).to.deep.equal(hold);
        expect(await other.jobs.claim('night', 'b')).to.equal(null);
      });

      it('gives a released job to the next one, in a later epoch, and the earlier owner has no say any more', async () => {
        const hold = (await store.jobs.claim('night', 'a'))!;
        await store.jobs.release(hold);
        const next = (await other.jobs.claim('night', 'b'))!;
        expect(next).to.deep.equal({ job: 'night', owner: 'b', epoch: hold.epoch + 1 });
        expect(await store.jobs.renew(hold)).to.equal(false);
        await store.jobs.release(hold);
        expect(await other.jobs.renew(next)).to.equal(true);
      });

      it('refuses the board of a run whose job is in other hands, though no newer run has begun', async () => {
        const hold = (await store.jobs.claim('night', 'a'))!;
        await store.putBoardRatings(5, ratingsOf(5, [A]));
        await store.jobs.release(hold);
        await other.jobs.claim('night', 'b');
        expect((await outsideErrorOf(store.publish(sampleBoard({ run: 5 }), hold))).failure).to.equal('final');
        expect(await other.board()).to.equal(null);
      });

      it('takes the board of a run whose job is still held', async () => {
        const hold = (await store.jobs.claim('night', 'a'))!;
        await store.putBoardRatings(5, ratingsOf(5, [A]));
        await store.publish(sampleBoard({ run: 5 }), hold);
        expect((await other.board())?.run).to.equal(5);
      });
    });

    it('finishes what was begun when it is closed, and refuses what comes later', async () => {
      const begun = Array.from({ length: 20 }, (_, n) => store.putWalletRow(queuedRow(walletNumber(n + 1))));
      await store.close();
      await Promise.all(begun);
      for (const late of [() => store.board(), () => store.putWalletRow(queuedRow(A))]) {
        expect((await outsideErrorOf(late())).failure).to.equal('retryable');
      }
      store = await fixture.open();
      expect((await store.walletRows(null, 100)).items).to.have.length(20);
    });
  });
}
