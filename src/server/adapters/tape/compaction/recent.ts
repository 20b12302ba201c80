import { RATING_CONFIG } from '#domain/rating/rating-config';
import { endOf, lastPlaceNoOf, type RecentRange, recentOf, rowsOf, type SortedFills } from '../files/manifest.js';
import { openSorted } from '../sorted/open-sorted.js';
import { NO_COUNTS } from '../sorted/ranges.js';
import { openTouched } from '../sorted/touched.js';
import { entryCutOffs } from '../sql/entries.js';
import { gatherFills, sqlHeld } from './reported.js';
import { keepSorted, type RangePart, type Sorting, type SortOrder, writeGeneration, writeSorted } from './sorting.js';

/** Beside the base there are no more fills than so many percent of it; what is above is merged. */
export const RECENT_PCT_MAX = 20;
/** Each generation is some files more that every reader opens. */
const GENERATIONS_MAX = 32;

/**
 * Whether all that is sorted has to be merged with the late fills into a new base, rather than have
 * them beside it.
 */
export function mustMerge(sorted: SortedFills, lateFills: number, recentPctMax: number): boolean {
  const recent = recentOf(sorted);
  const beside = recent.reduce((sum, { ranges }) => sum + rowsOf(ranges), lateFills);
  return (
    sorted.cutOffs !== entryCutOffs(RATING_CONFIG) ||
    recent.length >= GENERATIONS_MAX ||
    beside * 100 > rowsOf(sorted.ranges) * recentPctMax
  );
}

/**
 * Writes a generation beside the others: the places that the late fills belong to, with all fills
 * that they ever had. What it costs follows these places, and one look through the others.
 */
export async function sortRecent(order: Omit<SortOrder, 'counts'>, before: SortedFills): Promise<SortedFills> {
  // The fills that their places had before come with them.
  const rangeFills = Math.ceil(order.rangeFills / 2);
  const { ranges, ends } = await writeGeneration<RecentRange>(
    { ...order, counts: NO_COUNTS, rangeFills },
    (sorting, part, last) =>
      writeRecent(sorting, part, { ...order, before, lastNo: last?.lastPlaceNo ?? lastPlaceNoOf(before) }),
  );
  const { conditions, firstFillS, lastFillS } = ends;
  return {
    ...before,
    recent: [...recentOf(before), { ranges, conditions }],
    firstFillS: endOf(Math.min, before.firstFillS, firstFillS),
    lastFillS: endOf(Math.max, before.lastFillS, lastFillS),
  };
}

interface RecentOrder extends Pick<SortOrder, 'hasImports' | 'dropped'> {
  readonly before: SortedFills;
  /** Numbers of places begin after it. */
  readonly lastNo: number;
}

async function writeRecent(
  sorting: Sorting,
  part: RangePart,
  { before, lastNo, hasImports, dropped }: RecentOrder,
): Promise<RecentRange> {
  const { session, folder } = sorting;
  await openSorted(session, folder.dir, before, part.range);
  await openTouched(session, part.late);
  await session.run(`CREATE OR REPLACE TEMP TABLE held AS SELECT * FROM ${sqlHeld('touched')}`);
  const [counted] = await session.rows<{ rows: bigint }>('SELECT count(*) AS rows FROM held');
  const all = await gatherFills(session, { held: 'held', late: part.late, hasImports, dropped });
  const replaced = 'SELECT wallet, place_no FROM touched ORDER BY wallet, place_no';
  return {
    ...(await writeSorted(sorting, part, all, { lastNo, walletNos: 'known_wallet', hasImports })),
    replaced: await keepSorted(sorting, `replaced-${part.no}`, replaced),
    replacedRows: Number(counted!.rows),
  };
}
