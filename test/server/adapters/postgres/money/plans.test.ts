import { expect } from 'chai';
import pg from 'pg';
import { migrate } from '#adapters/postgres/migrate';
import { openPostgresStore } from '#adapters/postgres/money/store';
import { systemClock } from '#adapters/process/system-clock';
import { parseWallet, type WalletAddress } from '#domain/ids';
import type { Store } from '#ports/store';
import { samplePayment } from '#test/contract/support/sample-payment';
import { postgresServer } from '#test/support/postgres';

const WALLET = parseWallet(`0x${'0'.repeat(39)}1`) as WalletAddress;
const CODE = 'C';
const ANSWER = { wallet: WALLET, code: null, key: 'k' };
const PROOF = {
  kind: 'proven',
  transaction: `0x${'1'.repeat(64)}`,
  blockNumber: 8,
  logIndex: 1,
  isFinal: true,
} as const;
/** Tables that grow with what callers do. */
const READ_WHOLE = /Seq Scan on (account|ledger|tokens|redemption|answer|payment|transfer|exposure)\b/;

/** The statements that a connection is asked to prepare while the work goes on. */
async function preparedDuring(work: () => Promise<void>): Promise<ReadonlyMap<string, pg.QueryConfig>> {
  const { query } = pg.Client.prototype;
  const seen = new Map<string, pg.QueryConfig>();
  pg.Client.prototype.query = function (this: pg.Client, ...args: never[]) {
    const requested = args[0] as unknown as pg.QueryConfig;
    if (requested.name !== undefined) seen.set(requested.name, requested);
    return (query as (...all: never[]) => never).apply(this, args);
  } as typeof query;
  try {
    await work();
  } finally {
    pg.Client.prototype.query = query;
  }
  return seen;
}

/** Reads and writes a row of each kind. */
async function useAll(store: Store): Promise<void> {
  const settled = {
    ...samplePayment(1),
    state: 'SETTLED',
    open: false,
    body: '{}',
    transaction: PROOF.transaction,
    proof: PROOF,
  } as const;
  const keys = {
    account: WALLET,
    tokens: WALLET,
    promo: CODE,
    redemption: { code: CODE, wallet: WALLET },
    answer: ANSWER,
  };
  await store.transact(
    { ...keys, payment: settled.key, transfer: PROOF, exposure: { facilitator: 'none', wallet: WALLET } },
    () => ({
      writes: {
        tokens: { wallet: WALLET, tokens: [] },
        redemption: { code: CODE, wallet: WALLET, atMs: 1 },
        answer: { ...ANSWER, fingerprint: 'f', body: 'b', expiresAtMs: 9 },
        payment: settled,
      },
      result: null,
    }),
  );
  const removed = samplePayment(2);
  await store.transact({ payment: removed.key }, () => ({ writes: { payment: removed }, result: null }));
  await store.transact({ payment: removed.key }, () => ({ writes: { removedPayment: removed.key }, result: null }));
  await Promise.all([store.account(WALLET), store.tokens(WALLET), store.answer(ANSWER), store.payment(settled.key)]);
  await Promise.all([store.redemption(CODE, WALLET), store.redemptions(CODE, null, 1), store.ledger(WALLET, 1)]);
  await Promise.all([store.entries(null, 1), store.payments(null, 1), store.openPayments(null, 1)]);
  await Promise.all([store.openPaymentsFor('me', null, 1), store.ownedPayments([settled.key]), store.exposures()]);
  await Promise.all([store.uncheckedPayments(null, 1), store.trimPayments(0, 1)]);
}

const literal = (value: unknown): string => {
  if (value === null || value === undefined) return 'NULL';
  // A list of nothing but NULL would be one of texts.
  if (Array.isArray(value) && value.every((one) => one === null)) return `'{${value.map(() => 'NULL').join()}}'`;
  if (Array.isArray(value)) return `ARRAY[${value.map(literal).join()}]`;
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);
};

describe('the statements of a store on PostgreSQL', () => {
  const server = postgresServer();

  it('find rows by an index, also when they were planned while the tables were empty', async () => {
    const { url } = await server.makeSchema();
    await migrate(url);
    const statements = await preparedDuring(async () => {
      const store = await openPostgresStore({ url, clock: systemClock });
      await useAll(store);
      await store.close();
    });
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query('SET plan_cache_mode = force_generic_plan');
    await client.query('TRUNCATE account, ledger, tokens, redemption, answer, payment, transfer, exposure');
    const slow: string[] = [];
    for (const [name, { text, values = [] }] of statements) {
      await client.query(`PREPARE one AS ${text}`);
      const given = values.length === 0 ? '' : `(${values.map(literal).join()})`;
      const { rows } = await client.query(`EXPLAIN EXECUTE one${given}`);
      if (rows.some((row) => READ_WHOLE.test(row['QUERY PLAN']))) slow.push(name);
      await client.query('DEALLOCATE one');
    }
    await client.end();
    expect(statements.size).to.be.above(30);
    expect(slow).to.deep.equal([]);
  });
});
