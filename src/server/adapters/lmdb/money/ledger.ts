import type { LedgerEntry } from '#domain/credits/credits';
import type { WalletAddress } from '#domain/ids';
import type { Cursor } from '#ports/store';
import { decodeLedger } from '../../rows/credit-rows.js';
import { malformedRow } from '../../rows/row-fields.js';
import { page, type Rows, readRaw } from '../raw.js';
import { LEDGER, ledgerKey, NEWEST_POSITION, positionOf } from './keys.js';
import { readAccount } from './reads.js';

/** Remembers where the ledger ended, because a search for its end costs as much as a debit. */
export class LedgerEnd {
  readonly #db: Rows;
  #existing = 0;

  constructor(db: Rows) {
    this.#db = db;
  }

  /**
   * Returns the newest position, 0 if there is none. Inside a write transaction, which nobody else
   * then has: positions have no gaps and are never taken away, so an entry with none behind it is
   * the last one, whoever wrote it.
   */
  find(): number {
    if (!this.#has(this.#existing) || this.#has(this.#existing + 1)) this.#existing = this.#search();
    return this.#existing;
  }

  /** So many are written, unless the transaction does not come about. */
  moved(position: number): void {
    this.#existing = position;
  }

  #has(position: number): boolean {
    return position > 0 && this.#db.getBinaryFast(ledgerKey(position)) !== undefined;
  }

  #search(): number {
    for (const key of this.#db.getKeys(NEWEST_POSITION)) return positionOf(key);
    return 0;
  }
}

/**
 * Follows a wallet's entries from the newest back, and returns them in the order in which they
 * happened.
 */
export function readLedger(db: Rows, wallet: WalletAddress, limit: number): readonly LedgerEntry[] {
  const entries: LedgerEntry[] = [];
  let position = readAccount(db, wallet)?.tail ?? 0;
  while (position !== 0 && entries.length < limit) {
    const key = ledgerKey(position);
    const { entry, previous } = decodeLedger(key, readRaw(db, key));
    if (previous >= position) throw malformedRow(key, 'points at a later entry');
    entries.push(entry);
    position = previous;
  }
  return entries.reverse();
}

/** Returns a page of the entries of all wallets, in the order in which they happened. */
export function readEntries(
  db: Rows,
  from: Cursor,
  limit: number,
): { readonly items: readonly LedgerEntry[]; readonly next: Cursor } {
  const { keys, next } = page(db, LEDGER, from, limit);
  return { items: keys.map((key) => decodeLedger(key, readRaw(db, key)).entry), next };
}
