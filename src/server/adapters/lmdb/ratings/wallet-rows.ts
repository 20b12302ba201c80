import type { WalletAddress } from '#domain/ids';
import type { WalletRow, WalletRowsPage } from '#ports/ratings-store';
import type { Cursor } from '#ports/store';
import { decodeWalletRow } from '../../rows/rating-rows.js';
import { page, type Rows } from '../raw.js';
import { WALLET_ROWS, walletOfRowKey, walletRowKey } from './keys.js';
import { readRow } from './reads.js';

/** Returns a wallet in work, or null. */
export function readWalletRow(db: Rows, wallet: WalletAddress): WalletRow | null {
  return readRow(db, walletRowKey(wallet), (key, raw) => decodeWalletRow(key, raw, wallet));
}

/** Returns a page of the wallets in work. */
export function readWalletRows(db: Rows, from: Cursor, limit: number): WalletRowsPage {
  const { keys, next } = page(db, WALLET_ROWS, from, limit);
  const items: WalletRow[] = [];
  const malformed: { readonly wallet: WalletAddress; readonly error: Error }[] = [];
  for (const wallet of keys.map(walletOfRowKey)) {
    try {
      const row = readWalletRow(db, wallet);
      if (row !== null) items.push(row);
    } catch (error) {
      malformed.push({ wallet, error: error as Error });
    }
  }
  return { items, next, ...(malformed.length === 0 ? {} : { malformed }) };
}
