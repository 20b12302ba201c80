import { fstatSync, ftruncateSync, writeFileSync } from 'node:fs';
import { FLAGS_AT, LAST_PAGE_AT, MAGIC, MAGIC_AT, PAGE_BYTES_AT, ROOT_AT } from './file.js';

/*
 * An LMDB file without rows, as LMDB itself makes it (`mdb_env_init_meta` in its mdb.c). LMDB ends the
 * whole process where a full disk does not take it; a write of our own fails with an error.
 */

const PAGE_BYTES = 4_096;
/** So many pages hold the heads, and there is nothing else. */
const PAGES = 2;
const PAGE_FLAGS_AT = 18;
const IS_HEAD = 8;
const VERSION_AT = 28;
const VERSION = 2;
const MAP_BYTES_AT = 40;
/** LMDB makes its map larger when it needs to. */
const MAP_BYTES = 131_072n;
/**
 * Heads are looked at safely (0x0800), the file is no folder (0x4000), and pages have numbers
 * (0x0008).
 */
const FLAGS = 0x4808;
/** Where the list of free pages begins. */
const FREE_ROOT_AT = 88;
const NONE = 2n ** 64n - 1n;

/** Returns the bytes of a file without rows. */
export function emptyLmdbFile(): Uint8Array {
  const file = new Uint8Array(PAGES * PAGE_BYTES);
  for (let page = 0; page < PAGES; page++) writeHead(new DataView(file.buffer, page * PAGE_BYTES), BigInt(page));
  return file;
}

/**
 * Writes these bytes to a file that is open and empty; one that a full disk does not take stays
 * empty.
 */
export function fillEmptyFile(file: number): void {
  if (fstatSync(file).size > 0) return;
  try {
    writeFileSync(file, emptyLmdbFile());
  } catch (error) {
    ftruncateSync(file, 0);
    throw error;
  }
}

function writeHead(head: DataView, page: bigint): void {
  head.setBigUint64(0, page, true);
  head.setUint16(PAGE_FLAGS_AT, IS_HEAD, true);
  head.setUint32(MAGIC_AT, MAGIC, true);
  head.setUint32(VERSION_AT, VERSION, true);
  head.setBigUint64(MAP_BYTES_AT, MAP_BYTES, true);
  head.setUint32(PAGE_BYTES_AT, PAGE_BYTES, true);
  head.setUint16(FLAGS_AT, FLAGS, true);
  head.setBigUint64(FREE_ROOT_AT, NONE, true);
  head.setBigUint64(ROOT_AT, NONE, true);
  head.setBigUint64(LAST_PAGE_AT, BigInt(PAGES - 1), true);
}
