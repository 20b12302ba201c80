import { Client } from 'pg';
import { migrate } from '#adapters/postgres/migrate';
import { openPostgresStore } from '#adapters/postgres/money/store';
import type { Store } from '#ports/store';
import { until } from '#test/support/live-verdicts';
import { postgresServer } from '#test/support/postgres';

const LOOKS_MS_MAX = 20_000;

describe('databases that follow the one of the store', function () {
  this.timeout(2 * LOOKS_MS_MAX);
  const server = postgresServer();
  let url: string;
  let store: Store;

  before(async () => {
    url = (await server.makeSchema()).url;
    await migrate(url);
    store = await openPostgresStore({ url });
  });
  after(() => store?.close());

  const names = () => store.load().standbys?.map(({ name, syncState }) => `${name}: ${syncState}`);

  it('are seen as PostgreSQL shows them, as they come and go', async () => {
    await until('it is known that there is none', () => names()?.length === 0, LOOKS_MS_MAX);
    const { hostname, port, username, password } = new URL(url);
    const login = { host: hostname, port: Number(port), user: username, password: decodeURIComponent(password) };
    const standby = new Client({ ...login, replication: 'true', application_name: 'copy' } as never);
    standby.on('error', () => undefined);
    await standby.connect();
    const { rows } = await standby.query('IDENTIFY_SYSTEM');
    // It is sent changes until it ends.
    standby.query(`START_REPLICATION PHYSICAL ${rows[0].xlogpos}`).catch(() => undefined);
    await until('it is seen', () => names()?.join() === 'copy: async', LOOKS_MS_MAX);
    (standby as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
    await until('it has gone', () => names()?.length === 0, LOOKS_MS_MAX);
  });
});
