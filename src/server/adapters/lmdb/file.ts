import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';

/**
 * LMDB maps its file into memory and believes what it finds there: a file that is something else,
 * or that was cut short in a copy (taken while it was being written, for one), ends the whole
 * process. So its heads are looked at first (layout: `MDB_meta` in LMDB's mdb.c): one at the start
 * of each of the first two pages, and in the middle of the first page a copy of the newest one that
 * is certainly on disk.
 */
const HEAD_BYTES = 160;
export const MAGIC_AT = 24;
export const MAGIC = 0xbeefc0de;
export const PAGE_BYTES_AT = 48;
export const FLAGS_AT = 52;
/** Set in a head whose transaction may not be on disk yet (`MDB_OVERLAPPINGSYNC`). */
const UNFLUSHED = 0x1000;
/** From the depth of the list of free pages to the last page: what a transaction made. */
const SNAPSHOT_AT = 54;
export const ROOT_AT = 136;
const ROW_FLAGS_AT = 100;
export const LAST_PAGE_AT = 144;
const TRANSACTION_AT = 152;
const PAGE_BYTES_MIN = 512;
const PAGE_BYTES_MAX = 65_536;

/** What a head says of the transaction that wrote it. */
interface Head {
  readonly transaction: bigint;
  readonly lastPage: bigint;
  readonly flushed: boolean;
  readonly root: bigint;
  /** All that a transaction says of its pages. */
  readonly snapshot: string;
  /** What is the same in all heads of a file. */
  readonly format: string;
}

/** Those of both pages, and the copy of what is certainly on disk. */
interface Heads {
  readonly first: Head;
  readonly second: Head;
  readonly flushed: Head;
}

/**
 * Returns what is wrong with a file, or null if LMDB can open it, empty and missing files included.
 */
export function lmdbFileFault(path: string): string | null {
  const file = openIfThere(path);
  if (file === null) return null;
  try {
    return openFileFault(file);
  } finally {
    closeSync(file);
  }
}

/** The same of a file that is open. */
export function openFileFault(file: number): string | null {
  const sizeNow = () => fstatSync(file).size;
  return sizeNow() === 0 ? null : headFault({ headAt: (position) => headAt(file, position), sizeNow });
}

/** A file that others may be writing. */
export interface GrowingFile {
  headAt(position: number): DataView;
  sizeNow(): number;
}

/** Returns what is wrong with a file that is not empty, or null. */
export function headFault(file: GrowingFile): string | null {
  const first = file.headAt(0);
  const pageBytes = first.getUint32(PAGE_BYTES_AT, true);
  if (first.getUint32(MAGIC_AT, true) !== MAGIC || pageBytes < PAGE_BYTES_MIN || pageBytes > PAGE_BYTES_MAX) {
    return 'it is not an LMDB file';
  }
  if (file.headAt(pageBytes).getUint32(MAGIC_AT, true) !== MAGIC) return 'its second head page is broken';
  const heads = headsOf(file, pageBytes);
  // Those of a file that another process writes may be of different moments: they are others then.
  if (contradict(heads) && isDeepStrictEqual(heads, headsOf(file, pageBytes))) return 'its heads contradict each other';
  const { lastPage } = saferOf(saferOf(heads.first, heads.second), heads.flushed);
  // Asked last: a file has its pages before a head speaks of them.
  return (Number(lastPage) + 1) * pageBytes > file.sizeNow() ? 'it is cut short' : null;
}

function headsOf(file: GrowingFile, pageBytes: number): Heads {
  const [first, second, flushed] = [0, pageBytes, pageBytes / 2].map((position) => toHead(file.headAt(position)));
  return { first: first!, second: second!, flushed: flushed! };
}

/**
 * Whether one of the heads is not as it was written. LMDB has no checksum of them, and one that is
 * believed wrongly takes the file back to an earlier state. Those of transactions that were not
 * flushed may be missing after a power cut; what holds of the others is that all before them was on
 * disk first, and that no page of the copy is written again before the next copy.
 */
function contradict({ first, second, flushed }: Heads): boolean {
  const newest = first.transaction >= second.transaction ? first : second;
  if (first.format !== second.format) return true;
  // Transactions take turns in writing to the two pages.
  if (first.transaction % 2n !== 0n || (second.transaction % 2n !== 1n && second.transaction !== 0n)) return true;
  if (lacksPredecessor(first, second) || lacksPredecessor(second, first)) return true;
  if (isUnwritten(flushed)) return false;
  if (flushed.format !== first.format || !flushed.flushed || flushed.transaction > newest.transaction) return true;
  if (flushed.transaction < newest.transaction) return flushed.root === newest.root;
  return flushed.snapshot !== newest.snapshot;
}

/** Whether a transaction was flushed, and the one before it is not there. */
function lacksPredecessor(head: Head, other: Head): boolean {
  return head.flushed && other.transaction < head.transaction - 1n;
}

function isUnwritten({ transaction, root }: Head): boolean {
  return transaction === 0n && root === 0n;
}

/**
 * Of two heads the one that LMDB begins at (`mdb_pick_meta` with safeRestore): the newer one may
 * speak of pages that never came to be on disk, and then the older one counts.
 */
function saferOf(a: Head, b: Head): Head {
  if (b.transaction === 0n) return a;
  const [older, newer] = a.transaction >= b.transaction ? [b, a] : [a, b];
  return newer.flushed ? newer : older;
}

function toHead(bytes: DataView): Head {
  return {
    transaction: bytes.getBigUint64(TRANSACTION_AT, true),
    lastPage: bytes.getBigUint64(LAST_PAGE_AT, true),
    flushed: (bytes.getUint16(FLAGS_AT, true) & UNFLUSHED) === 0,
    root: bytes.getBigUint64(ROOT_AT, true),
    snapshot: hex(bytes, SNAPSHOT_AT, TRANSACTION_AT),
    format: [
      bytes.getUint32(PAGE_BYTES_AT, true),
      bytes.getUint16(FLAGS_AT, true) & ~UNFLUSHED,
      bytes.getUint16(ROW_FLAGS_AT, true),
    ].join(),
  };
}

function hex(bytes: DataView, from: number, to: number): string {
  return Buffer.from(bytes.buffer, from, to - from).toString('hex');
}

function headAt(file: number, position: number): DataView {
  const bytes = new Uint8Array(HEAD_BYTES);
  readSync(file, bytes, 0, HEAD_BYTES, position);
  return new DataView(bytes.buffer);
}

function openIfThere(path: string): number | null {
  try {
    return openSync(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
