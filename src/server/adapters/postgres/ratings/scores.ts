import type { ScoreStore } from '#ports/score-store';
import { decodeScoreDay, encodeScoreDay } from '../../rows/score-rows.js';
import { docOf, fromDoc, understood } from '../doc.js';
import { type Change, stillHeld } from '../job-leases.js';
import type { Pools } from '../pool.js';
import { queryRows } from '../query.js';
import { countRemoved, transactWithRetry } from '../retry.js';

/** Returns the days of the scoreboard of a database. */
export function pgScores({ readers, writers }: Pools, run: Change): ScoreStore {
  return {
    day: (day) =>
      run(async () => {
        const text = 'SELECT doc FROM score_day WHERE day = $1';
        const [row] = await queryRows<{ doc: string }>(readers, { text, values: [day] });
        const key = `score/${day}`;
        return row === undefined ? null : fromDoc(key, row.doc, (_, raw) => decodeScoreDay(key, raw, day));
      }),
    put: (day, hold) =>
      run(async () => {
        const values = [day.day, docOf(encodeScoreDay(day))];
        await transactWithRetry(writers, [stillHeld(hold), { text: PUT, values }]);
      }),
    list: (from, limit) =>
      run(async () => {
        const text = 'SELECT day, doc FROM score_day WHERE day > $1 ORDER BY day LIMIT $2';
        const rows = await queryRows<{ day: string; doc: string }>(readers, { text, values: [from ?? '', limit] });
        const toRow = ({ day, doc }: { readonly day: string; readonly doc: string }) =>
          fromDoc(`score/${day}`, doc, (key, raw) => decodeScoreDay(key, raw, day));
        return { ...understood(rows, toRow), next: rows.length < limit ? null : (rows.at(-1)?.day ?? null) };
      }),
    trim: (before) => run(() => countRemoved(writers, { text: TRIM, values: [before] })),
  };
}

const PUT = 'INSERT INTO score_day (day, doc) VALUES ($1, $2) ON CONFLICT (day) DO UPDATE SET doc = excluded.doc';

const TRIM = `
  WITH gone AS (DELETE FROM score_day WHERE day < $1 RETURNING 1)
  SELECT count(*) AS removed FROM gone`;
