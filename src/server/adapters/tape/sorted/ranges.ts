import type { TapeWallet } from '#domain/ids';
import type { TapeSession } from '../engine/database.js';
import type { SortedFiles } from '../files/manifest.js';
import { sqlText } from '../sql/sql.js';

/**
 * Fills of one range, about: with their texts, they and some copies of them fit into the memory of
 * the engine.
 */
export const RANGE_FILLS = 1_000_000;

/** The wallets from `fromWallet` on and before `toWallet`; null: all that follow. */
export interface WalletRange {
  readonly fromWallet: TapeWallet;
  readonly toWallet: TapeWallet | null;
}

export const EVERY_WALLET: WalletRange = { fromWallet: '', toWallet: null };

/** What `cutWallets` takes for counts if there are none. */
export const NO_COUNTS = `(SELECT NULL::VARCHAR AS wallet, NULL::BIGINT AS fills WHERE false)`;

/**
 * Cuts the wallets into ranges of about `rangeFills` fills; `counts` are those of fills that have
 * been counted. Makes the table `cut` (wallet, range_no), and returns the first wallet of each
 * range; the first range begins at "".
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

/** Returns a range that holds this wallet, and no other whose name is printed. */
export function onlyWallet(wallet: TapeWallet): WalletRange {
  return { fromWallet: wallet, toWallet: `${wallet} ` };
}

/** Returns whether wallets of a range may lie in the n-th of these files. */
export function overlaps(files: readonly SortedFiles[], n: number, { fromWallet, toWallet }: WalletRange): boolean {
  const next = files[n + 1]?.fromWallet ?? null;
  return (next === null || next > fromWallet) && (toWallet === null || files[n]!.fromWallet < toWallet);
}

/** Returns whether all wallets that may lie in the n-th of these files are of a range. */
export function contains({ fromWallet, toWallet }: WalletRange, files: readonly SortedFiles[], n: number): boolean {
  const next = files[n + 1]?.fromWallet ?? null;
  return fromWallet <= files[n]!.fromWallet && (toWallet === null || (next !== null && next <= toWallet));
}

/** Returns the condition on `wallet` that holds inside a range. */
export function sqlInRange({ fromWallet, toWallet }: WalletRange): string {
  const below = toWallet === null ? '' : ` AND wallet < ${sqlText(toWallet)}`;
  return `wallet >= ${sqlText(fromWallet)}${below}`;
}
