import type { Pool } from 'pg';
import { OutsideError } from '#domain/errors';
import type { FollowedBoard } from '#domain/follow-up/followed-board';
import type { StoredRating } from '#domain/rating/stored-rating';
import type { JobHold } from '#ports/job-leases';
import type { Board } from '#ports/ratings-store';
import { encodeBoard, encodeStoredRating, encodeVerdict } from '../../rows/rating-rows.js';
import { docOf } from '../doc.js';
import { stillHeld } from '../job-leases.js';
import { queryRows, type Statement } from '../query.js';
import { countRemoved, expecting, isRefusedChange, transactWithRetry } from '../retry.js';
import { insertFollowed } from './follows.js';

/** Rows removed in one transaction, so that none takes long. */
const FORGET_BATCH = 2_000;
/**
 * A rating on demand that is this much older than the board is forgotten: a wallet that nobody asks
 * for any more.
 */
const DEMAND_STORED_S = 30 * 86_400;

/** Returns the newest run that began to keep ratings; 0: none did. */
export async function readNewestRun(pool: Pool): Promise<number> {
  const [row] = await queryRows<{ run: number }>(pool, { text: 'SELECT run FROM draft_run' });
  return row?.run ?? 0;
}

/**
 * Keeps ratings of a run, in one round trip. Only the newest run to begin may: the row of the draft
 * is locked and compared in the same transaction.
 */
export async function keepRatings(pool: Pool, run: number, ratings: readonly StoredRating[]): Promise<void> {
  // Of a wallet that comes twice the later one counts.
  const rated = [...new Map(ratings.map((stored) => [stored.rating.wallet, stored])).values()];
  const held = rated.filter(({ rating }) => rating.verdict !== 'NO_COVERAGE');
  await onlyNewest(run, () =>
    transactWithRetry(pool, [...asNewest(run), insertRatings(run, rated), insertVerdicts(run, held)]),
  );
}

/** What comes into force together, and by whom. */
interface Publication {
  readonly board: Board;
  readonly hold: JobHold | undefined;
  readonly followed: FollowedBoard | undefined;
}

/** Puts a run in force, in one transaction; whose job was taken over meanwhile does not. */
export async function publishRun(pool: Pool, { board, hold, followed }: Publication): Promise<void> {
  const held = hold === undefined ? [] : [stillHeld(hold)];
  const kept = followed === undefined ? [] : [insertFollowed(followed)];
  await onlyNewest(board.run, () =>
    transactWithRetry(pool, [...held, ...asNewest(board.run), ...putInForce(board), ...kept]),
  );
}

/**
 * Removes, batch by batch, the ratings of every run but the one in force and the draft. What never
 * was in force leaves no history.
 */
export async function forgetRuns(pool: Pool): Promise<void> {
  while ((await countRemoved(pool, { text: FORGET_RATINGS, values: [FORGET_BATCH] })) > 0);
}

/** Removes ratings on demand that are a month older than the board. */
export async function forgetDemandRatings(pool: Pool, { asOfS }: Board): Promise<void> {
  const values = [asOfS - DEMAND_STORED_S, FORGET_BATCH];
  while ((await countRemoved(pool, { text: FORGET_DEMAND_RATINGS, values })) > 0);
}

/**
 * Takes the place of the draft, and with it the lock; then looks at the board, which nobody can
 * change meanwhile.
 */
function asNewest(run: number): readonly Statement[] {
  const taken = {
    text: `INSERT INTO draft_run (run) VALUES ($1)
           ON CONFLICT (only_one) DO UPDATE SET run = excluded.run WHERE draft_run.run <= excluded.run RETURNING 1`,
    values: [run],
  };
  return [expecting(1, taken), expecting(0, { text: 'SELECT 1 FROM board WHERE run >= $1', values: [run] })];
}

function insertRatings(run: number, ratings: readonly StoredRating[]): Statement {
  return {
    text: `INSERT INTO rating (run, wallet, doc) SELECT $1, * FROM unnest($2::text[], $3::text[])
           ON CONFLICT (run, wallet) DO UPDATE SET doc = excluded.doc`,
    values: [
      run,
      ratings.map(({ rating }) => rating.wallet),
      ratings.map((stored) => docOf(encodeStoredRating(stored))),
    ],
  };
}

function insertVerdicts(run: number, ratings: readonly StoredRating[]): Statement {
  return {
    text: `INSERT INTO verdict_history (run, wallet, as_of_s, doc)
           SELECT $1, * FROM unnest($2::text[], $3::bigint[], $4::text[])
           ON CONFLICT (wallet, run) DO UPDATE SET as_of_s = excluded.as_of_s, doc = excluded.doc`,
    values: [
      run,
      ratings.map(({ rating }) => rating.wallet),
      ratings.map(({ rating }) => rating.asOfS),
      ratings.map((stored) => docOf(encodeVerdict(stored))),
    ],
  };
}

function putInForce(board: Board): readonly Statement[] {
  return [
    { text: 'INSERT INTO published_run (run) VALUES ($1)', values: [board.run] },
    {
      text: `INSERT INTO board (run, doc) VALUES ($1, $2)
             ON CONFLICT (only_one) DO UPDATE SET run = excluded.run, doc = excluded.doc`,
      values: [board.run, docOf(encodeBoard(board))],
    },
  ];
}

async function onlyNewest<T>(run: number, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!isRefusedChange(error)) throw error;
    const text = `run ${run} is not the newest one any more; let the other one end, or start again`;
    throw new OutsideError('store', text, { failure: 'final', cause: error });
  }
}

const FORGET_RATINGS = `
  WITH gone AS (
    DELETE FROM rating WHERE (run, wallet) IN (
      SELECT run, wallet FROM rating
      WHERE run NOT IN (SELECT run FROM board UNION ALL SELECT run FROM draft_run) LIMIT $1
    ) RETURNING run, wallet
  ), unheld AS (
    DELETE FROM verdict_history h USING gone
    WHERE h.run = gone.run AND h.wallet = gone.wallet
      AND NOT EXISTS (SELECT 1 FROM published_run p WHERE p.run = h.run)
  )
  SELECT count(*) AS removed FROM gone`;

const FORGET_DEMAND_RATINGS = `
  WITH gone AS (
    DELETE FROM demand_rating WHERE wallet IN (
      SELECT wallet FROM demand_rating WHERE as_of_s < $1 LIMIT $2
    ) RETURNING 1
  )
  SELECT count(*) AS removed FROM gone`;
