import type { TapeWallet } from '#domain/ids';
import type { TapeSession } from '../engine/database.js';
import type { SortedRange } from '../files/manifest.js';
import type { Snapshot } from '../files/snapshot.js';
import { sqlText } from '../sql/sql.js';

/** Fills of one pass of a rating, about. */
const PASS_FILLS = 3_000_000;

/** Fills of one pass where none are sorted and their texts have to be held. */
const PASS_LATE_FILLS = 1_000_000;

/** The wallets from `fromWallet` on and before `toWallet`; null: all that follow. */
export interface WalletRange {
  readonly fromWallet: TapeWallet;
  readonly toWallet: TapeWallet | null;
}

/** A range, and the sorted files that it consists of. */
export interface WalletPass extends WalletRange {
  readonly sorted: readonly SortedRange[];
}

const NO_COUNTS = `(SELECT NULL::VARCHAR AS wallet, NULL::BIGINT AS fills WHERE false)`;

/** Returns the passes of a rating, which cover all wallets in their order: sorted files together until they are enough. */
export async function listPasses(session: TapeSession, snapshot: Snapshot): Promise<readonly WalletPass[]> {
  const files = snapshot.manifest.sorted?.ranges ?? [];
  if (files.length === 0) {
    const fromWallets = await cutWallets(session, snapshot.late, NO_COUNTS, PASS_LATE_FILLS);
    return toRanges(fromWallets).map((range) => ({ ...range, sorted: [] }));
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
  const ranges = toRanges(groups.map(([first]) => first!.fromWallet));
  return ranges.map((range, i) => ({ ...range, sorted: groups[i]! }));
}

/**
 * Cuts the wallets into ranges of about `rangeFills` fills; `counts` are those of fills that have been counted. Makes the table
 * `cut` (wallet, range_no), and returns the first wallet of each range; the first range begins at "".
 */
export async function cutWallets(
  session: TapeSession,
  fills: string,
  counts: string,
  rangeFills: number,
): Promise<readonly string[]> {
  await session.run(`CREATE OR REPLACE TEMP TABLE cut AS
    SELECT wallet, (dense_rank() OVER (ORDER BY part) - 1)::INTEGER AS range_no FROM (
      SELECT wallet, (sum(fills) OVER (ORDER BY wallet) - 1)::BIGINT // ${rangeFills} AS part FROM (
        SELECT wallet, sum(fills) AS fills FROM (
          SELECT wallet, count(*) AS fills FROM ${fills} GROUP BY wallet UNION ALL SELECT wallet, fills FROM ${counts}
        ) GROUP BY wallet
      )
    )`);
  const rows = await session.rows<{ wallet: TapeWallet }>(
    'SELECT min(wallet) AS wallet FROM cut GROUP BY range_no ORDER BY range_no',
  );
  return ['', ...rows.slice(1).map(({ wallet }) => wallet)];
}

/** Returns ranges that begin at these wallets. */
export function toRanges(fromWallets: readonly string[]): readonly WalletRange[] {
  return fromWallets.map((fromWallet, i) => ({ fromWallet, toWallet: fromWallets[i + 1] ?? null }));
}

/** Returns whether wallets of a range may lie in the n-th of these files. */
export function overlaps(files: readonly SortedRange[], n: number, { fromWallet, toWallet }: WalletRange): boolean {
  const next = files[n + 1]?.fromWallet ?? null;
  return (next === null || next > fromWallet) && (toWallet === null || files[n]!.fromWallet < toWallet);
}

/** Returns the condition on `wallet` that holds inside a range. */
export function sqlInRange({ fromWallet, toWallet }: WalletRange): string {
  const below = toWallet === null ? '' : ` AND wallet < ${sqlText(toWallet)}`;
  return `wallet >= ${sqlText(fromWallet)}${below}`;
}
