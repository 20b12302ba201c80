import type { TapeSession } from '../engine/database.js';
import type { SortedRange } from '../files/manifest.js';
import type { Snapshot } from '../files/snapshot.js';
import { cutWallets, NO_COUNTS, toRanges, type WalletRange } from '../sorted/ranges.js';

/** Fills of one pass of a rating, about. */
const PASS_FILLS = 3_000_000;

/** Fills of one pass where none are sorted and their texts have to be held. */
const PASS_LATE_FILLS = 1_000_000;

/** Returns the passes of a rating, which cover all wallets in their order: files of the base together until they are enough. */
export async function listPasses(session: TapeSession, snapshot: Snapshot): Promise<readonly WalletRange[]> {
  const files = snapshot.manifest.sorted?.ranges ?? [];
  if (files.length === 0) {
    return toRanges(await cutWallets(session, snapshot.late, NO_COUNTS, PASS_LATE_FILLS));
  }
  const groups: SortedRange[][] = [[]];
  let rows = 0;
  for (const file of files) {
    if (rows >= PASS_FILLS) {
      groups.push([]);
      rows = 0;
    }
    groups.at(-1)!.push(file);
    rows += file.rows;
  }
  return toRanges(groups.map(([first]) => first!.fromWallet));
}
