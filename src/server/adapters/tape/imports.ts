import { join } from 'node:path';
import type { SecondsSpan } from '#domain/rating/unseen';
import type { ImportReport } from '#ports/tape';
import type { TapeSession } from './engine/database.js';
import { isImport } from './files/imports.js';
import { readSnapshot, type Snapshot } from './files/snapshot.js';
import { numberOrNull } from './reads.js';
import { openSorted } from './sorted/open-sorted.js';
import { EVERY_WALLET } from './sorted/ranges.js';
import { FILL_COLUMNS } from './sql/fills.js';
import { sqlFiles, sqlTexts } from './sql/sql.js';

/** Returns the stretches of time of the CSV imports that count, in no order. */
export async function importedSpans(session: TapeSession, dir: string): Promise<readonly SecondsSpan[]> {
  const { manifest, segments } = await readSnapshot(dir);
  const spans = (manifest.imports ?? []).map(({ firstFillS, lastFillS }) => ({ fromS: firstFillS, toS: lastFillS }));
  for (const { path } of segments.filter(({ segment }) => isImport(segment))) {
    const [ends] = await session.rows<{ first: bigint | null; last: bigint | null }>(
      `SELECT min(time_s) AS first, max(time_s) AS last FROM ${sqlFiles([join(dir, path)], FILL_COLUMNS)}`,
    );
    const [fromS, toS] = [numberOrNull(ends!.first), numberOrNull(ends!.last)];
    if (fromS !== null && toS !== null) spans.push({ fromS, toS });
  }
  return spans;
}

/** Returns how many fills and markets came of some CSV imports. */
export async function countImported(
  session: TapeSession,
  dir: string,
  snapshot: Snapshot,
  names: ReadonlySet<string>,
): Promise<Pick<ImportReport, 'fillsReplaced' | 'marketsReplaced'>> {
  if (names.size === 0) return { fillsReplaced: 0, marketsReplaced: 0 };
  const { manifest, segments, marketsReported } = snapshot;
  const late = segments.filter(({ segment }) => names.has(segment)).map(({ path }) => join(dir, path));
  await openSorted(session, dir, manifest.sorted, EVERY_WALLET);
  const list = sqlTexts([...names]);
  const [counted] = await session.rows<{ fills: bigint; markets: bigint }>(`
    SELECT (SELECT count(*) FROM ${sqlFiles(late, FILL_COLUMNS)})
        + (SELECT count(*) FROM sorted_told WHERE source IN ${list}) AS fills,
      (SELECT count(DISTINCT condition) FROM ${marketsReported} WHERE import_of IN ${list}) AS markets`);
  return { fillsReplaced: Number(counted!.fills), marketsReplaced: Number(counted!.markets) };
}
