import { join } from 'node:path';
import type { SortedFills, SortedRange } from '../files/manifest.js';
import { openSorted } from '../sorted/open-sorted.js';
import { sqlFiles } from '../sql/sql.js';
import { gatherFills, sqlHeld } from './reported.js';
import { type GenerationEnds, keepSorted, type SortOrder, writeGeneration, writeSorted } from './sorting.js';

const WALLETS = `
  SELECT wallet, count(*) AS fills FROM own_sorted JOIN own_position USING (place_no) GROUP BY wallet ORDER BY wallet`;

/** Writes a new base of all that is sorted and of the late fills. */
export async function sortAll(
  order: Omit<SortOrder, 'counts'>,
  before: SortedFills | null,
): Promise<Pick<SortedFills, 'ranges'> & GenerationEnds> {
  const { session, folder, hasImports, dropped } = order;
  // Those of the base alone, which is most of it: ranges are of about one size.
  const counts = sqlFiles(
    (before?.ranges ?? []).map(({ wallets }) => join(folder.dir, wallets)),
    { wallet: 'VARCHAR', fills: 'BIGINT' },
  );
  const { ranges, ends } = await writeGeneration<SortedRange>({ ...order, counts }, async (sorting, part, last) => {
    await openSorted(session, folder.dir, before, part.range);
    const held = sqlHeld('sorted_position');
    const all = await gatherFills(session, { held, late: part.late, hasImports, dropped });
    const files = await writeSorted(sorting, part, all, { lastNo: last?.lastPlaceNo ?? 0, hasImports });
    return { ...files, wallets: await keepSorted(sorting, `wallets-${part.no}`, WALLETS) };
  });
  return { ranges, ...ends };
}
