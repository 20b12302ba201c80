import type { TapeSession } from './tape-database.js';
import type { SortedRange } from './tape-manifest.js';
import type { Snapshot } from './tape-snapshot.js';
import { sqlText } from './tape-sql.js';

/** Fills of a range of wallets, about: what one pass of a rating or a compaction holds at a time. */
export const RANGE_FILLS = 4_000_000;

/** The wallets from `fromWallet` on and before `toWallet`; null: all that follow. */
export interface WalletRange {
  readonly fromWallet: string;
  readonly toWallet: string | null;
  /** The sorted files of the range; none where nothing has been sorted. */
  readonly sorted: readonly SortedRange[];
}

/** Returns ranges that cover all wallets, in their order: those of the sorted files, else such as hold about `RANGE_FILLS`. */
export async function listRanges(session: TapeSession, snapshot: Snapshot): Promise<readonly WalletRange[]> {
  const { sorted } = snapshot.manifest;
  if (sorted !== null)
    return toRanges(sorted.ranges.map(({ fromWallet }) => fromWallet)).map((range, i) => ({
      ...range,
      sorted: [sorted.ranges[i]!],
    }));
  return toRanges(await cutWallets(session, snapshot.late, RANGE_FILLS));
}

/** Returns the first wallet of each range of about `rangeFills` fills; the first range begins at "". */
export async function cutWallets(session: TapeSession, fills: string, rangeFills: number): Promise<readonly string[]> {
  const rows = await session.rows<{ wallet: string }>(`
    SELECT min(wallet) AS wallet FROM (
      SELECT wallet, (sum(fills) OVER (ORDER BY wallet) - 1)::BIGINT // ${rangeFills} AS range_no
      FROM (SELECT wallet, count(*) AS fills FROM ${fills} GROUP BY wallet)
    ) GROUP BY range_no ORDER BY 1`);
  return ['', ...rows.slice(1).map(({ wallet }) => wallet)];
}

/** Returns ranges that begin at these wallets. */
export function toRanges(fromWallets: readonly string[]): readonly WalletRange[] {
  return fromWallets.map((fromWallet, i) => ({ fromWallet, toWallet: fromWallets[i + 1] ?? null, sorted: [] }));
}

/** Returns the condition on `wallet` that holds inside a range. */
export function sqlInRange({ fromWallet, toWallet }: WalletRange): string {
  const below = toWallet === null ? '' : ` AND wallet < ${sqlText(toWallet)}`;
  return `wallet >= ${sqlText(fromWallet)}${below}`;
}
