import type { TapeSession } from '../engine/database.js';
import { FILL_NAMES } from '../sql/fills.js';
import { sqlTexts } from '../sql/sql.js';

/** Fills of which a range is made. */
interface Gathering {
  /** Those of its places that were sorted before: a relation of `FILL_COLUMNS` and `place_no`. */
  readonly held: string;
  /** A relation of `SOURCED_COLUMNS`. */
  readonly late: string;
  readonly hasImports: boolean;
  readonly dropped: readonly string[];
}

/** Returns the sorted fills of places, for `gatherFills`. */
export function sqlHeld(positions: string): string {
  return `(SELECT place_no, ${FILL_NAMES} FROM sorted_fill JOIN ${positions} USING (place_no))`;
}

/**
 * Returns the fills of a range, a relation of `FILL_COLUMNS`. Where a CSV import told of a place it
 * is kept apart what each source told of it (table `told_by`), because sorted fills do not say
 * whose they are and what one import told may be all that is known of them: so the place can be
 * made again without it. Needs `openSorted`.
 */
export async function gatherFills(
  session: TapeSession,
  { held, late, hasImports, dropped }: Gathering,
): Promise<string> {
  if (!hasImports) return `(SELECT ${FILL_NAMES} FROM ${held} UNION ALL SELECT ${FILL_NAMES} FROM ${late})`;
  await session.run(`CREATE OR REPLACE TEMP TABLE held_told AS
    SELECT * FROM sorted_told WHERE place_no IN (SELECT place_no FROM ${held})`);
  await session.run(`CREATE OR REPLACE TEMP TABLE reported_position AS
    SELECT wallet, token FROM held_told UNION SELECT wallet, token FROM ${late} WHERE source <> ''`);
  await session.run(`CREATE OR REPLACE TEMP TABLE told_by AS
    SELECT DISTINCT ${FILL_NAMES}, source FROM (
      SELECT ${FILL_NAMES}, source FROM held_told
      UNION ALL
      SELECT ${FILL_NAMES}, '' FROM ${held} SEMI JOIN reported_position USING (wallet, token)
        WHERE place_no NOT IN (SELECT place_no FROM held_told)
      UNION ALL
      SELECT ${FILL_NAMES}, source FROM ${late} SEMI JOIN reported_position USING (wallet, token)
    ) ${dropped.length === 0 ? '' : `WHERE source NOT IN ${sqlTexts(dropped)}`}`);
  const others = 'ANTI JOIN reported_position USING (wallet, token)';
  return `(SELECT ${FILL_NAMES} FROM ${held} ${others} UNION ALL SELECT ${FILL_NAMES} FROM ${late} ${others}
    UNION ALL SELECT ${FILL_NAMES} FROM told_by)`;
}

/**
 * What each source told of the places of a range that an import told of, with the numbers that they
 * have now.
 */
export const REPORTED = `
  SELECT place_no, ${FILL_NAMES}, source
  FROM told_by SEMI JOIN (SELECT wallet, token FROM told_by WHERE source <> '') USING (wallet, token)
    JOIN (SELECT place_no, wallet, token FROM own_position) USING (wallet, token)`;
