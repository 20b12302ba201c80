import { expect } from 'chai';
import pg from 'pg';
import { BOARD_CACHED_MS } from '#adapters/postgres/ratings/cached-board';
import { JOB_LEASE_MS } from '#ports/job-leases';
import type { RatingsStore } from '#ports/ratings-store';
import { describeBasisStore } from '#test/contract/basis-store.contract';
import { describeFollowStore } from '#test/contract/follow-store.contract';
import { describeRatingsStore } from '#test/contract/ratings-store.contract';
import { describeScoreStore } from '#test/contract/score-store.contract';
import { walletNumber } from '#test/contract/store.contract';
import { postgresRatingsFixtures } from '#test/contract/support/postgres-ratings-fixture';
import { postgresServer } from '#test/support/postgres';
import { sampleBoard, storedRating } from '#test/support/sample-ratings';
import { PROCESS_TEST_MS } from '#test/support/time-limits';

const A = walletNumber(0xa);
/** Returns how many questions went to pools meanwhile. */
async function countingQuestions(work: () => Promise<void>): Promise<number> {
  const { query } = pg.Pool.prototype;
  let requested = 0;
  pg.Pool.prototype.query = function counted(this: pg.Pool, ...args: unknown[]) {
    requested++;
    return Reflect.apply(query, this, args);
  } as typeof query;
  try {
    await work();
  } finally {
    pg.Pool.prototype.query = query;
  }
  return requested;
}

describe('the ratings on PostgreSQL', function () {
  this.timeout(PROCESS_TEST_MS);
  const server = postgresServer();
  const makeFixture = postgresRatingsFixtures(server);

  describeRatingsStore('PostgreSQL', makeFixture);
  describeScoreStore('PostgreSQL', makeFixture);
  describeBasisStore('PostgreSQL', makeFixture);
  describeFollowStore('PostgreSQL', makeFixture);

  describe('what a replica keeps', () => {
    let fixture: Awaited<ReturnType<typeof makeFixture>>;
    let mine: RatingsStore;
    let other: RatingsStore;
    let nowMs: number;

    beforeEach(async () => {
      fixture = await makeFixture();
      nowMs = 0;
      mine = await fixture.open({ elapsedMs: () => nowMs });
      other = await fixture.open();
      await other.putBoardRatings(1, [storedRating({ wallet: A, reasonText: 'run 1' })]);
      await other.publish(sampleBoard({ run: 1 }));
    });

    afterEach(() => fixture.remove());

    const publishNext = async () => {
      await other.putBoardRatings(2, [storedRating({ wallet: A, reasonText: 'run 2' })]);
      await other.publish(sampleBoard({ run: 2 }));
    };

    it('is the board, for five seconds at most', async () => {
      expect((await mine.board())?.run).to.equal(1);
      await publishNext();
      nowMs = BOARD_CACHED_MS - 1;
      expect((await mine.board())?.run).to.equal(1);
      nowMs = BOARD_CACHED_MS;
      expect((await mine.board())?.run).to.equal(2);
      expect((await other.board())?.run, 'the one who put it in force').to.equal(2);
    });

    it('is a rating for as long as its board', async () => {
      expect((await mine.boardRating(A))?.rating.reasonText).to.equal('run 1');
      await fixture.sql('DELETE FROM rating');
      expect((await mine.boardRating(A))?.rating.reasonText).to.equal('run 1');
      await publishNext();
      nowMs = BOARD_CACHED_MS;
      expect((await mine.boardRating(A))?.rating.reasonText).to.equal('run 2');
    });

    it('is given up as soon as a rating of a newer board comes in sight', async () => {
      expect((await mine.board())?.run).to.equal(1);
      await publishNext();
      expect((await mine.boardRating(A))?.rating.reasonText).to.equal('run 2');
      expect((await mine.board())?.run).to.equal(2);
    });

    it('takes one question for all wallets that one turn asks about', async () => {
      const wallets = Array.from({ length: 400 }, (_, n) => walletNumber(n + 1));
      await other.putBoardRatings(
        2,
        wallets.map((wallet) => storedRating({ wallet })),
      );
      await other.publish(sampleBoard({ run: 2 }));
      await mine.board();
      const questions = await countingQuestions(async () => {
        const found = await Promise.all(wallets.map((wallet) => mine.boardRating(wallet)));
        expect(found.map((stored) => stored?.rating.wallet)).to.deep.equal(wallets);
      });
      expect(questions).to.equal(1);
    });
  });

  describe('rows that cannot be read', () => {
    it('fail their own caller only, and name the row', async () => {
      const fixture = await makeFixture();
      const store = await fixture.open();
      const B = walletNumber(0xb);
      await store.putBoardRatings(
        1,
        [A, B].map((wallet) => storedRating({ wallet })),
      );
      await store.publish(sampleBoard({ run: 1 }));
      await fixture.sql(`UPDATE rating SET doc = '[1, "cut' WHERE wallet = '${A}'`);
      const [bad, good] = await Promise.allSettled([store.boardRating(A), store.boardRating(B)]);
      expect(bad.status === 'rejected' && bad.reason.message).to.include(`row rating/1/${A} is malformed`);
      expect(good.status).to.equal('fulfilled');
      await fixture.remove();
    });
  });

  describe('the lease of a job', () => {
    it("runs out by the database's clock, whatever the clocks of replicas say", async () => {
      const fixture = await makeFixture();
      const store = await fixture.open();
      const hold = (await store.jobs.claim('night', 'a'))!;
      const realNow = Date.now;
      try {
        // A replica whose wall clock is an hour ahead must not take a lease that is good.
        Date.now = () => realNow() + 3_600_000;
        expect(await store.jobs.claim('night', 'b')).to.equal(null);
        Date.now = () => realNow() - 3_600_000;
        await fixture.sql(`UPDATE job_lease SET until = until - interval '${JOB_LEASE_MS} milliseconds'`);
        expect((await store.jobs.claim('night', 'b'))?.epoch).to.equal(hold.epoch + 1);
      } finally {
        Date.now = realNow;
      }
      const [lease] = await fixture.sql(
        `SELECT until - clock_timestamp() BETWEEN interval '1 s' AND interval '${JOB_LEASE_MS} milliseconds' AS is_ours FROM job_lease`,
      );
      expect(lease).to.deep.equal({ is_ours: true });
      await fixture.remove();
    });
  });
});
