import type { Client } from 'pg';
import { maskedUrl } from '#domain/database-url';
import { OutsideError } from '#domain/errors';
import type { Clock } from '#system/clock';
import { describeFault, storeError } from './faults.js';
import { connectOnce } from './pool.js';
import { tryNamedStatements } from './pooler.js';
import type { Query } from './query.js';
import { SCHEMA_VERSION } from './schema-version.js';

/** PostgreSQL 15. */
const SERVER_VERSION_MIN = 150_000;
/** A command dates what it makes by its machine's clock, and hears no other than the database's. */
const CLOCK_MS_MAX = 10_000;
/** Encodings of databases: the second one keeps every byte as it comes. */
const HOLD_ALL_TEXTS = ['UTF8', 'SQL_ASCII'];
/** The names of facts in the table `meta`: the id of the key that rows are written with. */
export const KEY_ID = 'store-key';
/** Stands in the table `meta` while rows are being copied into the database. */
export const COPYING = 'copying';

const FACTS = `SELECT current_setting('server_version_num')::int AS version, current_setting('fsync') AS fsync,
  current_setting('synchronous_commit') AS synchronous_commit,
  current_setting('synchronous_standby_names') AS synchronous_standby_names, pg_is_in_recovery() AS is_standby,
  current_setting('default_transaction_read_only') AS is_read_only, current_setting('server_encoding') AS encoding,
  to_regclass('schema_version') IS NOT NULL AS has_tables,
  (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now_ms`;
const PING = `INSERT INTO meta (name, value) VALUES ('ping', '') ON CONFLICT (name) DO UPDATE SET value = excluded.value
  RETURNING (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now_ms`;

/**
 * Rejects with an OutsideError (final) that says in one sentence why a service may not work on this
 * database: it cannot be reached, forgets what it acknowledged, cannot be written, or not with all
 * texts, has tables of another version, lies behind a pooler that loses named statements, or has
 * another time than `clock`. Without one it tells `onTime` what time it is. `isCopy`: rows may still
 * be being copied into it.
 */
export async function checkDatabase(url: string, checked: Checked): Promise<void> {
  const fault = await onceConnected(url, (client) => faultOf(client, checked));
  if (fault !== null) throw refused(url, fault);
  try {
    await tryNamedStatements(url);
  } catch (error) {
    throw refused(url, describeFault(error), error);
  }
}

/** What a database is held to. */
export interface Checked {
  readonly clock?: Pick<Clock, 'nowMs'>;
  readonly onTime?: (nowMs: number) => void;
  readonly isCopy?: boolean;
}

async function faultOf(client: Client, { clock, onTime, isCopy }: Checked): Promise<string | null> {
  const facts = (await client.query(FACTS)).rows[0];
  if (facts.version < SERVER_VERSION_MIN) return 'it is older than PostgreSQL 15: take a newer one';
  if (facts.is_standby || facts.is_read_only === 'on') return 'it is read-only: name the primary in STORE_URL';
  const forgetful = durabilityFault(facts);
  if (forgetful !== null) return forgetful;
  if (!HOLD_ALL_TEXTS.includes(facts.encoding)) {
    return `its encoding is ${facts.encoding}, which lacks characters that names of markets have: make one with ENCODING 'UTF8'`;
  }
  if (!facts.has_tables) return 'it has no tables yet: run `preflightctl store migrate`';
  onTime?.(facts.now_ms);
  const fault = (await versionFault(client)) ?? (isCopy === true ? null : await copyFault(client));
  return fault ?? (clock === undefined ? null : clockFault(facts.now_ms, clock.nowMs()));
}

/** What a database is set to that decides what it still knows after a failure. */
export interface Durability {
  readonly fsync: string;
  readonly synchronous_commit: string;
  /** '': there is no synchronous standby. */
  readonly synchronous_standby_names: string;
}

/** Commits that do not wait for the disk of the standby that is to take over. */
const NOT_ON_STANDBY = ['local', 'remote_write'];

/**
 * Returns by which of its settings a database would forget what it acknowledged, and what to do;
 * null: by none.
 */
export function durabilityFault(settings: Durability): string | null {
  const { fsync, synchronous_commit: commit, synchronous_standby_names: standbys } = settings;
  if (fsync === 'off') return 'it has fsync=off and would forget acknowledged payments in a crash: turn it on';
  if (commit === 'off') {
    return 'it has synchronous_commit=off and would forget acknowledged payments in a crash: set it to on';
  }
  if (standbys === '' || !NOT_ON_STANDBY.includes(commit)) return null;
  return `it has synchronous_commit=${commit} beside a synchronous standby and would forget acknowledged payments in a failover: set it to on`;
}

async function versionFault(client: Client): Promise<string | null> {
  const { rows } = await client.query('SELECT max(version) AS version FROM schema_version');
  const version: number = rows[0].version;
  if (version === SCHEMA_VERSION) return null;
  return version < SCHEMA_VERSION
    ? `its tables are of version ${version}, this program needs ${SCHEMA_VERSION}: run \`preflightctl store migrate\``
    : `its tables are of version ${version}, this program knows ${SCHEMA_VERSION}: use the program that made them`;
}

async function copyFault(client: Client): Promise<string | null> {
  const { rowCount } = await client.query('SELECT 1 FROM meta WHERE name = $1', [COPYING]);
  return rowCount === 0 ? null : 'a copy into it was not finished: run `preflightctl store copy` again';
}

function clockFault(theirsMs: number, oursMs: number): string | null {
  const apartMs = Math.abs(theirsMs - oursMs);
  if (apartMs <= CLOCK_MS_MAX) return null;
  return `its clock and the one of this machine are ${Math.round(apartMs / 1e3)} s apart: set both by NTP`;
}

/**
 * Resolves with the database's time when a change has come to its disk. No other clock is asked: a
 * replica is not ill because that of another machine is wrong.
 */
export async function checkWritable(query: Query): Promise<number> {
  try {
    return (await query('ping', PING)).rows[0]?.now_ms as number;
  } catch (error) {
    throw storeError(error);
  }
}

/** Remembers which key the rows are written with, once and for all replicas. */
export async function bindKey(url: string, useKey: (existing: string | null) => string): Promise<void> {
  await onceConnected(url, async (client) => {
    const existing = async (): Promise<string | null> =>
      (await client.query('SELECT value FROM meta WHERE name = $1', [KEY_ID])).rows[0]?.value ?? null;
    const id = useKey(await existing());
    await client.query('INSERT INTO meta (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING', [KEY_ID, id]);
    const bound = await existing();
    // Another replica was faster, with a key of its own.
    if (bound !== id) useKey(bound);
  });
}

/** Binds the store to another key, for when the first one is lost. */
export async function rebindKey(url: string, id: string): Promise<void> {
  const text = `INSERT INTO meta (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value`;
  await onceConnected(url, (client) => client.query(text, [KEY_ID, id]));
}

async function onceConnected<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  let client: Client | null = null;
  try {
    client = await connectOnce(url);
    return await work(client);
  } catch (error) {
    if (error instanceof OutsideError) throw error;
    throw refused(url, describeFault(error), error);
  } finally {
    await client?.end().catch(() => undefined);
  }
}

function refused(url: string, why: string, cause?: unknown): OutsideError {
  const facts = cause === undefined ? {} : { cause };
  return new OutsideError('store', `the database ${maskedUrl(url)} cannot be used: ${why}`, {
    failure: 'final',
    ...facts,
  });
}
