import { closeSync, existsSync, openSync, statSync, unlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { OutsideError } from '#domain/errors';
import { makeFolder } from '../process/make-folder.js';
import { asOwnerOf, openOwn, refuseLink } from '../process/owner.js';
import { fillEmptyFile } from './empty-file.js';
import { canBeSeen, closeAlone, type Others, openAlone, openBeside } from './guard.js';
import { guardPath } from './guard-files.js';
import {
  leadsTo,
  linkIn,
  lockPath,
  makeLockFolder,
  recordedFolder,
  removeFolder,
  sweep,
  writeRecord,
} from './lock-folder.js';
import { isHalfSwitched, replaceUnused, takeBackHalfSwitch } from './lock-switch.js';

/*
 * LMDB notes in its lock file, which it maps into memory, at every read who reads what. On a disk
 * that does not answer that note waits, and with it the thread that reads. So the lock file lies in
 * memory: LMDB opens the file by a link in a folder of a file system in memory, and puts its lock
 * file beside that link. All processes have to use the same folder, or they destroy the file for
 * each other. Which one it is says a link in the place of the lock file on disk; it leads nowhere,
 * so that a program that does not know of the folder cannot open the file in its own way.
 */

/** Where Linux has a file system in memory for everybody. */
const MEMORY = '/dev/shm';

export interface LockOptions {
  /** A folder of a file system in memory; null: the lock file lies on disk. */
  readonly memory?: string | null;
  readonly readsOnly?: boolean;
}

/**
 * Opens an LMDB file by the path that `openAt` is called with, which is where all its processes
 * find its lock file; root does so as the owner of its folder. Throws an OutsideError (final) where
 * another process has the file open and its lock cannot be seen from here (as from another
 * container), and what `openAt` throws. Where there is no memory to be had the lock lies on disk.
 */
export function openLocked<T>(
  path: string,
  openAt: (path: string) => T,
  { memory = MEMORY, readsOnly = false }: LockOptions = {},
): T {
  return asOwnerOf(dirname(path), () => openAsOwner(path, openAt, { memory, readsOnly }));
}

function openAsOwner<T>(path: string, openAt: (path: string) => T, { memory, readsOnly }: Required<LockOptions>): T {
  refuseLink(path);
  if (readsOnly) return openToRead(path, openAt, memory);
  const isNew = makeIfMissing(path);
  try {
    return openGuarded(path, (at) => openAt(begun(path, at)), memory);
  } catch (error) {
    if (isNew && statSync(path).size === 0) unlinkSync(path);
    throw error;
  }
}

/**
 * To be called when the file is closed: the last process takes the lock file out of memory, so that
 * any program can open what it leaves.
 */
export async function closeLocked(path: string): Promise<void> {
  await closeAlone(path, (others) => {
    const folder = recordedFolder(path);
    if (others.areThere() || folder === null || !leadsTo(folder, path)) return;
    unlinkSync(lockPath(path));
    // Who only reads does not wait, and may have come meanwhile.
    if (others.areThere()) writeRecord(path, folder);
    else removeFolder(folder, path);
  });
}

/** Returns where the files are that lie beside one while it is open, and mean nothing afterwards. */
export function filesBeside(path: string): readonly string[] {
  return [lockPath(path), guardPath(path), lockPath(guardPath(path))];
}

/**
 * Returns one sentence about a file that is open if its lock lies on disk, and what that means, else
 * null.
 */
export function lockOnDisk(path: string): string | null {
  if (recordedFolder(path) !== null) return null;
  return `the lock of ${path} lies on disk, for there is no room in memory (${MEMORY}), or a process works on it that knows no other place: if the disk hangs no caller is answered; a restart looks again`;
}

/** Writes what a file begins with, which LMDB cannot on a full disk. Returns the path to open it by. */
function begun(path: string, at: string): string {
  const file = openSync(path, 'r+');
  try {
    fillEmptyFile(file);
  } finally {
    closeSync(file);
  }
  return at;
}

function openGuarded<T>(path: string, openAt: (path: string) => T, memory: string | null): T {
  return openAlone(path, (others) => openAt(lockedPath(path, others, memory)));
}

/** Who only reads waits for nobody while another process has the file open. */
function openToRead<T>(path: string, openAt: (path: string) => T, memory: string | null): T {
  if (!existsSync(path)) return openAt(path);
  if (!canBeSeen(path)) return openUnseen(path, openAt, memory);
  if (foundFolder(path) === null) return openGuarded(path, openAt, memory);
  openBeside(path);
  // Looked at again: it may have been on its way out of memory.
  const folder = foundFolder(path);
  if (folder !== null) return openAt(linkIn(folder, path));
  void closeAlone(path, () => undefined);
  return openGuarded(path, openAt, memory);
}

/** Returns the folder in use, unless a switch to it was not finished. */
function foundFolder(path: string): string | null {
  const recorded = recordedFolder(path);
  if (recorded === null || isHalfSwitched(path)) return null;
  return leadsTo(recorded, path) ? recorded : null;
}

/**
 * Opens a file where nothing can be written, as in a snapshot: by a lock of its own, if what lies in
 * the place of the lock file cannot be opened.
 */
function openUnseen<T>(path: string, openAt: (path: string) => T, memory: string | null): T {
  const folder = recordedFolder(path) === null ? null : makeLockFolder(path, memory);
  if (folder === null) return openAt(path);
  try {
    return openAt(linkIn(folder, path));
  } finally {
    removeFolder(folder, path);
  }
}

/** Returns the path to open the file by. To be called by one process at a time. */
function lockedPath(path: string, others: Others, memory: string | null): string {
  takeBackHalfSwitch(path);
  const recorded = recordedFolder(path);
  if (recorded !== null && leadsTo(recorded, path)) return linkIn(recorded, path);
  if (others.areThere()) {
    // Without a record they found no memory: their lock is on disk.
    if (recorded === null) return path;
    throw new OutsideError(
      'store',
      `another process works on ${path}, and its lock ${recorded} cannot be seen from here, as from another container: stop that process first`,
      { failure: 'final' },
    );
  }
  const folder = makeLockFolder(path, memory);
  if (folder === null) {
    if (recorded !== null) unlinkSync(lockPath(path));
    return path;
  }
  sweep(dirname(folder), folder);
  if (!existsSync(lockPath(path)) || recorded !== null) writeRecord(path, folder);
  else if (!replaceUnused(path, () => writeRecord(path, folder))) {
    removeFolder(folder, path);
    return path;
  }
  return linkIn(folder, path);
}

/** A file that is not there yet has no identity. Returns whether it was made. */
function makeIfMissing(path: string): boolean {
  if (existsSync(path)) return false;
  makeFolder(dirname(path));
  closeSync(openOwn(path, dirname(path)));
  return true;
}
