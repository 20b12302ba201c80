import type { FollowedBoard } from '#domain/follow-up/followed-board';
import type { FollowStore } from '#ports/follow-store';
import { decodeFollowedBoard, encodeFollowedBoard } from '../../rows/follow-rows.js';
import { docOf, fromDoc, understood } from '../doc.js';
import { type Change, stillHeld } from '../job-leases.js';
import type { Pools } from '../pool.js';
import { queryRows, type Statement } from '../query.js';
import { countRemoved, transactWithRetry } from '../retry.js';

interface Row {
  readonly as_of_s: number;
  readonly doc: string;
}

/** Returns the boards that are followed of a database. */
export function pgFollows({ readers, writers }: Pools, run: Change): FollowStore {
  return {
    list: (from, limit) =>
      run(async () => {
        const text = 'SELECT as_of_s, doc FROM followed_board WHERE as_of_s > $1 ORDER BY as_of_s LIMIT $2';
        const rows = await queryRows<Row>(readers, { text, values: [from === null ? -1 : Number(from), limit] });
        const last = rows.at(-1);
        const next = rows.length < limit || last === undefined ? null : String(last.as_of_s);
        return { ...understood(rows, toBoard), next };
      }),
    putResult: (asOfS, result, hold) =>
      run(async () => {
        // Nothing but the result of a kept board ever changes, and only under the job.
        const text = 'SELECT as_of_s, doc FROM followed_board WHERE as_of_s = $1';
        const [row] = await queryRows<Row>(writers, { text, values: [asOfS] });
        const values = [asOfS, row === undefined ? '' : docOf(encodeFollowedBoard({ ...toBoard(row), result }))];
        await transactWithRetry(writers, [stillHeld(hold), { text: PUT, values }]);
      }),
    trim: (beforeS) => run(() => countRemoved(writers, { text: TRIM, values: [beforeS] })),
  };
}

/** Returns the statement that keeps a board to be followed. The first one of its moment stays. */
export function insertFollowed(board: FollowedBoard): Statement {
  return {
    text: 'INSERT INTO followed_board (as_of_s, doc) VALUES ($1, $2) ON CONFLICT (as_of_s) DO NOTHING',
    values: [board.asOfS, docOf(encodeFollowedBoard(board))],
  };
}

function toBoard({ as_of_s: asOfS, doc }: Row): FollowedBoard {
  return fromDoc(`follow/${asOfS}`, doc, (key, raw) => decodeFollowedBoard(key, raw, asOfS));
}

const PUT = 'UPDATE followed_board SET doc = $2 WHERE as_of_s = $1';

const TRIM = `
  WITH gone AS (DELETE FROM followed_board WHERE as_of_s < $1 RETURNING 1)
  SELECT count(*) AS removed FROM gone`;
