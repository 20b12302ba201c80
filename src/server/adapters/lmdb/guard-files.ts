import { closeSync, fstatSync, readSync, writeFileSync, writeSync } from 'node:fs';
import { OutsideError } from '#domain/errors';
import { openOwn } from '../process/owner.js';
import { emptyLmdbFile } from './empty-file.js';
import { MAGIC, openFileFault } from './file.js';
import { isHeld, lockPath } from './lock-folder.js';

/** A disk gives room by blocks of this size, or of several. */
const BLOCK_BYTES = 1_024;
/** Of a lock file, all that a guard's can come to need: places for 123 processes. */
const LOCK_BYTES = 8_192;
/** In these `stat` counts what a file takes. */
const STAT_BLOCK_BYTES = 512;
const ZERO = new Uint8Array(1);

/** Returns where the guard of a file lies. */
export function guardPath(path: string): string {
  return `${path}-guard`;
}

/**
 * Makes the files of a guard, or throws why it cannot be used: LMDB breaks (SIGSEGV, SIGBUS) on a
 * lock file that it cannot write, on a file that is none of its own, and on a full disk. Not for a
 * guard that this process holds open: with a file every lock goes that the process has on it.
 */
export function requireGuard(path: string): void {
  const guard = guardPath(path);
  for (const [name, makeWhole] of [
    [guard, makeGuardWhole],
    [lockPath(guard), makeLockWhole],
  ] as const) {
    const file = openOwn(name, path);
    try {
      makeWhole(file, name);
    } catch (cause) {
      throw isFull(cause) ? fault(`there is no room on the disk for ${name}: make some`, cause) : cause;
    } finally {
      closeSync(file);
    }
  }
}

/**
 * Nothing is ever written to a guard, so it has the same bytes whoever makes it. It is written over
 * also while others hold it open: what counts to them is its lock file.
 */
function makeGuardWhole(file: number): void {
  if (fstatSync(file).size === 0 || openFileFault(file) !== null) writeFileSync(file, emptyLmdbFile());
}

/**
 * LMDB makes anew what lies in a lock file that nobody holds, but not the room for it. One byte in
 * each block takes that, where LMDB has nothing: others may have the file open, and in use.
 */
function makeLockWhole(file: number, name: string): void {
  if (isBroken(file) && isHeld(name)) {
    throw fault(`${name} is broken, and a process uses it: stop all that work on this directory, and remove it`);
  }
  if (fstatSync(file).blocks * STAT_BLOCK_BYTES >= LOCK_BYTES) return;
  // The last of a block is one of the unused last bytes of a reader's place, which has 64.
  for (let at = BLOCK_BYTES - 1; at < LOCK_BYTES; at += BLOCK_BYTES) writeSync(file, ZERO, 0, 1, at);
}

function isFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '');
}

function fault(text: string, cause?: unknown): OutsideError {
  return new OutsideError('store', text, { failure: 'final', cause });
}

function isBroken(file: number): boolean {
  const head = new DataView(new ArrayBuffer(4));
  readSync(file, head, 0, 4, 0);
  return ![0, MAGIC].includes(head.getUint32(0, true));
}
