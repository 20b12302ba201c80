import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/**
 * LMDB maps its file into memory and believes what it finds there: a file that is something else, or that was cut short
 * in a copy, ends the whole process. So its two head pages are looked at first (layout: `MDB_meta` in LMDB's mdb.c).
 */
const HEAD_BYTES = 160;
const MAGIC_AT = 24;
const MAGIC = 0xbeefc0de;
const PAGE_BYTES_AT = 48;
const LAST_PAGE_AT = 144;
const PAGE_BYTES_MIN = 512;
const PAGE_BYTES_MAX = 65_536;

/** Returns what is wrong with a file, or null where LMDB can open it, empty and missing files included. */
export function lmdbFileFault(path: string): string | null {
  const file = openIfThere(path);
  if (file === null) return null;
  try {
    const { size } = fstatSync(file);
    return size === 0 ? null : headFault(file, size);
  } finally {
    closeSync(file);
  }
}

function headFault(file: number, size: number): string | null {
  const first = headAt(file, 0);
  const pageBytes = first.getUint32(PAGE_BYTES_AT, true);
  if (first.getUint32(MAGIC_AT, true) !== MAGIC || pageBytes < PAGE_BYTES_MIN || pageBytes > PAGE_BYTES_MAX) {
    return 'it is not an LMDB file';
  }
  const second = headAt(file, pageBytes);
  if (second.getUint32(MAGIC_AT, true) !== MAGIC) return 'its second head page is broken';
  // The newer head may speak of pages that were never flushed; LMDB then begins at the older one.
  const lastPages = [first, second].map((head) => Number(head.getBigUint64(LAST_PAGE_AT, true)));
  return (Math.min(...lastPages) + 1) * pageBytes > size ? 'it is cut short' : null;
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
