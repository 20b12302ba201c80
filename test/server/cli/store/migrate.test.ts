import { expect } from 'chai';
import pg from 'pg';
import { describeFault } from '#adapters/postgres/faults';
import { openPostgresStore } from '#adapters/postgres/money/store';
import { SCHEMA_VERSION } from '#adapters/postgres/schema-version';
import { systemClock } from '#adapters/process/system-clock';
import { addStoreCommands } from '#cli/store/store';
import { lookAtTables, migrateTables } from '#compose/postgres';
import type { Store } from '#ports/store';
import { samplePayment } from '#test/contract/support/sample-payment';
import { postgresServer } from '#test/support/postgres';
import { runCommandHere } from '../support/run-here.js';

const run = (command: string) => runCommandHere(addStoreCommands, `store migrate ${command}`.trim());

describe('preflightctl store migrate', () => {
  const server = postgresServer();
  let url: string;

  beforeEach(async () => {
    ({ url } = await server.makeSchema());
  });

  const at = () => `--store-url ${url}`;

  async function query(sql: string): Promise<readonly Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    return (await client.query(sql).finally(() => client.end())).rows;
  }

  async function withStore(work: (store: Store) => Promise<void>): Promise<void> {
    const store = await openPostgresStore({ url, clock: systemClock });
    await work(store).finally(() => store.close());
  }

  const tables = async () =>
    (await query('SELECT tablename FROM pg_tables WHERE schemaname = current_schema()')).map((row) => row.tablename);

  it('makes the tables, and finds nothing left to do the second time', async () => {
    const checked = await run(`--check ${at()}`);
    expect(checked.exitCode).to.equal(1);
    expect(checked.stdout).to.match(/: there are no tables yet: run `preflightctl store migrate`\n$/);
    expect(await tables(), 'a look makes nothing').to.deep.equal([]);
    const made = await run(at());
    expect([made.exitCode, made.stderr]).to.deep.equal([0, '']);
    expect(made.stdout).to.match(
      /^postgres:\/\/\w+:\*\*\*@127\.0\.0\.1:\d+\/postgres: the tables were made, of version \d+\n$/,
    );
    const again = JSON.parse((await run(`--json ${at()}`)).stdout);
    expect(again).to.deep.include({ ok: true, from_version: again.version });
    const current = await run(`--check --json ${at()}`);
    expect(current.exitCode).to.equal(0);
    expect(JSON.parse(current.stdout)).to.deep.include({ current: true, version: again.version });
  });

  it('is done once by two at the same time: one waits', async () => {
    const both = await Promise.all([migrateTables(url), migrateTables(url), migrateTables(url)]);
    expect(new Set(both.map(({ to }) => to)).size).to.equal(1);
    expect((await lookAtTables(url)).kind).to.equal('current');
    const versions = await query('SELECT version FROM schema_version ORDER BY version');
    expect(versions.map(({ version }) => version)).to.deep.equal(versions.map((_, n) => n + 1));
  });

  it('names tables that are older, and leaves alone those that are newer', async () => {
    await migrateTables(url);
    await query('DELETE FROM schema_version WHERE version > 1');
    const older = await run(`--check ${at()}`);
    expect([older.exitCode, older.stdout]).to.satisfy(
      ([code, text]: [number, string]) => code === 1 && /of version 1, this program knows \d+: run `pre/.test(text),
    );
    await query('INSERT INTO schema_version VALUES (99)');
    const newer = await run(`--check ${at()}`);
    expect(newer.exitCode).to.equal(1);
    expect(newer.stdout).to.match(/of version 99, this program knows \d+: use the program that made them\n$/);
    const refused = await run(at());
    expect(refused.exitCode).to.equal(1);
    expect(refused.stderr).to.match(/^error: postgres:.*: the tables are of version 99, .* that made them\n$/);
  });

  it('finds the answers of payments that were kept before there was an index of them, past a row that is broken', async () => {
    await migrateTables(url);
    const settled = (n: number) => samplePayment(n, { state: 'SETTLED', open: false, body: '{}', updatedAtMs: n });
    const rows = [settled(1), settled(2), samplePayment(3), { ...settled(4), answer: '', body: null }, settled(5)];
    await withStore(async (store) => {
      for (const row of rows) {
        await store.transact({ payment: row.key }, () => ({ writes: { payment: row }, result: null }));
      }
    });
    await query(`UPDATE payment SET doc = 'nonsense' WHERE key = '${rows[0]!.key}'`);
    await query('ALTER TABLE payment DROP COLUMN answered_at_ms');
    await query('DROP TABLE score_day');
    await query('DROP TABLE rating_basis');
    await query('DROP TABLE followed_board');
    await query('DELETE FROM schema_version WHERE version > 2');
    await query("DELETE FROM migration WHERE name > '003'");
    expect(await migrateTables(url)).to.deep.equal({ from: 2, to: SCHEMA_VERSION });
    const found = await query('SELECT key, answered_at_ms FROM payment WHERE answered_at_ms IS NOT NULL ORDER BY key');
    expect(found).to.deep.equal(
      [rows[1], rows[4]].map((row) => ({ key: row!.key, answered_at_ms: String(row!.updatedAtMs) })),
    );
    await withStore(async (store) => {
      expect(await store.trimPayments(5, 10)).to.deep.equal({ removed: 1, isMore: false });
      expect(await store.payment(rows[1]!.key)).to.deep.equal({ ...rows[1], answer: '', body: null });
    });
  });

  it('leaves older tables as they are while a service works on them', async () => {
    await migrateTables(url);
    await query('DROP TABLE followed_board');
    await query(`DELETE FROM schema_version WHERE version = ${SCHEMA_VERSION}`);
    await query("DELETE FROM migration WHERE name > '006'");
    await query("INSERT INTO replica VALUES ('old', 1, clock_timestamp() + interval '6 s')");
    const refused = await run(at());
    expect([refused.exitCode, refused.stderr]).to.satisfy(
      ([code, text]: [number, string]) => code === 1 && /: a service is at work on it: stop it\n$/.test(text),
    );
    expect(await tables()).to.not.include('followed_board');
    await query("UPDATE replica SET until = '-infinity'");
    expect(await migrateTables(url)).to.deep.equal({ from: SCHEMA_VERSION - 1, to: SCHEMA_VERSION });
  });

  it('makes nothing at all where tables of another program are in the way', async () => {
    await query('CREATE TABLE payment (id int)');
    const { exitCode, stderr } = await run(at());
    expect(exitCode).to.equal(1);
    expect(stderr).to.match(/: tables of these names are there that this program did not make: .*\n$/);
    expect(await tables()).to.deep.equal(['payment']);
  });

  /** The URL of the suite with other parts. */
  const changed = (change: (url: URL) => unknown): string => {
    const other = new URL(url);
    change(other);
    return other.href;
  };

  const REFUSED: readonly (readonly [string, (url: URL) => unknown, RegExp])[] = [
    [
      'a wrong password',
      (one) => Object.assign(one, { password: 'wrong-secret' }),
      /the password is wrong: correct it/,
    ],
    ['a wrong database', (one) => Object.assign(one, { pathname: '/nowhere' }), /there is no such database: make it/],
    [
      'a port at which nobody listens',
      (one) => Object.assign(one, { port: '1' }),
      /nothing listens there: start the server/,
    ],
    ['a host that nobody knows', (one) => Object.assign(one, { hostname: 'nobody.invalid' }), /host/],
    ['TLS asked of a server without it', (one) => one.searchParams.set('sslmode', 'verify-full'), /has no TLS/],
    [
      'a read-only standby',
      (one) =>
        one.searchParams.set('options', `${one.searchParams.get('options')} -c default_transaction_read_only=on`),
      /it is a read-only standby: name the primary/,
    ],
  ];
  for (const [name, change, sentence] of REFUSED) {
    it(`says ${name} in one sentence, without the password`, async () => {
      const { exitCode, stdout, stderr } = await run(`--store-url ${changed(change)}`);
      expect([exitCode, stdout]).to.deep.equal([1, '']);
      expect(stderr)
        .to.match(/^error: postgres:\/\/\w+:\*\*\*@[^\n]*\n$/)
        .and.match(sentence);
      expect(stderr).to.not.include(new URL(url).password).and.not.include('wrong-secret');
      expect(await tables()).to.deep.equal([]);
    });
  }

  it('refuses what is not the URL of a PostgreSQL, and does not print it', async () => {
    for (const wrong of ['mysql://u:hush@h/d', 'u:hush@h', 'postgres://']) {
      const { exitCode, stderr } = await run(`--store-url ${wrong}`);
      expect([exitCode, stderr]).to.deep.equal([
        2,
        'error: STORE_URL is not one: set it, or give --store-url, in the form postgres://USER:PASSWORD@HOST:PORT/DATABASE\n',
      ]);
    }
    expect((await run('')).stderr).to.match(/^error: there is no STORE_URL: set it/);
  });

  it('has a sentence for a full disk, a user without rights, and one who is not let in', () => {
    const of = (code: string) => describeFault(Object.assign(new Error('raw'), { code }));
    expect(of('53100')).to.equal('the disk of the server is full: make room');
    expect(of('42501')).to.match(/^the user may not do this there: GRANT/);
    expect(of('28000')).to.match(/sslmode=verify-full/);
  });
});
