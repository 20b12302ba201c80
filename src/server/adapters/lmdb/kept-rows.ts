import { LRUCache } from 'lru-cache';
import { decodeRaw, type Rows } from './raw.js';

interface Kept<Row> {
  readonly bytes: Buffer;
  readonly row: Row;
}

/**
 * Reads rows that are asked for much more often than they change. Each is read every time, so that a change by another
 * process is seen at once, but understood anew only when its bytes are others than last time.
 */
export class KeptRows<Row extends object> {
  readonly #db: Rows;
  readonly #kept: LRUCache<string, Kept<Row>>;

  constructor(db: Rows, rowsMax: number) {
    this.#db = db;
    this.#kept = new LRUCache({ max: rowsMax });
  }

  /** Returns the row, or null if there is none. The same bytes give the same object. Throws what `decode` throws. */
  read(key: string, decode: (key: string, raw: unknown) => Row): Row | null {
    const bytes = this.#db.getBinaryFast(key);
    if (bytes === undefined) return null;
    const kept = this.#kept.get(key);
    // The memory is lmdb's, goes on behind the row, and belongs to the next one that is read.
    if (kept?.bytes.length === bytes.length && kept.bytes.compare(bytes, 0, bytes.length) === 0) return kept.row;
    const copy = Buffer.from(Uint8Array.prototype.slice.call(bytes, 0, bytes.length).buffer);
    const row = decode(key, decodeRaw(this.#db, key, copy));
    this.#kept.set(key, { bytes: copy, row });
    return row;
  }
}
