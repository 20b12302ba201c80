import type { TapeSession } from '../engine/database.js';
import { PLACE_COLUMNS } from '../sql/fills.js';

const PLACES = Object.keys(PLACE_COLUMNS).join(', ');

/**
 * Makes of fills that came late (a relation of `FILL_COLUMNS`) and of the view `sorted_place`:
 *
 *     touched        the sorted places that they change: their own, and those of other tokens of the
 *                    same wallet and condition, because a place says whether it has such a twin
 *     known_wallet   the numbers of their wallets, as far as they have one
 */
export async function openTouched(session: TapeSession, late: string): Promise<void> {
  await session.run(`CREATE OR REPLACE TEMP TABLE late_token AS SELECT DISTINCT wallet, token FROM ${late}`);
  await session.run(`CREATE OR REPLACE TEMP TABLE late_pair AS SELECT DISTINCT wallet, condition FROM ${late}`);
  await session.run(`CREATE OR REPLACE TEMP TABLE known_wallet AS
    SELECT wallet, min(wallet_no) AS wallet_no FROM sorted_place
    WHERE wallet IN (SELECT wallet FROM late_pair) GROUP BY wallet`);
  await session.run(TOUCHED);
  // Sources agree on the condition of a token. If they did not, the places of both would change.
  const others = 'SELECT DISTINCT wallet, condition FROM touched EXCEPT SELECT wallet, condition FROM late_pair';
  const [{ n } = { n: 0n }] = await session.rows<{ n: bigint }>(`SELECT count(*) AS n FROM (${others})`);
  if (n === 0n) return;
  await session.run(`INSERT INTO late_pair ${others}`);
  await session.run(TOUCHED);
}

const TOUCHED = `CREATE OR REPLACE TEMP TABLE touched AS
  SELECT ${PLACES} FROM sorted_place
  WHERE (wallet, condition) IN (SELECT (wallet, condition) FROM late_pair)
    OR (wallet, token) IN (SELECT (wallet, token) FROM late_token)`;
