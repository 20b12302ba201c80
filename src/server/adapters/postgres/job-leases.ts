import type { Pool } from 'pg';
import { JOB_LEASE_MS, type JobHold, type JobLeases } from '#ports/job-leases';
import { isGood } from './good-until.js';
import type { Statement } from './query.js';
import { changeRows, expecting } from './retry.js';

/** Runs what changes the store, and turns what fails into the error that its callers get. */
export type Change = <T>(work: () => Promise<T>) => Promise<T>;

/** Returns the leases of a database, by its own clock. */
export function pgJobLeases(pool: Pool, change: Change): JobLeases {
  return {
    claim: (job, owner) =>
      change(async () => {
        const [taken] = await changeRows<{ epoch: number }>(pool, { text: CLAIM, values: [job, owner, JOB_LEASE_MS] });
        return taken === undefined ? null : { job, owner, epoch: taken.epoch };
      }),
    renew: (hold) =>
      change(async () => {
        const text = `UPDATE job_lease SET until = ${LATER} WHERE ${IS_HELD} RETURNING 1`;
        return (await changeRows(pool, { text, values: [...partsOf(hold), JOB_LEASE_MS] })).length > 0;
      }),
    release: (hold) =>
      change(async () => {
        const text = `UPDATE job_lease SET until = '-infinity' WHERE ${IS_HELD}`;
        await changeRows(pool, { text, values: partsOf(hold) });
      }),
  };
}

/**
 * Returns the statement that ends a transaction whose job somebody else has taken, and keeps others
 * from taking it meanwhile.
 */
export function stillHeld(hold: JobHold): Statement {
  return expecting(1, { text: `SELECT 1 FROM job_lease WHERE ${IS_HELD} FOR SHARE`, values: partsOf(hold) });
}

const partsOf = ({ job, owner, epoch }: JobHold) => [job, owner, epoch];

const IS_HELD = 'job = $1 AND owner = $2 AND epoch = $3';
const LATER = "clock_timestamp() + $4 * interval '1 millisecond'";

/**
 * The epoch grows also when an owner comes back to a lease that has run out: others may have relied
 * on that.
 */
const CLAIM = `
  INSERT INTO job_lease (job, owner, epoch, until)
  VALUES ($1, $2, 1, clock_timestamp() + $3 * interval '1 millisecond')
  ON CONFLICT (job) DO UPDATE SET
    owner = excluded.owner,
    epoch = CASE WHEN ${isGood('job_lease.until', JOB_LEASE_MS)} THEN job_lease.epoch ELSE job_lease.epoch + 1 END,
    until = excluded.until
  WHERE NOT ${isGood('job_lease.until', JOB_LEASE_MS)} OR job_lease.owner = excluded.owner
  RETURNING epoch`;
