import type { Client } from 'pg';
import { LEASE_MS, type LeaseOutcome, type Leases } from '#ports/leases';
import { isGood } from '../good-until.js';
import type { Query } from '../query.js';
import { orStoreError } from './pages.js';

/** Rows of replicas that ended long ago are of no use to anybody. */
const STORED_AFTER_END = "interval '1 hour'";
const HOLD = `WITH others AS (
    SELECT id, pid FROM replica WHERE id <> $1 AND ${isGood('until', LEASE_MS)} ORDER BY id
  ), ended AS (
    DELETE FROM replica WHERE until < clock_timestamp() - ${STORED_AFTER_END}
  ), held AS (
    INSERT INTO replica AS t (id, pid, until)
    SELECT $1, $2::int, clock_timestamp() + $4::int * interval '1 millisecond'
    WHERE (SELECT count(*) FROM others) <= $3::int
    ON CONFLICT (id) DO UPDATE SET until = excluded.until RETURNING 1
  ) SELECT (SELECT count(*) FROM held) AS held, id, pid FROM (SELECT 1) one LEFT JOIN others ON true`;
const END = 'DELETE FROM replica WHERE id = $1';

const AT_WORK = `SELECT 1 FROM replica WHERE ${isGood('until', LEASE_MS)} LIMIT 1`;

/** Rejects while any replica holds its lease. */
export async function refuseAtWork(client: Pick<Client, 'query'>): Promise<void> {
  const { rowCount } = await client.query(AT_WORK);
  if (rowCount !== 0) throw new Error('a service is at work on it: stop it');
}

/**
 * Returns the leases of a database: one row for each process, good until it runs out by the
 * database's own clock. They do not wait behind changes of others.
 */
export function postgresLeases(query: Query, pid: number): Leases {
  return {
    async hold(id, othersMax): Promise<LeaseOutcome> {
      const { rows } = await orStoreError(query('hold lease', HOLD, [id, pid, othersMax, LEASE_MS]));
      const others = rows.flatMap((raw) => (raw.id === null ? [] : [{ id: raw.id as string, pid: raw.pid as number }]));
      return { kind: rows[0]?.held === 1 ? 'held' : 'full', others };
    },
    async end(id) {
      await orStoreError(query('end lease', END, [id]));
    },
  };
}
