import { expect } from 'chai';
import pg from 'pg';
import { messageSigner } from '#adapters/chain/message-signer';
import { createStoreKey } from '#adapters/keys/store-key';
import { migrate } from '#adapters/postgres/migrate';
import { openPostgresStore } from '#adapters/postgres/money/store';
import { systemClock } from '#adapters/process/system-clock';
import { systemRandom } from '#adapters/process/system-random';
import type { OutsideError } from '#domain/errors';
import type { Store } from '#ports/store';
import { type Credits, createCredits } from '#services/credits/credits';
import { walletNumber } from '#test/contract/support/wallet-number';
import { postgresServer } from '#test/support/postgres';

const GRANTED = 100;
const BEARER = { wallet: walletNumber(0xa), scope: 'purchase', code: null } as const;

/** In the middle of a transaction, or when all of it is written and COMMIT is asked for. */
const MOMENTS = { 'at a statement': 'IMMEDIATE', 'at the very end': 'DEFERRED' } as const;

describe('a database that refuses a transaction', () => {
  const server = postgresServer();
  let sql: pg.Client;
  let store: Store;
  let credits: Credits;
  let calls = 0;

  before(async () => {
    const { url } = await server.makeSchema();
    await migrate(url);
    sql = new pg.Client({ connectionString: url });
    await sql.connect();
    store = await openPostgresStore({ url, clock: systemClock });
    credits = createCredits({
      store,
      key: createStoreKey(new Uint8Array(32).fill(7)),
      signer: messageSigner,
      clock: systemClock,
      random: systemRandom,
    });
    await credits.grant(BEARER.wallet, GRANTED, 30, 'a test');
  });
  afterEach(() => sql.query('DROP TRIGGER IF EXISTS refuses ON ledger; DROP SEQUENCE IF EXISTS refused CASCADE'));
  after(async () => {
    await store?.close();
    await sql?.end();
  });

  /**
   * The next so many transactions that write to the ledger fail; a sequence counts them, which
   * nothing undoes.
   */
  async function refuse(code: string, moment: keyof typeof MOMENTS, times: number): Promise<void> {
    await sql.query(`CREATE SEQUENCE refused;
      CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF nextval('refused') <= ${times} THEN RAISE EXCEPTION 'not now' USING ERRCODE = '${code}'; END IF;
        RETURN NULL;
      END $$;
      CREATE CONSTRAINT TRIGGER refuses AFTER INSERT ON ledger
        DEFERRABLE INITIALLY ${MOMENTS[moment]} FOR EACH ROW EXECUTE FUNCTION refuse()`);
  }

  async function refusals(): Promise<number> {
    return Number((await sql.query('SELECT last_value FROM refused')).rows[0].last_value);
  }

  const charge = (key: string) =>
    credits.charge({
      bearer: BEARER,
      tool: 'preflight_trade',
      credits: 1,
      requestId: `r${++calls}`,
      idempotency: { key, fingerprint: 'f' },
      render: ({ creditsRemaining }) => `{"made":"${systemRandom.next()}","left":${creditsRemaining}}`,
    });
  const debits = async () => (await store.ledger(BEARER.wallet, 1_000)).filter(({ kind }) => kind === 'debit').length;

  for (const [code, why] of [
    ['40001', 'serialization failure'],
    ['40P01', 'deadlock'],
  ] as const) {
    for (const moment of ['at a statement', 'at the very end'] as const) {
      it(`by a ${why} ${moment} is asked again, and the call is charged once`, async () => {
        const before = await debits();
        await refuse(code, moment, 2);
        const first = await charge(`${code} ${moment}`);
        expect([first.kind, await refusals(), (await debits()) - before]).to.deep.equal(['charged', 3, 1]);
        const again = await charge(`${code} ${moment}`);
        expect(again).to.deep.include({ kind: 'replayed', body: (first as { body: string }).body });
        expect((await debits()) - before).to.equal(1);
      });
    }
  }

  it('by a serialization failure again and again is left with nothing charged, and says that it may be asked again', async () => {
    const before = await debits();
    await refuse('40001', 'at a statement', 1_000);
    const end = await charge('again and again').catch((error: OutsideError) => error);
    expect(end).to.include({ failure: 'retryable' });
    expect([await refusals(), (await debits()) - before]).to.deep.equal([50, 0]);
    await sql.query('DROP TRIGGER refuses ON ledger');
    expect((await charge('again and again')).kind).to.equal('charged');
  });

  it('at its very end has acknowledged nothing of it', async () => {
    const before = await debits();
    await refuse('23514', 'at the very end', 1);
    const end = await charge('refused').catch((error: OutsideError) => error);
    expect(end).to.include({ failure: 'final' });
    expect((await debits()) - before).to.equal(0);
    expect((await charge('refused')).kind).to.equal('charged');
  });
});
