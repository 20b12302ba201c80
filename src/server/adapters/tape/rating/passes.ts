import type { TapeSession } from '../engine/database.js';
import { lastPlaceNoOf } from '../files/manifest.js';
import type { Snapshot } from '../files/snapshot.js';
import { openSorted } from '../sorted/open-sorted.js';
import { sqlInRange, type WalletRange } from '../sorted/ranges.js';
import { openTouched } from '../sorted/touched.js';
import { sqlUnsorted } from '../sql/fills.js';
import { type SqlStep, sqlSortSteps, sqlStep } from '../sql/sorting.js';

const RATED_NAMES = 'place_no, tx_no, is_alone, is_buy, size_micros, price_micros, time_s, event';

/**
 * Makes the relations `position` and `fill` of a pass. Places that fills of after the last
 * compaction belong to are sorted and numbered anew here, and only they.
 */
export async function openPass(
  session: TapeSession,
  dir: string,
  snapshot: Snapshot,
  pass: WalletRange,
): Promise<void> {
  await openSorted(session, dir, snapshot.manifest.sorted, pass);
  const hasLate = await openLate(session, snapshot, pass);
  const untouched = hasLate ? 'ANTI JOIN touched USING (place_no)' : '';
  const latePositions = `UNION ALL BY NAME SELECT *, false AS is_told FROM late_position`;
  await session.run(`CREATE OR REPLACE TEMP VIEW position AS
    SELECT *, true AS is_told FROM sorted_position ${untouched} ${hasLate ? latePositions : ''}`);
  await session.run(`CREATE OR REPLACE TEMP VIEW fill AS
    SELECT ${RATED_NAMES} FROM sorted_fill ${hasLate ? `UNION ALL SELECT ${RATED_NAMES} FROM late_sorted` : ''}`);
}

/** Sorts the fills that came late, with all others of their places, which are then in `touched`. */
async function openLate(
  session: TapeSession,
  { manifest, late, segments }: Snapshot,
  pass: WalletRange,
): Promise<boolean> {
  if (segments.length === 0) return false;
  await session.run(`CREATE OR REPLACE TEMP TABLE late AS SELECT * FROM ${late} WHERE ${sqlInRange(pass)}`);
  await openTouched(session, 'late');
  await session.run(`CREATE OR REPLACE TEMP TABLE late_all AS
    SELECT * FROM late UNION ALL SELECT * FROM ${sqlUnsorted('sorted_fill', 'touched')}`);
  await runSteps(session, sqlSortSteps('late', 'late_all', lastPlaceNoOf(manifest.sorted) + 1, 'known_wallet'));
  return true;
}

export async function runSteps(session: TapeSession, steps: readonly SqlStep[]): Promise<void> {
  for (const step of steps) await session.run(sqlStep(step));
}
