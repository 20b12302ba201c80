import DataLoader from 'dataloader';
import type { Pool } from 'pg';
import type { WalletAddress } from '#domain/ids';
import type { StoredRating } from '#domain/rating/stored-rating';
import type { WalletRow, WalletRowsPage } from '#ports/ratings-store';
import type { Cursor } from '#ports/store';
import { decodeWalletRow, encodeStoredRating, encodeWalletRow } from '../../rows/rating-rows.js';
import { docOf, fromDoc } from '../doc.js';
import { queryRows, type Statement } from '../query.js';

/** A row of a wallet in work as the database has it. */
export interface StoredWalletRow {
  readonly wallet: WalletAddress;
  readonly doc: string;
}

/** Wallets looked up by one statement. */
const LOOK_UPS_MAX = 500;

/** Returns how to look up a wallet in work; all look-ups of one turn are one question. */
export function walletRowLookUps(pool: Pool): (wallet: WalletAddress) => Promise<WalletRow | null> {
  const lookUps = new DataLoader((wallets: readonly WalletAddress[]) => readRows(pool, wallets), {
    cache: false,
    maxBatchSize: LOOK_UPS_MAX,
  });
  return async (wallet) => {
    const row = await lookUps.load(wallet);
    return row === null ? null : toWalletRow(row);
  };
}

/** Returns a page of the wallets in work. */
export async function readWalletRows(pool: Pool, from: Cursor, limit: number): Promise<WalletRowsPage> {
  const text = 'SELECT wallet, doc FROM wallet_row WHERE wallet > $1 ORDER BY wallet LIMIT $2';
  const rows = await queryRows<StoredWalletRow>(pool, { text, values: [from ?? '', limit] });
  const items: WalletRow[] = [];
  const malformed: { readonly wallet: WalletAddress; readonly error: Error }[] = [];
  for (const row of rows) {
    try {
      items.push(toWalletRow(row));
    } catch (error) {
      malformed.push({ wallet: row.wallet, error: error as Error });
    }
  }
  const next = rows.length < limit ? null : (rows.at(-1)?.wallet ?? null);
  return { items, next, ...(malformed.length === 0 ? {} : { malformed }) };
}

/** Returns the statement that keeps a wallet in work. */
export function upsertWalletRow(row: WalletRow): Statement {
  return {
    text: `INSERT INTO wallet_row (wallet, queued_at_ms, not_before_ms, doc) VALUES ($1, $2, $3, $4)
           ON CONFLICT (wallet) DO UPDATE SET
             queued_at_ms = excluded.queued_at_ms, not_before_ms = excluded.not_before_ms, doc = excluded.doc`,
    values: columnsOf(row),
  };
}

/** Returns wallet, queued_at_ms, not_before_ms and doc. */
export function columnsOf(row: WalletRow): readonly unknown[] {
  return [row.wallet, row.queuedAtMs, row.nextAttemptAtMs, docOf(encodeWalletRow(row))];
}

/** Returns a wallet in work, or throws the error that names its row. */
export function toWalletRow({ wallet, doc }: StoredWalletRow): WalletRow {
  const key = `wallet/${wallet}`;
  return fromDoc(key, doc, (_, raw) => decodeWalletRow(key, raw, wallet));
}

async function readRows(pool: Pool, wallets: readonly WalletAddress[]): Promise<readonly (StoredWalletRow | null)[]> {
  const text = 'SELECT wallet, doc FROM wallet_row WHERE wallet = ANY($1)';
  const rows = await queryRows<StoredWalletRow>(pool, { text, values: [wallets] });
  const found = new Map(rows.map((row) => [row.wallet, row]));
  return wallets.map((wallet) => found.get(wallet) ?? null);
}

/** Returns the statement that keeps a rating on demand. */
export function upsertDemandRating(stored: StoredRating): Statement {
  return {
    text: `INSERT INTO demand_rating (wallet, as_of_s, doc) VALUES ($1, $2, $3)
           ON CONFLICT (wallet) DO UPDATE SET as_of_s = excluded.as_of_s, doc = excluded.doc`,
    values: [stored.rating.wallet, stored.rating.asOfS, docOf(encodeStoredRating(stored))],
  };
}
