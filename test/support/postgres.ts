import { rmSync } from 'node:fs';
import type { Context, Suite } from 'mocha';
import pg from 'pg';
import { systemRandom } from '#adapters/process/system-random';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#local/postgres/embedded';
import { skipLoudly } from './skipped.js';
import { tempFolder } from './temp-folder.js';

/**
 * Where the one server of a test run is (tools/run/main.ts starts it), or why there is none.
 * Neither is set when a single file is run by hand.
 */
export const POSTGRES_URL = 'TEST_POSTGRES_URL';
export const POSTGRES_ABSENT = 'TEST_POSTGRES_ABSENT';

/** The PostgreSQL of the tests, which all of them share: each test works in a schema of its own. */
export interface TestPostgres {
  /** Of the whole server, as its superuser. There when the suite's hooks and tests run. */
  readonly url: string;
  /** Makes an empty schema, dropped with all that is in it when the suite ends. */
  makeSchema(): Promise<TestSchema>;
}

interface TestSchema {
  readonly name: string;
  /** `postgres://…?options=…`: connections see this schema alone. */
  readonly url: string;
  drop(): Promise<void>;
}

/**
 * Call it in the body of a `describe`: its hooks, before all others of the suite, find the server
 * of this run or start one, and skip the suite loudly where there can be none. Whoever kills or
 * configures a server starts one (`ownPostgres`).
 */
export function postgresServer(): TestPostgres {
  let url: string | null = null;
  const made: TestSchema[] = [];
  before('finds a PostgreSQL', async function () {
    url = await urlOfThisRun(this);
  });
  after('drops the schemas', async () => {
    for (const schema of made) await schema.drop();
  });
  return {
    get url() {
      if (url === null) throw new Error('the server is there when hooks and tests run, not before');
      return url;
    },
    async makeSchema() {
      const schema = await makeSchema(this.url);
      made.push(schema);
      return schema;
    },
  };
}

/** A server for one suite alone, in a folder that it may start it on again after a kill. */
export async function ownPostgres(
  context: Context,
): Promise<EmbeddedPostgres & { readonly folder: string; remove(): Promise<void> }> {
  const folder = tempFolder('postgres');
  const started = await startEmbeddedPostgres({ folder });
  if (started.kind === 'absent') {
    rmSync(folder, { recursive: true, force: true });
    return skipLoudly(context, started.why);
  }
  const remove = async () => {
    await started.server.kill();
    rmSync(folder, { recursive: true, force: true });
  };
  return { ...started.server, folder, remove };
}

/** Makes an empty schema on a server. */
async function makeSchema(serverUrl: string): Promise<TestSchema> {
  const name = `t_${Buffer.from(systemRandom.bytes(8)).toString('hex')}`;
  await query(serverUrl, `CREATE SCHEMA ${name}`);
  return {
    name,
    url: `${serverUrl}?options=-c%20search_path%3D${name}`,
    drop: () => query(serverUrl, `DROP SCHEMA IF EXISTS ${name} CASCADE`),
  };
}

/** Runs statements on a server, or in a schema. */
export async function query(url: string, sql: string): Promise<void> {
  await rowsOf(url, sql);
}

/** Runs a statement likewise, and returns its rows. */
export async function rowsOf(url: string, sql: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  // Without a listener a server that goes away ends the process.
  client.on('error', () => {});
  await client.connect();
  const { rows } = await client.query(sql).finally(() => client.end());
  return rows;
}

let ownUrl: string | null = null;

async function urlOfThisRun(context: Context): Promise<string> {
  const given = process.env[POSTGRES_URL] ?? ownUrl;
  if (given !== null) return given;
  const why = process.env[POSTGRES_ABSENT];
  if (why !== undefined) return skipLoudly(context, why);
  const own = await ownPostgres(context);
  ownUrl = own.url;
  rootOf(context).afterAll('stops its PostgreSQL', async () => {
    ownUrl = null;
    await own.remove();
  });
  return ownUrl;
}

function rootOf({ test }: Context): Suite {
  let suite = test!.parent!;
  while (suite.parent !== undefined) suite = suite.parent;
  return suite;
}
