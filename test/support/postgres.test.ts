import { expect } from 'chai';
import pg from 'pg';
import { postgresServer } from './postgres.js';

describe('the PostgreSQL of the tests', () => {
  const postgres = postgresServer();

  async function rowsOf(url: string, sql: string): Promise<readonly unknown[]> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    return client
      .query({ text: sql, rowMode: 'array' })
      .then(({ rows }) => rows)
      .finally(() => client.end());
  }

  it('keeps what each of two schemas holds apart, and drops one with all that is in it', async () => {
    const [one, other] = [await postgres.makeSchema(), await postgres.makeSchema()];
    for (const [at, { url }] of [one, other].entries()) {
      await rowsOf(url, 'CREATE TABLE held (n int)');
      await rowsOf(url, `INSERT INTO held VALUES (${at})`);
    }
    expect(await rowsOf(one.url, 'SELECT n FROM held')).to.deep.equal([[0]]);
    expect(await rowsOf(other.url, 'SELECT n FROM held')).to.deep.equal([[1]]);
    await one.drop();
    expect(await rowsOf(postgres.url, `SELECT 1 FROM pg_namespace WHERE nspname = '${one.name}'`)).to.deep.equal([]);
    expect(await rowsOf(other.url, 'SELECT n FROM held')).to.deep.equal([[1]]);
  });

  it('flushes, sorts by bytes, and has room for all workers, as the service demands', async () => {
    const settings = ['fsync', 'synchronous_commit', 'max_connections', 'server_encoding'];
    const found = await Promise.all(settings.map((name) => rowsOf(postgres.url, `SHOW ${name}`)));
    expect(found.flat(2)).to.deep.equal(['on', 'on', '200', 'UTF8']);
    expect(await rowsOf(postgres.url, "SELECT 'B' < 'a'")).to.deep.equal([[true]]);
  });
});
