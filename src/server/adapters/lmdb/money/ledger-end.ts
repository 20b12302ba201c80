import type { Rows } from '../raw.js';
import { ledgerKey, NEWEST_POSITION, positionOf } from './keys.js';

/** Remembers where the ledger ended, because a search for its end costs as much as a debit. */
export class LedgerEnd {
  readonly #db: Rows;
  #known = 0;

  constructor(db: Rows) {
    this.#db = db;
  }

  /**
   * Returns the newest position, 0 if there is none. Inside a write transaction, which nobody else then has: positions have no
   * gaps and are never taken away, so an entry with none behind it is the last one, whoever wrote it.
   */
  find(): number {
    if (!this.#has(this.#known) || this.#has(this.#known + 1)) this.#known = this.#search();
    return this.#known;
  }

  /** So many are written, unless the transaction does not come about. */
  moved(position: number): void {
    this.#known = position;
  }

  #has(position: number): boolean {
    return position > 0 && this.#db.getBinaryFast(ledgerKey(position)) !== undefined;
  }

  #search(): number {
    for (const key of this.#db.getKeys(NEWEST_POSITION)) return positionOf(key);
    return 0;
  }
}
