import { asBinary, type Database } from 'lmdb';
import { LRUCache } from 'lru-cache';
import type { Cursor } from '#ports/store';
import { malformedRow } from '../rows/row-fields.js';
import { CHECKSUM_BYTES, holdsChecksum, withChecksum } from './checksum.js';
import { BROKEN_END, msgpackEnd } from './msgpack-shape.js';

/** An LMDB database as both stores keep theirs: text keys, msgpack values with their checksums. */
export type Rows = Database<unknown, string>;

/**
 * Every key is a text whose first part names the kind of row, so that a fault can be named and
 * found by hand.
 */
export const SCHEMA_KEY = 'meta/schema';
/** There never is such a row. */
export const NO_ROW_KEY = 'meta/none';

/**
 * The published types leave these out: with the decoder one look-up serves the check and the
 * decoding.
 */
interface Coding {
  readonly encoder: { encode(value: unknown): Uint8Array };
  readonly decoder: { decode(bytes: Uint8Array, options: { readonly end: number }): unknown };
}

/** Writes a row, and returns its bytes. To be called inside a write transaction. */
export function putRow(db: Rows, key: string, value: unknown): Buffer {
  const bytes = encoded(db, key, value);
  void db.put(key, asBinary(bytes));
  return bytes;
}

/** Writes a row in a transaction of its own, unless one is under way. */
export function putRowSync(db: Rows, key: string, value: unknown): void {
  db.putSync(key, asBinary(encoded(db, key, value)));
}

function encoded(db: Rows, key: string, value: unknown): Buffer {
  return withChecksum(key, (db as unknown as Coding).encoder.encode(value));
}

/**
 * Returns the raw value, or undefined if there is no such row. Bytes that are not the msgpack of a
 * row are a malformed row.
 */
export function readRaw(db: Rows, key: string): unknown {
  const bytes = db.getBinaryFast(key);
  return bytes === undefined ? undefined : decodeRaw(db, key, bytes);
}

/** Returns the raw value of a row's bytes, which stand under that key. */
function decodeRaw(db: Rows, key: string, bytes: Uint8Array): unknown {
  const end = msgpackEnd(bytes);
  if (typeof end === 'string') throw malformedRow(key, end);
  const fault = sumFault(key, bytes, end);
  if (fault !== null) throw malformedRow(key, fault);
  try {
    return (db as unknown as Coding).decoder.decode(bytes, { end });
  } catch (cause) {
    throw malformedRow(key, 'its bytes cannot be decoded', cause);
  }
}

/**
 * Returns whether a row has a checksum. Throws where it does not hold, where the bytes are no row,
 * and where the key, which a walk came to, finds none.
 */
export function hasChecksum(db: Rows, key: string): boolean {
  const bytes = db.getBinaryFast(key);
  if (bytes === undefined) throw malformedRow(key, 'it is there, but is not found by its key');
  decodeRaw(db, key, bytes);
  return msgpackEnd(bytes) !== bytes.length;
}

/** Rows of before have no checksum. */
function sumFault(key: string, bytes: Uint8Array, end: number): string | null {
  if (bytes.length === end) return null;
  if (bytes.length !== end + CHECKSUM_BYTES) return BROKEN_END;
  return holdsChecksum(key, bytes, end) ? null : 'its checksum does not hold: the disk or the memory has changed it';
}

/** The range of all keys that begin with a prefix ending in "/": "0" is the character after "/". */
export function rangeOf(prefix: string): { readonly start: string; readonly end: string } {
  return { start: prefix, end: `${prefix.slice(0, -1)}0` };
}

/** Returns up to `limit` keys after the cursor, and the cursor of the page behind them. */
export function page(
  db: Rows,
  prefix: string,
  from: Cursor,
  limit: number,
): { readonly keys: readonly string[]; readonly next: Cursor } {
  const { start, end } = rangeOf(prefix);
  const keys = [...db.getKeys({ start: from ?? start, exclusiveStart: from !== null, end, limit })];
  return { keys, next: keys.length < limit ? null : (keys.at(-1) ?? null) };
}

interface Cached<Row> {
  readonly bytes: Buffer;
  readonly row: Row;
}

/**
 * Reads rows that are asked for much more often than they change. Each is read every time, so that
 * a change by another process is seen with the next turn of the event loop, but decoded again only
 * when its bytes have changed.
 */
export class CachedRows<Row extends object> {
  readonly #db: Rows;
  readonly #cached: LRUCache<string, Cached<Row>>;

  constructor(db: Rows, rowsMax: number) {
    this.#db = db;
    this.#cached = new LRUCache({ max: rowsMax });
  }

  /**
   * Returns the row, or null if there is none. The same bytes give the same object. Throws what
   * `decode` throws.
   */
  read(key: string, decode: (key: string, raw: unknown) => Row): Row | null {
    const bytes = this.#db.getBinaryFast(key);
    if (bytes === undefined) return null;
    const cached = this.#cached.get(key);
    // The memory is lmdb's, goes on behind the row, and belongs to the next one that is read.
    if (cached?.bytes.length === bytes.length && cached.bytes.compare(bytes, 0, bytes.length) === 0) return cached.row;
    const copy = Buffer.from(Uint8Array.prototype.slice.call(bytes, 0, bytes.length).buffer);
    const row = decode(key, decodeRaw(this.#db, key, copy));
    this.#cached.set(key, { bytes: copy, row });
    return row;
  }

  /**
   * Writes a row, and stores it as what its bytes mean. To be called inside a write transaction: if
   * that does not come about, other bytes are read, and decoded.
   */
  put(key: string, value: unknown, row: Row): void {
    this.#cached.set(key, { bytes: putRow(this.#db, key, value), row });
  }
}
