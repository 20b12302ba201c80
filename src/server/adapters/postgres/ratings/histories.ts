import type { Pool } from 'pg';
import type { TapeWallet } from '#domain/ids';
import type { TrimmedPage, VerdictRecord } from '#ports/ratings-store';
import type { Cursor } from '#ports/store';
import { decodeVerdict } from '../../rows/rating-rows.js';
import { fromDoc } from '../doc.js';
import { queryRows } from '../query.js';
import { countRemoved } from '../retry.js';

/**
 * Returns verdicts of runs that are or were in force, newest first. If a day was rated twice, only
 * its newest verdict counts.
 */
export async function readHistory(pool: Pool, wallet: TapeWallet, limit: number): Promise<readonly VerdictRecord[]> {
  const rows = await queryRows<{ run: number; doc: string }>(pool, { text: HISTORY, values: [wallet, limit] });
  return rows.map(({ run, doc }) => fromDoc(`history/${wallet}/${run}`, doc, decodeVerdict));
}

/** Removes up to `limit` verdicts of before a second, the oldest first. */
export async function trimHistory(pool: Pool, beforeS: number, limit: number): Promise<TrimmedPage> {
  const removed = await countRemoved(pool, { text: TRIM, values: [beforeS, limit] });
  return { removed, next: removed < limit ? null : MORE };
}

/** What is removed is gone, so that the next look begins as the first one did. */
const MORE: Cursor = 'more';

const HISTORY = `
  SELECT run, doc FROM (
    SELECT run, doc, as_of_s, lag(as_of_s) OVER (ORDER BY run DESC) AS newer_as_of_s
    FROM verdict_history h
    WHERE wallet = $1 AND EXISTS (SELECT 1 FROM published_run p WHERE p.run = h.run)
  ) verdicts
  WHERE newer_as_of_s IS NULL OR newer_as_of_s <> as_of_s
  ORDER BY run DESC LIMIT $2`;

const TRIM = `
  WITH gone AS (
    DELETE FROM verdict_history WHERE (wallet, run) IN (
      SELECT wallet, run FROM verdict_history WHERE as_of_s < $1 ORDER BY as_of_s LIMIT $2 FOR UPDATE SKIP LOCKED
    ) RETURNING 1
  )
  SELECT count(*) AS removed FROM gone`;
