import { expect } from 'chai';
import { createStoreKey } from '#adapters/keys/store-key';
import { durabilityFault } from '#adapters/postgres/check';
import { migrate } from '#adapters/postgres/migrate';
import { openPostgresStore } from '#adapters/postgres/money/store';
import { SCHEMA_VERSION } from '#adapters/postgres/schema-version';
import { systemClock as clock } from '#adapters/process/system-clock';
import { OutsideError } from '#domain/errors';
import { postgresServer, query } from '#test/support/postgres';
import { outsideErrorOf } from '#test/support/promises';
import { startTransactionPooler } from '#test/support/transaction-pooler';

async function faultOf(url: string, options: Partial<Parameters<typeof openPostgresStore>[0]> = {}): Promise<string> {
  return (await outsideErrorOf(openPostgresStore({ url, clock, ...options }))).message;
}

describe('a database that the store may not work on', () => {
  const server = postgresServer();
  let url: string;
  /** The same tables, seen with another setting. */
  const seenWith = (setting: string) => `${url}%20-c%20${encodeURIComponent(setting)}`;

  before(async () => {
    url = (await server.makeSchema()).url;
    await migrate(url);
  });

  it('opens when nothing is wrong with it', async () => {
    await (await openPostgresStore({ url, clock })).close();
  });

  it('is one without tables, and says which command makes them', async () => {
    const { url: empty } = await server.makeSchema();
    expect(await faultOf(empty)).to.match(/has no tables yet: run `preflightctl store migrate`$/);
  });

  it('is one with tables of another version, older or newer', async () => {
    const { url: other } = await server.makeSchema();
    await migrate(other);
    await query(other, `INSERT INTO schema_version VALUES (${SCHEMA_VERSION + 1})`);
    expect(await faultOf(other)).to.match(
      /are of version \d+, this program knows \d+: use the program that made them$/,
    );
    await query(other, 'DELETE FROM schema_version WHERE version > 1');
    expect(await faultOf(other)).to.match(
      /are of version 1, this program needs \d+: run `preflightctl store migrate`$/,
    );
  });

  it('is one into which a copy was begun and not finished', async () => {
    await query(url, "INSERT INTO meta VALUES ('copying', '')");
    expect(await faultOf(url)).to.match(/a copy into it was not finished: run `preflightctl store copy` again$/);
    await query(url, "DELETE FROM meta WHERE name = 'copying'");
  });

  it('is one that forgets what it acknowledged', async () => {
    expect(await faultOf(seenWith('synchronous_commit=off'))).to.match(/synchronous_commit=off .*: set it to on$/);
  });

  const DURABILITY = [
    { commit: 'on', standbys: '', fault: null },
    { commit: 'on', standbys: 'ANY 1 (one, two)', fault: null },
    { commit: 'remote_apply', standbys: '*', fault: null },
    { commit: 'local', standbys: '', fault: null },
    { commit: 'remote_write', standbys: '', fault: null },
    {
      commit: 'local',
      standbys: 'ANY 1 (one, two)',
      fault: /synchronous_commit=local beside .* in a failover: set it to on$/,
    },
    { commit: 'remote_write', standbys: '*', fault: /synchronous_commit=remote_write beside .* in a failover/ },
  ];
  for (const { commit, standbys, fault } of DURABILITY) {
    it(`is ${fault === null ? 'not' : ''} one with synchronous_commit=${commit} and the standbys "${standbys}"`, () => {
      const settings = { fsync: 'on', synchronous_commit: commit, synchronous_standby_names: standbys };
      if (fault === null) expect(durabilityFault(settings)).to.equal(null);
      else expect(durabilityFault(settings)).to.match(fault);
    });
  }

  it('is one whose encoding lacks characters, and not one that keeps every byte', async () => {
    const said = {
      LATIN1: /its encoding is LATIN1, .*: make one with ENCODING 'UTF8'$/,
      SQL_ASCII: /has no tables yet/,
    };
    for (const [encoding, fault] of Object.entries(said)) {
      const name = `encoded_${encoding.toLowerCase()}`;
      await query(server.url, `CREATE DATABASE ${name} TEMPLATE template0 ENCODING '${encoding}' LOCALE 'C'`);
      const encoded = new URL(server.url);
      encoded.pathname = name;
      expect(await faultOf(encoded.href)).to.match(fault);
      await query(server.url, `DROP DATABASE ${name} WITH (FORCE)`);
    }
  });

  it('is one that cannot be written', async () => {
    expect(await faultOf(seenWith('default_transaction_read_only=on'))).to.match(/is read-only: name the primary/);
  });

  for (const connections of [1, 2, 5]) {
    it(`is one behind a pooler that loses named statements (${connections} connections)`, async () => {
      const pooler = await startTransactionPooler(url, connections);
      const through = new URL(url);
      through.port = String(pooler.port);
      try {
        expect(await faultOf(through.href)).to.match(
          /PgBouncer 1\.21 or later with max_prepared_statements, or pool_mode = session$/,
        );
      } finally {
        await pooler.close();
      }
    });
  }

  it('is one whose clock is more than ten seconds away', async () => {
    const ahead = (ms: number) => ({ clock: { nowMs: () => clock.nowMs() + ms } });
    expect(await faultOf(url, ahead(3_600_000))).to.match(/are 3600 s apart: set both by NTP$/);
    expect(await faultOf(url, ahead(-11_000))).to.match(/are 11 s apart/);
    await (await openPostgresStore({ url, ...ahead(9_000) })).close();
  });

  it('is one that was written with another key, also when two begin at once', async () => {
    const { url: fresh } = await server.makeSchema();
    await migrate(fresh);
    const key = (byte: number) => createStoreKey(new Uint8Array(32).fill(byte)).id;
    const useKey = (id: string) => (existing: string | null) => {
      if (existing !== null && existing !== id) throw new OutsideError('store', 'another key', { failure: 'final' });
      return id;
    };
    const opened = await Promise.allSettled(
      [1, 2].map((byte) => openPostgresStore({ url: fresh, clock, useKey: useKey(key(byte)) })),
    );
    expect(opened.map(({ status }) => status).sort()).to.deep.equal(['fulfilled', 'rejected']);
    for (const one of opened) if (one.status === 'fulfilled') await one.value.close();
  });

  it('is one that is not there, does not know the user, or wants another password; and its own is never shown', async () => {
    const { port, username } = new URL(server.url);
    const at = (change: (url: URL) => void) => {
      const changed = new URL(server.url);
      change(changed);
      return String(changed);
    };
    const wrong = await faultOf(at((one) => Object.assign(one, { password: 'secret-and-wrong' })));
    expect(wrong)
      .to.match(/the password is wrong/)
      .and.not.include('secret-and-wrong');
    expect(await faultOf(at((one) => Object.assign(one, { port: '1' })))).to.match(/nothing listens there/);
    expect(await faultOf(at((one) => Object.assign(one, { pathname: '/nowhere' })))).to.match(/no such database/);
    expect(await faultOf(at((one) => Object.assign(one, { search: '?sslmode=require' })))).to.match(/has no TLS/);
    expect(wrong).to.include(`${username}:***@127.0.0.1:${port}`);
  });
});
