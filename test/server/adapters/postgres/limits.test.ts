import { expect } from 'chai';
import pg from 'pg';
import { createGuessLimiter } from '#http/limits/guess-limit';
import { createRateLimiter, type RateLimiter } from '#http/limits/rate-limit';
import { withShared } from '#http/limits/shared-limiter';
import type { SharedLimits } from '#ports/shared-limits';
import type { SharedRatings } from '#ports/wallet-claims';
import { type PostgresRatingsFixture, postgresRatingsFixtures } from '#test/contract/support/postgres-ratings-fixture';
import { ManualClock } from '#test/support/manual-clock';
import { postgresServer } from '#test/support/postgres';
import { PROCESS_TEST_MS } from '#test/support/time-limits';

const ADDRESS = '192.0.2.1';
const LIMIT = { windowS: 60, points: 10 };

describe('limits that replicas count together', function () {
  this.timeout(PROCESS_TEST_MS);
  const makeFixture = postgresRatingsFixtures(postgresServer());
  let fixture: PostgresRatingsFixture;
  let stores: readonly SharedRatings[];

  beforeEach(async () => {
    fixture = await makeFixture();
    stores = [await fixture.open(), await fixture.open()];
  });

  afterEach(() => fixture.remove());

  /** The limiter of one replica. */
  const limiterOf = (limits: SharedLimits): RateLimiter =>
    withShared(createRateLimiter(LIMIT, 10, new ManualClock()), limits, { ...LIMIT, name: 'test' });

  it('let as many through at two replicas as at one, also of those that come at once', async () => {
    const [one, other] = stores.map(({ limits }) => limiterOf(limits));
    const waits = await Promise.all(Array.from({ length: 40 }, (_, n) => (n % 2 === 0 ? one! : other!).take(ADDRESS)));
    expect(waits.filter((wait) => wait === null)).to.have.length(10);
    for (const wait of waits) if (wait !== null) expect(wait).to.be.within(1, 60);
    expect(await other!.take('192.0.2.2')).to.equal(null);
  });

  it('give points back at any of them, and count a refused try nowhere', async () => {
    const [one, other] = stores.map(({ limits }) => limiterOf(limits));
    expect(await one!.take(ADDRESS, 8)).to.equal(null);
    expect(await other!.take(ADDRESS, 8)).to.be.within(1, 60);
    expect(await other!.take(ADDRESS, 2)).to.equal(null);
    await one!.giveBack(ADDRESS, 8);
    expect(await other!.take(ADDRESS, 8)).to.equal(null);
    expect(await one!.take(ADDRESS, 1)).to.be.within(1, 60);
  });

  it('take back at once also what was taken before the database failed', async () => {
    const limiter = limiterOf(stores[0]!.limits);
    expect(await limiter.take(ADDRESS, 8)).to.equal(null);
    const other = new pg.Client({ connectionString: fixture.url });
    await other.connect();
    await other.query('BEGIN; LOCK TABLE limit_used');
    expect(await limiter.take(ADDRESS, 1)).to.equal(null);
    await other.query('COMMIT');
    await other.end();
    await limiter.giveBack(ADDRESS, 8);
    expect(await limiterOf(stores[1]!.limits).take(ADDRESS, 9)).to.equal(null);
  });

  it("begin anew when the window is over by the database's clock, whatever that of a replica says", async () => {
    const [{ limits }] = stores as [SharedRatings];
    expect(await limits.take('k', 10, LIMIT)).to.equal(null);
    const realNow = Date.now;
    Date.now = () => realNow() + 3_600_000;
    const waitMs = await limits.take('k', 1, LIMIT);
    Date.now = realNow;
    expect(waitMs).to.be.within(50_000, 60_000);
    await fixture.sql("UPDATE limit_used SET until = until - interval '60 s'");
    expect(await limits.take('k', 10, LIMIT)).to.equal(null);
  });

  it('hold guesses at two replicas to the number of one', async () => {
    const guesses = stores.map(({ limits }) => createGuessLimiter(limiterOf(limits), 5));
    const kinds: string[] = [];
    for (let n = 0; n < 6; n++) {
      const guess = await guesses[n % 2]!(ADDRESS);
      kinds.push(guess.kind);
      if (guess.kind === 'allowed') await guess.settle(false);
    }
    expect(kinds.filter((kind) => kind === 'allowed')).to.have.length(2);
  });

  it('forget windows that have ended, as others begin', async () => {
    const [{ limits }] = stores as [SharedRatings];
    for (let n = 0; n < 6; n++) await limits.take(`old ${n}`, 1, LIMIT);
    await fixture.sql("UPDATE limit_used SET until = '-infinity'");
    for (let n = 0; n < 3; n++) await limits.take('new', 1, LIMIT);
    expect(await fixture.sql('SELECT key, points FROM limit_used')).to.deep.equal([{ key: 'new', points: 3 }]);
  });

  it('are those of the process alone while the database does not answer', async () => {
    const broken = await fixture.open();
    await broken.close();
    const limiter = limiterOf(broken.limits);
    for (let n = 0; n < 10; n++) expect(await limiter.take(ADDRESS)).to.equal(null);
    expect(await limiter.take(ADDRESS)).to.equal(60);
    await limiter.giveBack(ADDRESS, 1);
    expect(await limiter.take(ADDRESS)).to.equal(null);
  });
});
