import type { TapeSession } from '../engine/database.js';
import { POSITION_COLUMNS } from '../sql/fills.js';

const POSITIONS = Object.keys(POSITION_COLUMNS).join(', ');

/**
 * Makes of fills that came late (a relation of `FILL_COLUMNS`) and of the view `sorted_position`:
 *
 *     touched        the sorted places that they change: their own, and those of other tokens of the
 *                    same wallet and condition, because a place says whether it has such a twin
 *     known_wallet   the numbers of their wallets, as far as they have one
 */
export async function openTouched(session: TapeSession, late: string): Promise<void> {
  await session.run(`CREATE OR REPLACE TEMP TABLE late_token AS SELECT DISTINCT wallet, token FROM ${late}`);
  await session.run(`CREATE OR REPLACE TEMP TABLE late_pair AS SELECT DISTINCT wallet, condition FROM ${late}`);
  await session.run(`CREATE OR REPLACE TEMP TABLE known_wallet AS
    SELECT wallet, min(wallet_no) AS wallet_no FROM sorted_position
    WHERE wallet IN (SELECT wallet FROM late_pair) GROUP BY wallet`);
  do await session.run(TOUCHED);
  while (await hasOthers(session));
}

/**
 * A place more changes nothing if its twins come with it, so hashes are enough: to look for the
 * texts themselves takes twice as long.
 */
const TOUCHED = `CREATE OR REPLACE TEMP TABLE touched AS
  SELECT ${POSITIONS} FROM sorted_position
  WHERE hash(wallet, condition) IN (SELECT hash(wallet, condition) FROM late_pair)
    OR hash(wallet, token) IN (SELECT hash(wallet, token) FROM late_token)`;

/**
 * Whether places of other conditions are among the touched ones, whose twins have then to be looked
 * for: sources do not agree on the condition of a token, or two hashes are the same.
 */
async function hasOthers(session: TapeSession): Promise<boolean> {
  const others = 'SELECT wallet, condition FROM touched EXCEPT SELECT wallet, condition FROM late_pair';
  const [counted] = await session.rows<{ n: bigint }>(`SELECT count(*) AS n FROM (${others})`);
  if (counted!.n === 0n) return false;
  await session.run(`INSERT INTO late_pair ${others}`);
  return true;
}
