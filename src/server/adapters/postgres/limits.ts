import type { Pool } from 'pg';
import { OutsideError } from '#domain/errors';
import type { SharedLimits } from '#ports/shared-limits';
import { systemStopwatch } from '../process/system-clock.js';
import { isGood } from './good-until.js';
import { inTime } from './in-time.js';
import type { Change } from './job-leases.js';
import { changeRows } from './retry.js';

/** A caller waits for it, who is counted by this process alone where it takes longer. */
const ASK_MS_MAX = 500;
/** A database that has just failed is not waited for again. */
const REST_MS = 1_000;

/**
 * Returns limits that all replicas on a database count together, by its own clock. While it does
 * not answer they reject soon, and then at once.
 */
export function pgLimits(pool: Pool, change: Change): SharedLimits {
  let restUntilMs = 0;
  const soon = async <T>(work: () => Promise<T>): Promise<T> => {
    if (systemStopwatch.elapsedMs() < restUntilMs) {
      throw new OutsideError('store', 'the database has just failed; try again', { failure: 'retryable' });
    }
    try {
      return await inTime(change(work), ASK_MS_MAX);
    } catch (error) {
      restUntilMs = systemStopwatch.elapsedMs() + REST_MS;
      throw error;
    }
  };
  return {
    take: (key, points, { points: pointsMax, windowS }) =>
      soon(async () => {
        if (points > pointsMax) return windowS * 1e3;
        const values = [key, points, pointsMax, windowS];
        const [row] = await changeRows<{ taken: number; left_ms: number | null }>(pool, { text: TAKE, values });
        return row?.taken === 1 ? null : Math.max(0, row?.left_ms ?? windowS * 1e3);
      }),
    // What was taken before the database failed has to come back too, and few give back at once.
    giveBack: (key, points) =>
      inTime(
        change(async () => void (await changeRows(pool, { text: GIVE_BACK, values: [key, points] }))),
        ASK_MS_MAX,
      ),
  };
}

/** Windows that have ended and that each change takes away with it: more than it can add. */
const FORGOTTEN = 2;

/** Whether a window has begun that goes on. */
const IS_IN_FORCE = isGood('used.until', '$4 * 1000');

const TAKE = `
  WITH ended AS (
    DELETE FROM limit_used WHERE key IN (
      SELECT key FROM limit_used WHERE until <= clock_timestamp() AND key <> $1
      ORDER BY until LIMIT ${FORGOTTEN} FOR UPDATE SKIP LOCKED
    )
  ), taken AS (
    INSERT INTO limit_used AS used (key, points, until)
    VALUES ($1, $2, clock_timestamp() + $4 * interval '1 second')
    ON CONFLICT (key) DO UPDATE SET
      points = CASE WHEN ${IS_IN_FORCE} THEN used.points + excluded.points ELSE excluded.points END,
      until = CASE WHEN ${IS_IN_FORCE} THEN used.until ELSE excluded.until END
    WHERE NOT ${IS_IN_FORCE} OR used.points + excluded.points <= $3
    RETURNING 1
  )
  SELECT (SELECT count(*) FROM taken) AS taken,
    (SELECT extract(epoch FROM until - clock_timestamp())::float8 * 1000 FROM limit_used WHERE key = $1) AS left_ms`;

const GIVE_BACK = `
  UPDATE limit_used SET points = greatest(0, points - $2) WHERE key = $1 AND until > clock_timestamp()`;
