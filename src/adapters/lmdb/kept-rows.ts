import { asBinary } from 'lmdb';
import { LRUCache } from 'lru-cache';
import { decodeRaw, encodeRaw, type Rows } from './raw.js';

interface Kept<Row> {
  bytes: Buffer;
  row: Row;
}

/**
 * Reads rows that are asked for much more often than they change. Each is read every time, so that a change by another process
 * is seen at once, but understood anew only when its bytes are others than last time.
 */
export class KeptRows<Row extends object> {
  readonly #db: Rows;
  readonly #kept: LRUCache<string, Kept<Row>>;

  constructor(db: Rows, rowsMax: number) {
    this.#db = db;
    this.#kept = new LRUCache({ max: rowsMax });
  }

  /** Returns the row, or null if there is none. The same bytes give the same object. Throws what `decode` throws. */
  read(key: string, decode: (raw: unknown) => Row): Row | null {
    const bytes = this.#db.getBinaryFast(key);
    if (bytes === undefined) return null;
    const kept = this.#kept.get(key);
    if (kept !== undefined && isSame(kept.bytes, bytes)) return kept.row;
    // The memory is lmdb's, goes on behind the row, and belongs to the next one that is read.
    const copy = Buffer.from(Uint8Array.prototype.slice.call(bytes, 0, bytes.length).buffer);
    const row = decode(decodeRaw(this.#db, key, copy));
    this.#keep(key, kept, copy, row);
    return row;
  }

  /** Writes a row in its stored form. Should the transaction not come about, the bytes will be found to be others. */
  write(key: string, raw: unknown, row: Row): void {
    const bytes = encodeRaw(this.#db, raw);
    void this.#db.put(key, asBinary(bytes));
    this.#keep(key, this.#kept.peek(key), bytes, row);
  }

  /** A place that there is costs less than a new one. */
  #keep(key: string, kept: Kept<Row> | undefined, bytes: Buffer, row: Row): void {
    if (kept === undefined) this.#kept.set(key, { bytes, row });
    else {
      kept.bytes = bytes;
      kept.row = row;
    }
  }
}

/** Bytes from which on the call of a native comparison costs less than a loop. */
const NATIVE_BYTES_MIN = 256;

function isSame(kept: Buffer, bytes: Uint8Array): boolean {
  const { length } = kept;
  if (bytes.length !== length) return false;
  if (length >= NATIVE_BYTES_MIN) return kept.compare(bytes, 0, length, 0, length) === 0;
  for (let i = 0; i < length; i++) if (kept[i] !== bytes[i]) return false;
  return true;
}
