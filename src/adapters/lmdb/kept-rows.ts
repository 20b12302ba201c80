import { LRUCache } from 'lru-cache';
import { decodeRaw, type Rows } from './raw.js';
import type { RowWriter } from './row-writer.js';

interface Kept<Row> {
  readonly key: string;
  bytes: Buffer;
  row: Row;
  /** The run in which the database was last seen to hold it; 0: outside of any. */
  run: number;
}

/**
 * Reads rows that are asked for much more often than they change. Each is read every time, so that a change by another process
 * is seen at once, but understood anew only when its bytes are others than last time. `keyOf` gives the key of what a row is
 * asked for by.
 */
export class KeptRows<Id extends string, Row extends object> {
  readonly #db: Rows;
  readonly #keyOf: (id: Id) => string;
  readonly #kept: LRUCache<Id, Kept<Row>>;

  constructor(db: Rows, rowsMax: number, keyOf: (id: Id) => string) {
    this.#db = db;
    this.#keyOf = keyOf;
    this.#kept = new LRUCache({ max: rowsMax });
  }

  /**
   * Returns the row, or null if there is none. The same bytes give the same object. Throws what `decode` throws. In a run (of
   * transactions: last-commit.ts; of reads: money/reads.ts) in which it was seen before it is not read again.
   */
  read(id: Id, decode: (key: string, raw: unknown, id: Id) => Row, run = 0): Row | null {
    const kept = this.#kept.get(id);
    if (run !== 0 && kept?.run === run) return kept.row;
    const key = kept?.key ?? this.#keyOf(id);
    const bytes = this.#db.getBinaryFast(key);
    if (bytes === undefined) return null;
    if (kept !== undefined && isSame(kept.bytes, bytes)) {
      kept.run = run;
      return kept.row;
    }
    // The memory is lmdb's, goes on behind the row, and belongs to the next one that is read.
    const copy = Buffer.from(Uint8Array.prototype.slice.call(bytes, 0, bytes.length).buffer);
    const row = decode(key, decodeRaw(this.#db, key, copy), id);
    this.#keep(id, kept, { key, bytes: copy, row, run });
    return row;
  }

  /**
   * Writes a row in the form that was just written, inside a write transaction of that run. Should the transaction not come
   * about, its run has ended, and the bytes will be found to be others.
   */
  write(id: Id, writer: RowWriter, row: Row, run: number): void {
    const kept = this.#kept.peek(id);
    const key = kept?.key ?? this.#keyOf(id);
    void this.#db.put(key, writer.stored());
    const bytes = writer.end();
    if (kept?.bytes.length === bytes.length) {
      kept.bytes.set(bytes);
      kept.row = row;
      kept.run = run;
    } else this.#keep(id, kept, { key, bytes: Buffer.from(bytes), row, run });
  }

  /** A place that there is costs less than a new one. */
  #keep(id: Id, kept: Kept<Row> | undefined, now: Kept<Row>): void {
    if (kept === undefined) this.#kept.set(id, now);
    else {
      kept.bytes = now.bytes;
      kept.row = now.row;
      kept.run = now.run;
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
