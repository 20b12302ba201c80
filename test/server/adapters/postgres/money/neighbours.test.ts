import { expect } from 'chai';
import pg from 'pg';
import { migrate } from '#adapters/postgres/migrate';
import { openPostgresStore } from '#adapters/postgres/money/store';
import { systemClock as clock } from '#adapters/process/system-clock';
import { grantLot } from '#domain/credits/credit-changes';
import { emptyAccount } from '#domain/credits/credits';
import type { WalletAddress } from '#domain/ids';
import type { Decision, Rows, Store } from '#ports/store';
import { walletNumber } from '#test/contract/store.contract';
import { samplePayment } from '#test/contract/support/sample-payment';
import { throughProxy } from '#test/support/cutting-proxy';
import { postgresServer, query } from '#test/support/postgres';
import { startTcpProxy } from '#test/support/tcp-proxy';

const NEIGHBOUR = walletNumber(0xb);

function granted(wallet: WalletAddress, { account }: Rows): Decision<number> {
  const change = grantLot(
    account ?? emptyAccount(wallet),
    { kind: 'grant', credits: 5, expiresAtMs: 1_800_000_000_000, source: 'test' },
    { operation: 'grant', requestId: null, atMs: 1_700_000_000_000 },
  );
  return { writes: { change }, result: change.account.lastEntry };
}

/** Returns the number of the ledger entry. */
const give = (store: Store, wallet: WalletAddress) =>
  store.transact({ account: wallet }, (rows) => granted(wallet, rows));

