import { LEDGER_KINDS, type LedgerEntry } from '#domain/credits/credits';
import type { WalletAddress } from '#domain/ids';
import type { Cursor, RowsPage } from '#ports/store';
import { count, list, malformedRow } from '../../rows/row-fields.js';
import { parseDoc, understood } from '../doc.js';
import type { Columns, Query } from '../query.js';
import { cursorAfter, orStoreError } from './pages.js';

/** Returns the newest entries of a wallet, in the order in which they happened. */
export async function readLedger(query: Query, wallet: WalletAddress, limit: number): Promise<readonly LedgerEntry[]> {
  const sql = 'SELECT * FROM ledger WHERE wallet = $1 ORDER BY number DESC LIMIT $2';
  const { rows } = await orStoreError(query('ledger', sql, [wallet, limit]));
  return rows.map((raw) => toEntry(raw)).reverse();
}

/** Returns a page of the entries of all wallets, in the order in which they happened. */
export async function readEntries(
  query: Query,
  from: Cursor,
  limit: number,
): Promise<{ readonly items: readonly LedgerEntry[]; readonly next: Cursor }> {
  const { items, faults, next } = await readEntriesPage(query, from, limit);
  if (faults[0] !== undefined) throw faults[0];
  return { items, next };
}

/**
 * Returns the same page beside what is wrong with those of its entries that cannot be understood.
 */
export async function readEntriesPage(query: Query, from: Cursor, limit: number): Promise<RowsPage<LedgerEntry>> {
  const sql = 'SELECT * FROM ledger WHERE position > $1 ORDER BY position LIMIT $2';
  const { rows } = await orStoreError(query('entries', sql, [from ?? '0', limit]));
  return { ...understood(rows, toEntry), next: cursorAfter(rows, limit, 'position') };
}

/** Returns a ledger entry from its columns. */
export function toEntry(raw: Columns): LedgerEntry {
  const key = `ledger/${raw.wallet as string}/${raw.number as number}`;
  const kind = LEDGER_KINDS.find((existing) => existing === raw.kind);
  if (kind === undefined) throw malformedRow(key, 'kind is not one that is known');
  const shares = list(key, parseDoc(key, raw.lots), 'lots').map((share) => {
    const [lotId, credits] = list(key, share, 'lots.share');
    return { lotId: count(key, lotId, 'lots.lotId'), credits: count(key, credits, 'lots.credits') };
  });
  return {
    wallet: raw.wallet as WalletAddress,
    number: count(key, raw.number, 'number'),
    kind,
    credits: count(key, raw.credits, 'credits'),
    balanceAfter: count(key, raw.balance_after, 'balanceAfter'),
    atMs: count(key, raw.at_ms, 'atMs'),
    operation: raw.operation as string,
    requestId: raw.request_id as string | null,
    lots: shares,
  };
}
