import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import pg from 'pg';
import { migrate } from '#adapters/postgres/migrate';
import { openPostgresStore } from '#adapters/postgres/money/store';
import { systemClock, systemStopwatch } from '#adapters/process/system-clock';
import { systemTimers } from '#adapters/process/system-timers';
import type { OutsideError } from '#domain/errors';
import type { WalletAddress } from '#domain/ids';
import type { Store } from '#ports/store';
import { boundedStore } from '#services/bounded-store';
import { walletNumber } from '#test/contract/support/wallet-number';
import { postgresServer } from '#test/support/postgres';
import { type Door, OWNER, openDoor } from './support/door.js';

const GRANTED = 10;
/** One for each transaction that a replica has at once. */
const BUSY = [walletNumber(0xa), walletNumber(0xb)] as const;
/**
 * Each shorter than the server waits for a lock, together longer than a change may wait for its
 * turn.
 */
const HELD_MS = 1_800;

describe('a door whose changes wait for their turn at a busy database', () => {
  const server = postgresServer();
  let store: Store;
  let door: Door;
  /** Others at work: one holds the accounts, one holds the tokens. */
  let holders: readonly pg.Client[];
  let onlooker: pg.Client;

  before(async () => {
    const { url } = await server.makeSchema();
    await migrate(url);
    store = await openPostgresStore({ url, clock: systemClock });
    const waits = { timers: systemTimers, stopwatch: systemStopwatch };
    door = await openDoor({ credits: GRANTED, around: () => boundedStore(store, waits) });
    for (const wallet of BUSY) await door.credits.grant(wallet, 1, 30, 'a test');
    const clients = ['accounts', 'tokens', 'looks'].map(() => new pg.Client({ connectionString: url }));
    await Promise.all(clients.map((client) => client.connect()));
    onlooker = clients.pop()!;
    holders = clients;
  });
  after(async () => {
    await door?.stop();
    await store?.close();
    await Promise.all([...(holders ?? []), onlooker].map((client) => client?.end()));
  });

  /** Resolves when both transactions of the replica wait for a row of this table. */
  async function untilWaiting(table: string): Promise<void> {
    const blocked = `SELECT 1 FROM pg_stat_activity
      WHERE cardinality(pg_blocking_pids(pid)) > 0 AND query LIKE '%FROM ${table} %'`;
    while ((await onlooker.query(blocked)).rowCount !== BUSY.length) await sleep(10);
  }

  const look = (wallet: WalletAddress) =>
    store.transact({ account: wallet, tokens: wallet }, () => ({ writes: {}, result: 'looked' }));

  it('says that it cannot be done now, has done nothing, and charges a repeat once', async () => {
    const key = { 'Idempotency-Key': 'an-order-of-mine' };
    for (const [n, table] of ['account', 'tokens'].entries()) {
      await holders[n]!.query('BEGIN');
      await holders[n]!.query(`SELECT 1 FROM ${table} WHERE wallet = ANY($1) FOR UPDATE`, [BUSY]);
    }
    const busy = [look(BUSY[0]), sleep(0).then(() => look(BUSY[1]))];
    await untilWaiting('account');
    const requested = [door.order('slug=a', key), door.order('slug=a')];
    const patient = look(OWNER.wallet).catch((error: OutsideError) => error);
    await sleep(HELD_MS);
    await holders[0]!.query('COMMIT');
    await untilWaiting('tokens');
    await sleep(HELD_MS);
    await holders[1]!.query('COMMIT');
    for (const answer of await Promise.all(requested)) {
      expect([answer.status, answer.headers.get('retry-after')]).to.deep.equal([500, '5']);
      expect(await answer.json()).to.include({ code: 'store_unavailable' });
    }
    expect(await patient).to.include({ failure: 'retryable' });
    expect((await patient) as object)
      .to.have.property('message')
      .that.matches(/could not be changed within 3000 ms/);
    expect(await Promise.all(busy)).to.deep.equal(['looked', 'looked']);
    await door.credits.settleDebits();
    expect((await door.credits.balanceOf(OWNER)).balance).to.equal(GRANTED);
    const again = await door.order('slug=a', key);
    expect([again.status, again.headers.get('idempotent-replayed')]).to.deep.equal([200, null]);
    expect((await door.credits.balanceOf(OWNER)).balance).to.equal(GRANTED - 1);
  });
});
