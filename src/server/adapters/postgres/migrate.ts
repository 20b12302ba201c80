import { fileURLToPath } from 'node:url';
import { runner } from 'node-pg-migrate';
import type { Client } from 'pg';
import { refuseAtWork } from './money/leases.js';
import { connectOnce } from './pool.js';
import { SCHEMA_VERSION } from './schema-version.js';

const MIGRATIONS = fileURLToPath(new URL('./migrations', import.meta.url));
/** Of two at once one waits for the other. Any number will do that nobody else takes. */
const LOCK = 7_241_865;
/** As node-pg-migrate makes it: its own faults would hide those of the database. */
const MIGRATION_TABLE =
  'CREATE TABLE IF NOT EXISTS migration (id serial PRIMARY KEY, name varchar(255) NOT NULL, run_on timestamp NOT NULL)';

/** The version of the tables before and after; null: there were none. */
export interface Migrated {
  readonly from: number | null;
  readonly to: number;
}

/**
 * Brings the tables to the version of this program, in one transaction: all of it is done or
 * nothing. Of two at once one waits for the other. Rejects with the error of the database, where
 * the tables are newer than this program, and where a service works on older ones.
 */
export async function migrate(url: string): Promise<Migrated> {
  const client = await connectOnce(url);
  try {
    // All of it is one transaction, the table of the migrations themselves included.
    await client.query('BEGIN');
    await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
    await client.query(MIGRATION_TABLE);
    const { rows } = await client.query<{ schema: string | null }>('SELECT current_schema() AS schema');
    const schema = rows[0]?.schema ?? 'public';
    const from = await versionIn(client);
    if (from !== null && from > SCHEMA_VERSION) throw newer(from);
    // An older program goes on with rows that lack what the newer tables have.
    if (from !== null && from < SCHEMA_VERSION) await refuseAtWork(client);
    await runner({
      dbClient: client,
      dir: MIGRATIONS,
      direction: 'up',
      migrationsTable: 'migration',
      schema,
      checkOrder: true,
      singleTransaction: true,
      noLock: true,
      log: () => undefined,
    });
    await client.query('COMMIT');
    return { from, to: (await versionIn(client)) ?? SCHEMA_VERSION };
  } finally {
    await client.end();
  }
}

/** Returns the version of the tables, or null if there are none. */
export async function schemaVersion(url: string): Promise<number | null> {
  const client = await connectOnce(url);
  try {
    return await versionIn(client);
  } finally {
    await client.end();
  }
}

async function versionIn(client: Pick<Client, 'query'>): Promise<number | null> {
  const found = await client.query<{ is_there: boolean }>(
    "SELECT to_regclass('schema_version') IS NOT NULL AS is_there",
  );
  if (found.rows[0]?.is_there !== true) return null;
  const { rows } = await client.query<{ version: number }>('SELECT max(version) AS version FROM schema_version');
  return rows[0]?.version ?? null;
}

function newer(version: number): Error {
  return new Error(
    `the tables are of version ${version}, this program knows ${SCHEMA_VERSION}: use the program that made them`,
  );
}
