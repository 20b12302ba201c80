import type { TapeSession } from '../engine/database.js';
import type { SortedRange } from '../files/manifest.js';
import type { Snapshot } from '../files/snapshot.js';
import { cutWallets, NO_COUNTS, RANGE_FILLS, toRanges, type WalletRange } from '../sorted/ranges.js';

/**
 * Ranges of sorted fills that one pass of a rating takes. Where none are sorted and their texts
 * have to be held, it takes one.
 */
const RANGES_PER_PASS = 3;

/**
 * Returns the passes of a rating, which cover all wallets in their order: files of the base
 * together until they are enough.
 */
export async function listPasses(
  session: TapeSession,
  snapshot: Snapshot,
  rangeFills = RANGE_FILLS,
): Promise<readonly WalletRange[]> {
  const files = snapshot.manifest.sorted?.ranges ?? [];
  if (files.length === 0) {
    return toRanges(await cutWallets(session, snapshot.late, NO_COUNTS, rangeFills));
  }
  const groups: SortedRange[][] = [[]];
  let rows = 0;
  for (const file of files) {
    if (rows >= RANGES_PER_PASS * rangeFills) {
      groups.push([]);
      rows = 0;
    }
    groups.at(-1)!.push(file);
    rows += file.rows;
  }
  return toRanges(groups.map(([first]) => first!.fromWallet));
}