describe('changes that share a transaction of PostgreSQL', () => {
  const server = postgresServer();
  let url: string;
  let store: Store;
  let wallet: WalletAddress;
  let wallets = 0x100;

  before(async () => {
    ({ url } = await server.makeSchema());
    await migrate(url);
    store = await openPostgresStore({ url, clock });
  });

  beforeEach(() => {
    wallet = walletNumber(++wallets);
  });

  after(() => store?.close());

  /** Both are asked for in one turn, so that they are in one transaction. */
  async function besideGrant(poisoned: Promise<unknown>): Promise<void> {
    const [bad, good] = await Promise.allSettled([poisoned, give(store, NEIGHBOUR)]);
    expect(bad.status).to.equal('rejected');
    expect(good, String((good as PromiseRejectedResult).reason)).to.deep.include({ status: 'fulfilled' });
  }

  it('do not suffer by one that names a row by what no text of the database may hold', async () => {
    const answer = { wallet, code: null, key: 'k\u0000' };
    await besideGrant(store.transact({ answer }, () => ({ writes: {}, result: null })));
  });

  it('do not suffer by one whose ledger goes on where its account does not know of it', async () => {
    await give(store, wallet);
    const columns = 'kind, credits, balance_after, at_ms, operation, lots';
    const ahead = `SELECT wallet, number + 1, ${columns} FROM ledger WHERE wallet = '${wallet}'`;
    await query(url, `INSERT INTO ledger (wallet, number, ${columns}) ${ahead}`);
    await besideGrant(give(store, wallet));
  });

  it('do not suffer by a row that has no stored form, and nothing is left of what was asked for with it', async () => {
    const bad = { ...samplePayment(1), requestId: 1n as unknown as string };
    await besideGrant(
      store.transact({ account: wallet, payment: bad.key }, (rows) => {
        const { writes } = granted(wallet, rows);
        return { writes: { ...writes, payment: bad }, result: null };
      }),
    );
    await give(store, NEIGHBOUR);
    expect(await store.account(wallet)).to.equal(null);
  });

  it('say what failed first, not what was refused because of it', async () => {
    const answer = { wallet, code: null, key: 'k\u0000' };
    const both = { answer, payment: samplePayment(7).key };
    const error = await store.transact(both, () => ({ writes: {}, result: null })).catch(String);
    expect(error).to.match(/invalid byte sequence/);
  });

  it('go on when a row has been changed two thousand million times', async () => {
    await give(store, wallet);
    await query(url, 'UPDATE account SET rev = 2147483647');
    expect(await give(store, wallet)).to.equal(2);
  });

  it('go on when tables have been altered since, over connections that know them as they were', async () => {
    const exposure = { facilitator: 'f', wallet };
    const look = () => store.transact({ exposure }, (rows) => ({ writes: {}, result: rows.exposure }));
    // In two turns, so that both connections have prepared their statements.
    await Promise.all([look(), give(store, wallet)]);
    await Promise.all([look(), new Promise((resolve) => setTimeout(resolve)).then(look)]);
    await query(url, 'ALTER TABLE exposure ADD COLUMN note text');
    for (let n = 0; n < 4; n++) expect(await look()).to.have.property('wallet');
  });

  it('leave marks that are removed faster than they come', async () => {
    const old = "SELECT gen_random_uuid(), clock_timestamp() - interval '11 minutes' FROM generate_series(1, 25000)";
    await query(url, `INSERT INTO batch_mark ${old}`);
    await store.sweepAnswers(0, 1_000);
    expect(await countOf("SELECT 1 FROM batch_mark WHERE at < clock_timestamp() - interval '10 minutes'")).to.equal(0);
  });

  it('do not wait for payments that a sweep looks at and has nothing to take from', async () => {
    const row = samplePayment(2, { state: 'SETTLED', open: false, body: '{}', updatedAtMs: 1 });
    await store.transact({ payment: row.key }, () => ({ writes: { payment: row }, result: null }));
    expect(await store.trimPayments(10, 10)).to.deep.equal({ removed: 1, isMore: false });
    await holding('SELECT 1 FROM payment FOR UPDATE', async () => {
      expect(await store.trimPayments(10, 10)).to.deep.equal({ removed: 0, isMore: false });
    });
  });

  it('take the answers of old payments past one that cannot be understood', async () => {
    const rows = [1, 2].map((n) => samplePayment(n, { state: 'SETTLED', open: false, body: '{}', updatedAtMs: 1 }));
    for (const row of rows)
      await store.transact({ payment: row.key }, () => ({ writes: { payment: row }, result: null }));
    await query(url, `UPDATE payment SET doc = 'nonsense' WHERE key = '${rows[0]!.key}'`);
    expect(await store.trimPayments(10, 2)).to.deep.equal({ removed: 1, isMore: true });
    expect(await store.trimPayments(10, 2)).to.deep.equal({ removed: 0, isMore: false });
    expect(await store.payment(rows[0]!.key).catch(String)).to.include('is malformed');
  });

  it('leave a listing that loses its connection to reject, and the process to go on', async () => {
    const proxy = await startTcpProxy(Number(new URL(url).port));
    const cut = await openPostgresStore({ url: throughProxy(url, proxy), clock });
    await holding('LOCK TABLE payment', async () => {
      const page = cut.listing.payments(null, 10).catch(String);
      await untilSome("SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'payment'::regclass");
      proxy.cut('reset');
      expect(await page).to.match(/the database failed: the connection broke/);
    });
    await cut.close();
    await proxy.close();
  });

  it('are held to no clock, and hear of the database what time it is', async () => {
    const heard: number[] = [];
    const replica = await openPostgresStore({ url, onTime: (nowMs) => heard.push(nowMs) });
    await replica.ping();
    await replica.close();
    expect(heard).to.have.length(2);
    expect(heard.every((ms) => Math.abs(ms - Date.now()) < 60_000)).to.equal(true);
  });

  async function holding(sql: string, work: () => Promise<void>): Promise<void> {
    const client = new pg.Client(url);
    client.on('error', () => {});
    await client.connect();
    await client.query(`BEGIN; ${sql}`);
    await work().finally(() => client.end());
  }

  async function countOf(sql: string): Promise<number> {
    const client = new pg.Client(url);
    await client.connect();
    return (await client.query(sql).finally(() => client.end())).rowCount ?? 0;
  }

  async function untilSome(sql: string): Promise<void> {
    while ((await countOf(sql)) === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  }
});
