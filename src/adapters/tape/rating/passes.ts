import { join } from 'node:path';
import type { TapeSession } from '../engine/database.js';
import type { Snapshot } from '../files/snapshot.js';
import { FACT_COLUMNS, PLACE_COLUMNS, SORTED_COLUMNS, sqlUnsorted } from '../sql/fills.js';
import { type SqlStep, sqlSortSteps, sqlStep } from '../sql/sorting.js';
import { type SqlColumns, sqlFiles } from '../sql/sql.js';
import { sqlInRange, type WalletPass } from './ranges.js';

const RATED_NAMES = 'place_no, tx_no, is_alone, is_buy, size_micros, price_micros, time_s, event';

/**
 * Makes the relations `place` and `fill` of a pass. Fills that came after the last compaction make the wallets that they belong to be
 * sorted and numbered anew here, and only them.
 */
export async function openPass(session: TapeSession, dir: string, snapshot: Snapshot, pass: WalletPass): Promise<void> {
  const files = (paths: readonly string[], columns: SqlColumns) =>
    sqlFiles(
      paths.map((path) => join(dir, path)),
      columns,
    );
  const fills = files(
    pass.sorted.map((range) => range.fills),
    SORTED_COLUMNS,
  );
  const places = files(
    pass.sorted.map((range) => range.places),
    { ...PLACE_COLUMNS, ...FACT_COLUMNS },
  );
  const hasLate = await openLate(session, snapshot, pass, fills, places);
  const untouched = hasLate ? 'WHERE place_no NOT IN (SELECT place_no FROM touched)' : '';
  const latePlaces = `UNION ALL BY NAME SELECT *, false AS is_told FROM late_place`;
  await session.run(`CREATE OR REPLACE TEMP VIEW place AS
    SELECT *, true AS is_told FROM ${places} ${untouched} ${hasLate ? latePlaces : ''}`);
  await session.run(`CREATE OR REPLACE TEMP VIEW fill AS
    SELECT ${RATED_NAMES} FROM ${fills} ${untouched} ${hasLate ? `UNION ALL SELECT ${RATED_NAMES} FROM late_sorted` : ''}`);
}

/** Sorts the fills that came late, with all others of their wallets, whose sorted places are then in `touched`. */
async function openLate(
  session: TapeSession,
  { manifest, late, segments }: Snapshot,
  pass: WalletPass,
  fills: string,
  places: string,
): Promise<boolean> {
  if (segments.length === 0) return false;
  await session.run(`CREATE OR REPLACE TEMP TABLE late AS SELECT * FROM ${late} WHERE ${sqlInRange(pass)}`);
  await session.run(`CREATE OR REPLACE TEMP TABLE touched AS
    SELECT * FROM ${places} WHERE wallet IN (SELECT wallet FROM late)`);
  const all = `(SELECT * FROM late UNION ALL SELECT * FROM ${sqlUnsorted(fills, 'touched')})`;
  const firstNo = (manifest.sorted?.ranges.at(-1)?.lastPlaceNo ?? 0) + 1;
  await runSteps(session, sqlSortSteps('late', all, firstNo));
  return true;
}

export async function runSteps(session: TapeSession, steps: readonly SqlStep[]): Promise<void> {
  for (const step of steps) await session.run(sqlStep(step));
}
