import { expect } from 'chai';
import pg from 'pg';
import { migrate } from '#adapters/postgres/migrate';
import { openPostgresStore } from '#adapters/postgres/money/store';
import { systemClock } from '#adapters/process/system-clock';
import { grantLot } from '#domain/credits/credit-changes';
import { emptyAccount } from '#domain/credits/credits';
import type { RowKeys, Rows, Store } from '#ports/store';
import { samplePayment } from '#test/contract/support/sample-payment';
import { walletNumber } from '#test/contract/support/wallet-number';
import { postgresServer } from '#test/support/postgres';

const A = walletNumber(0xa);
const CODE = 'HELD';
const LATER_MS = 9_000_000_000_000;

/** What another replica does in the transaction that holds the first row. */
const HOLD_ACCOUNT = `SELECT 1 FROM account WHERE wallet = '${A}' FOR UPDATE`;
const HOLD_PROMO = `SELECT 1 FROM promo WHERE code = '${CODE}' FOR UPDATE`;
const PUT_ANSWER = `INSERT INTO answer (wallet, code, key, rev, fingerprint, body, expires_at_ms)
  VALUES ('${A}', '', 'k', 1, 'f', 'made', ${LATER_MS})`;
const PUT_REDEMPTION = `INSERT INTO redemption (code, wallet, rev, at_ms) VALUES ('${CODE}', '${A}', 1, 5)`;
const TAKE_TURN = (payer: string) => `INSERT INTO payer_turn VALUES ('${payer}')`;

/**
 * What was not there when it was asked for has no lock. It is seen all the same, because it is read
 * after the row that its writers lock first: were it read before, the revisions alone would notice,
 * one try after the other.
 */
describe('a decision that waited for a row of PostgreSQL', () => {
  const server = postgresServer();
  let store: Store;
  /**
   * Holds rows, and looks who waits for them: within its transaction it would see nobody who came
   * later.
   */
  let other: pg.Client;
  let onlooker: pg.Client;

  before(async () => {
    const { url } = await server.makeSchema();
    await migrate(url);
    store = await openPostgresStore({ url, clock: systemClock });
    other = new pg.Client({ connectionString: url });
    onlooker = new pg.Client({ connectionString: url });
    await Promise.all([other.connect(), onlooker.connect()]);
    await giveCredits();
    await other.query(`INSERT INTO promo VALUES ('${CODE}', 1, 5, 100, 0, 1, ${LATER_MS}, NULL, NULL)`);
  });
  after(async () => {
    await store?.close();
    await other?.end();
    await onlooker?.end();
  });

  function giveCredits(): Promise<null> {
    const lot = { kind: 'grant', credits: 5, expiresAtMs: LATER_MS, source: 'test' } as const;
    const change = grantLot(emptyAccount(A), lot, { operation: 'grant', requestId: null, atMs: 1 });
    return store.transact({ account: A }, () => ({ writes: { change }, result: null }));
  }

  async function untilBlocked(): Promise<void> {
    const { rows } = await other.query('SELECT pg_backend_pid() AS pid');
    const waits = `SELECT 1 FROM pg_stat_activity WHERE ${rows[0].pid} = ANY(pg_blocking_pids(pid))`;
    while ((await onlooker.query(waits)).rowCount === 0);
  }

  /** Returns what each run of a decision saw that waited until the other replica had committed. */
  async function seenBehind<T>(hold: string, put: string, keys: RowKeys, look: (rows: Rows) => T): Promise<T[]> {
    const seen: T[] = [];
    await other.query('BEGIN');
    await other.query(hold);
    const decided = store.transact(keys, (rows) => {
      seen.push(look(rows));
      return { writes: {}, result: null };
    });
    await untilBlocked();
    await other.query(put);
    await other.query('COMMIT');
    await decided;
    return seen;
  }

  it('sees at once the answer that was kept by whoever held the account', async () => {
    const keys = { account: A, answer: { wallet: A, code: null, key: 'k' } };
    expect(await seenBehind(HOLD_ACCOUNT, PUT_ANSWER, keys, ({ answer }) => answer?.body)).to.deep.equal(['made']);
  });

  it('sees at once who redeemed a code by whoever held it', async () => {
    const keys = { promo: CODE, redemption: { code: CODE, wallet: A } };
    const seen = await seenBehind(HOLD_PROMO, PUT_REDEMPTION, keys, ({ redemption }) => redemption?.atMs);
    expect(seen).to.deep.equal([5]);
  });

  it('sees at once the payment that was claimed by whoever had the turn of its payer', async () => {
    const { key } = samplePayment(1);
    const payer = key.slice(0, key.lastIndexOf(':'));
    const claimed = `INSERT INTO payment VALUES ('${payer}:0x1', 1, 'CLAIMED', true, false, 'b', 1, '${payer}', true, 1, 1, '');
      DELETE FROM payer_turn`;
    const seen = await seenBehind(TAKE_TURN(payer), claimed, { openOfPayerOf: key }, ({ openOfPayer }) =>
      openOfPayer.map(({ owner }) => owner),
    );
    expect(seen).to.deep.equal([['b']]);
  });
});
