import { expect } from 'chai';
import { migrate } from '#adapters/postgres/migrate';
import { openPostgresStore } from '#adapters/postgres/money/store';
import { openPgRatings } from '#adapters/postgres/ratings/ratings-store';
import { systemStopwatch } from '#adapters/process/system-clock';
import type { Store } from '#ports/store';
import type { SharedRatings } from '#ports/wallet-claims';
import { walletNumber } from '#test/contract/support/wallet-number';
import { ownPostgres, query, rowsOf } from '#test/support/postgres';
import { PROCESS_TEST_MS } from '#test/support/time-limits';

/** docs/operate.md, "What the database must provide". */
const CONNECTIONS_MAX = 14;
const ROUNDS = 4;

describe('a database whose standby does not confirm', function () {
  this.timeout(PROCESS_TEST_MS);
  let server: Awaited<ReturnType<typeof ownPostgres>>;
  let store: Store;
  let ratings: SharedRatings;

  before(async function () {
    server = await ownPostgres(this);
    await migrate(server.url);
    store = await openPostgresStore({ url: server.url });
    ratings = openPgRatings({ url: server.url, stopwatch: systemStopwatch });
  });
  after(async () => {
    await store?.close();
    await ratings?.close();
    await server?.remove();
  });

  const waitFor = async (standbys: string) => {
    await query(server.url, `ALTER SYSTEM SET synchronous_standby_names = '${standbys}'`);
    await query(server.url, 'SELECT pg_reload_conf()');
  };
  const grant = (n: number) => {
    const answer = { wallet: walletNumber(n), code: null, key: 'k', fingerprint: 'f', body: '{}', expiresAtMs: 9e12 };
    return store.transact({ answer }, () => ({ writes: { answer }, result: n }));
  };
  const connections = async () =>
    (await rowsOf(server.url, "SELECT 1 FROM pg_stat_activity WHERE application_name = 'preflight'")).length;

  it('has no more connections the longer it lasts, and does what waited once it confirms again', async () => {
    await waitFor('gone');
    const changes: Promise<unknown>[] = [];
    for (let n = 1; n <= ROUNDS; n++) {
      changes.push(grant(n).catch(() => null));
      const asked = [store.ping(), store.leases.hold('a', 3), ratings.jobs.claim('night', 'a')];
      const ends = await Promise.allSettled(asked);
      expect(ends.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected', 'rejected']);
    }
    expect(await connections()).to.be.at.most(CONNECTIONS_MAX);
    await waitFor('');
    await Promise.all(changes);
    expect(await grant(ROUNDS + 1)).to.equal(ROUNDS + 1);
    await store.ping();
    expect((await store.leases.hold('a', 3)).kind).to.equal('held');
  });
});
