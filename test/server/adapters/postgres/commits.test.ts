import { expect } from 'chai';
import pg from 'pg';
import { migrate } from '#adapters/postgres/migrate';
import { openPostgresStore } from '#adapters/postgres/money/store';
import { systemClock } from '#adapters/process/system-clock';
import { grantLot } from '#domain/credits/credit-changes';
import { emptyAccount } from '#domain/credits/credits';
import type { OutsideError } from '#domain/errors';
import type { WalletAddress } from '#domain/ids';
import type { Store } from '#ports/store';
import { walletNumber } from '#test/contract/support/wallet-number';
import { type CuttingProxy, startCuttingProxy, throughProxy } from '#test/support/cutting-proxy';
import { postgresServer } from '#test/support/postgres';

const A = walletNumber(0xa);
const CREDITS = 10;
/** A statement of the second flight, as its name stands in the bytes. */
const SECOND_FLIGHT = 'put mark';

describe('the commits of a store on PostgreSQL', function () {
  this.timeout(60_000);
  const server = postgresServer();
  let url: string;
  let proxy: CuttingProxy;
  /** Through the proxy, and past it. */
  let store: Store;
  let straight: Store;
  let sql: pg.Client;

  before(async () => {
    url = (await server.makeSchema()).url;
    await migrate(url);
    proxy = await startCuttingProxy(Number(new URL(url).port));
    straight = await openPostgresStore({ url, clock: systemClock });
    sql = new pg.Client({ connectionString: url });
    await sql.connect();
  });
  beforeEach(async () => {
    store = await openPostgresStore({ url: throughProxy(url, proxy), clock: systemClock });
  });
  afterEach(async () => {
    proxy.refuse(false);
    await store.close();
    await sql.query('DELETE FROM account; TRUNCATE ledger, batch_mark; DELETE FROM answer');
  });
  after(async () => {
    await straight?.close();
    await proxy?.close();
    await sql?.end();
  });

  /** One grant: one entry of the ledger. */
  const give = (to: Store, wallet: WalletAddress, note = 'a note') =>
    to.transact({ account: wallet }, ({ account }) => {
      const lot = { kind: 'grant', credits: CREDITS, expiresAtMs: 9e12, source: note } as const;
      const cause = { operation: note, requestId: null, atMs: 1 };
      const change = grantLot(account ?? emptyAccount(wallet), lot, cause);
      return { writes: { change }, result: change.entries[0]!.balanceAfter };
    });
  const entries = async (wallet: WalletAddress) => (await straight.ledger(wallet, 100)).length;
  const failureOf = async (promise: Promise<unknown>) => {
    const end = await promise.then(
      () => 'committed',
      (error: OutsideError) => error.failure,
    );
    return end;
  };

  describe('when a row cannot be written', () => {
    it('fails the caller whose row breaks a rule of the table, and commits its neighbors', async () => {
      const poisoned = store.transact({ promo: 'P' }, () => ({
        writes: {
          promo: {
            ...{ code: 'P', credits: 1, walletsMax: 1, redeemed: 2 },
            ...{ createdAtMs: 1, expiresAtMs: 2, revokedAtMs: null },
          },
        },
        result: null,
      }));
      const neighbors = Array.from({ length: 5 }, (_, n) => give(store, walletNumber(n + 1)));
      expect(await failureOf(poisoned)).to.equal('final');
      expect(await Promise.all(neighbors)).to.deep.equal(Array.from({ length: 5 }, () => CREDITS));
      for (let n = 1; n <= 5; n++) expect(await entries(walletNumber(n))).to.equal(1);
      expect(await straight.promo('P')).to.equal(null);
    });

    it('fails the caller whose text holds what no text of the database may', async () => {
      const poisoned = store.transact({ answer: { wallet: A, code: null, key: 'k' } }, () => ({
        writes: { answer: { wallet: A, code: null, key: 'k', fingerprint: 'f', body: 'a\u0000b', expiresAtMs: 9 } },
        result: null,
      }));
      const named = store.transact({ answer: { wallet: A, code: null, key: '\u0000' } }, () => ({
        writes: {},
        result: null,
      }));
      const ends = await Promise.all([failureOf(poisoned), failureOf(named), failureOf(give(store, A))]);
      expect(ends).to.deep.equal(['final', 'final', 'committed']);
      expect(await entries(A)).to.equal(1);
    });
  });

  describe('when a connection is cut', () => {
    it('begins anew before the transaction has begun, and its caller learns nothing of it', async () => {
      const cut = proxy.cutAt({ pattern: 'BEGIN', from: 'client', passes: false });
      expect(await give(store, A)).to.equal(CREDITS);
      await cut;
      expect(await entries(A)).to.equal(1);
    });

    it('begins anew when the answer to the first flight is lost', async () => {
      const cut = proxy.cutAt({ pattern: 'BEGIN', from: 'server', passes: false });
      expect(await give(store, A)).to.equal(CREDITS);
      await cut;
      expect(await entries(A)).to.equal(1);
    });

    it('says that nothing was written when the second flight did not arrive', async () => {
      const cut = proxy.cutAt({ pattern: SECOND_FLIGHT, from: 'client', passes: false });
      const end = failureOf(give(store, A));
      await cut;
      expect(await end).to.equal('retryable');
      expect(await entries(A)).to.equal(0);
    });

    it('finds by its mark that the commit whose answer was lost was made', async () => {
      const cut = proxy.cutAt({ pattern: 'COMMIT', from: 'server', passes: false });
      const given = give(store, A);
      await cut;
      expect(await given).to.equal(CREDITS);
      expect(await entries(A)).to.equal(1);
    });

    it('says that it is unknown when nobody can be asked whether the commit was made', async () => {
      const cut = proxy.cutAt({ pattern: 'COMMIT', from: 'server', passes: false });
      const given = failureOf(give(store, A));
      await cut;
      proxy.refuse(true);
      expect(await given).to.equal('unknown');
      expect(await entries(A)).to.equal(1);
    });

    it('goes on when connections break that nobody uses', async () => {
      await Promise.all([give(store, A), store.account(A)]);
      proxy.cut();
      expect(await give(store, A)).to.equal(2 * CREDITS);
      expect((await store.account(A))?.lots).to.have.length(2);
    });

    it('closes while the database is away', async () => {
      const other = await openPostgresStore({ url: throughProxy(url, proxy), clock: systemClock });
      await give(other, A);
      proxy.refuse(true);
      const waiting = failureOf(give(other, A));
      await other.close();
      expect(await waiting).to.equal('retryable');
      expect(await failureOf(give(other, A))).to.equal('retryable');
    });

    it('fails reads as a store does while the database is away', async () => {
      await give(store, A);
      proxy.refuse(true);
      expect(await failureOf(store.account(A))).to.equal('retryable');
      proxy.refuse(false);
      proxy.swallow(true);
      expect(await failureOf(store.account(A))).to.equal('retryable');
      proxy.swallow(false);
      proxy.cut();
      expect((await store.account(A))?.lots).to.have.length(1);
    });
  });

  describe('when others are in the way', () => {
    const lock = async (wallet: WalletAddress) => {
      await sql.query('BEGIN');
      await sql.query('SELECT 1 FROM account WHERE wallet = $1 FOR UPDATE', [wallet]);
    };
    /** Resolves when the store waits for that lock. */
    const lockAwaited = async () => {
      const blocked = 'SELECT 1 FROM pg_stat_activity WHERE pg_backend_pid() = ANY(pg_blocking_pids(pid))';
      while ((await sql.query(blocked)).rowCount === 0);
    };
    afterEach(() => sql.query('ROLLBACK'));

    it('waits for a row that another holds', async () => {
      await give(store, A);
      await lock(A);
      const waiting = give(store, A);
      await sql.query('COMMIT');
      expect(await waiting).to.equal(2 * CREDITS);
    });

    it('gives up without a change when it is held too long, and changes other rows meanwhile', async () => {
      await give(store, A);
      await lock(A);
      const tooLong = failureOf(give(store, A));
      await lockAwaited();
      expect(await give(store, walletNumber(0xb))).to.equal(CREDITS);
      expect(await tooLong).to.equal('retryable');
      await sql.query('COMMIT');
      expect(await entries(A)).to.equal(1);
    });

    it('tries again after a deadlock with a stranger', async () => {
      const [B, C] = [walletNumber(0xb), walletNumber(0xc)];
      await Promise.all([give(store, B), give(store, C)]);
      await lock(C);
      // Locks B, and waits for C.
      const both = [give(store, B), give(store, C)];
      await lockAwaited();
      const stranger = sql.query('SELECT 1 FROM account WHERE wallet = $1 FOR UPDATE', [B]).then(
        () => sql.query('COMMIT'),
        () => sql.query('ROLLBACK'),
      );
      expect(await Promise.all(both)).to.deep.equal([2 * CREDITS, 2 * CREDITS]);
      await stranger;
    });

    it('turns callers away when too many wait', async () => {
      await give(store, A);
      await lock(A);
      const ends = Array.from({ length: 12_000 }, () => failureOf(give(store, A)));
      expect(await ends.at(-1)).to.equal('retryable');
      await sql.query('COMMIT');
      const all = await Promise.all(ends);
      expect(all.filter((end) => end === 'committed').length).to.equal((await straight.ledger(A, 20_000)).length - 1);
      expect(new Set(all)).to.deep.equal(new Set(['committed', 'retryable']));
    });
  });
});
