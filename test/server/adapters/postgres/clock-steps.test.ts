import { expect } from 'chai';
import type { WalletRow } from '#ports/ratings-store';
import type { Store } from '#ports/store';
import type { SharedRatings } from '#ports/wallet-claims';
import { walletNumber } from '#test/contract/store.contract';
import { postgresFixtures } from '#test/contract/support/postgres-fixture';
import { type PostgresRatingsFixture, postgresRatingsFixtures } from '#test/contract/support/postgres-ratings-fixture';
import { samplePayment } from '#test/contract/support/sample-payment';
import { postgresServer, query } from '#test/support/postgres';
import { PROCESS_TEST_MS } from '#test/support/time-limits';

const LIMIT = { windowS: 60, points: 10 };
/** By how much the clock of the database is set back, and that what was held before still is. */
const STEPS = [
  ['2 d', false],
  ['1 h', false],
  ['90 s', false],
  ['1 s', true],
] as const;

describe('a database whose clock is set back', function () {
  this.timeout(PROCESS_TEST_MS);
  const server = postgresServer();
  const makeMoney = postgresFixtures(server);
  const makeRatings = postgresRatingsFixtures(server);
  let money: Awaited<ReturnType<typeof makeMoney>>;
  let ratings: PostgresRatingsFixture;
  let store: Store;
  let shared: SharedRatings;

  beforeEach(async () => {
    [money, ratings] = [await makeMoney(), await makeRatings()];
    [store, shared] = [await money.open(), await ratings.open()];
  });
  afterEach(async () => {
    await money.remove();
    await ratings.remove();
  });

  /** What is noted by its clock lies later by as much. */
  const isLater = (by: string) => `SET until = until + interval '${by}'`;

  for (const [by, isHeld] of STEPS) {
    const title = isHeld ? `by ${by} keeps` : `by ${by} lets others have`;

    it(`${title} the payments of a process that holds a lease`, async () => {
      await store.leases.hold('dead', 5);
      const payment = samplePayment(1, { state: 'CLAIMED', owner: 'dead' });
      await store.transact({ payment: payment.key }, () => ({ writes: { payment }, result: null }));
      await query(money.url, `UPDATE replica ${isLater(by)}`);
      const [found] = await store.ownedPayments([payment.key]);
      const decided = await store.transact({ payment: payment.key }, (rows) => ({ writes: {}, result: rows }));
      const { others } = await store.leases.hold('alive', 5);
      expect([found!.isOwnerAlive, decided.isOwnerAlive, others.length]).to.deep.equal([
        isHeld,
        isHeld,
        isHeld ? 1 : 0,
      ]);
      await store.leases.hold('dead', 5);
      expect((await store.ownedPayments([payment.key]))[0]!.isOwnerAlive, 'renewed').to.equal(true);
    });

    it(`${title} the jobs and wallets of a process that has taken them`, async () => {
      const wallet = walletNumber(1);
      const due = { nowMs: Date.now(), queuedUntilMs: Date.now() };
      const rest = { attempts: 0, queuedAtMs: 1, nextAttemptAtMs: 1, lastError: null };
      const wanted: WalletRow = { wallet, state: 'QUEUED', ...rest };
      await shared.claims.enter(wanted, 10);
      await shared.jobs.claim('night', 'dead');
      await shared.claims.take('dead', 1, due);
      await ratings.sql(`UPDATE job_lease ${isLater(by)}`);
      await ratings.sql(`UPDATE wallet_row ${isLater(by)}`);
      expect((await shared.claims.positionOf(wallet))?.isInWork).to.equal(isHeld);
      const [job, taken] = [await shared.jobs.claim('night', 'alive'), await shared.claims.take('alive', 1, due)];
      expect([job?.epoch ?? null, taken.length]).to.deep.equal(isHeld ? [null, 0] : [2, 1]);
    });

    it(`${title} what is left of a window of a limit`, async () => {
      await shared.limits.take('k', 10, LIMIT);
      await ratings.sql(`UPDATE limit_used ${isLater(by)}`);
      expect((await shared.limits.take('k', 1, LIMIT)) === null).to.equal(!isHeld);
    });
  }
});
