import {
  closeSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { open } from 'lmdb';
import { OutsideError } from '#domain/errors';
import { closeAlone, giveToOwnerOf, openAlone, openBeside, readersOf } from './guard.js';

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
const FOLDER_PREFIX = 'preflight-';
const RECORD_PREFIX = 'in-memory:';
/** So many folders are looked at for what is left of files that are gone. */
const SWEPT_FOLDERS_MAX = 1_000;

export interface LockOptions {
  /** null: the lock file lies on disk. */
  readonly memory?: string | null;
  readonly readsOnly?: boolean;
}

/**
 * Opens an LMDB file by the path that `openAt` is called with, which is where all its processes
 * find its lock file. Throws an OutsideError (final) where another process has the file open and
 * its lock cannot be seen from here (as from another container), and what `openAt` throws.
 */
export function openLocked<T>(
  path: string,
  openAt: (path: string) => T,
  { memory = MEMORY, readsOnly = false }: LockOptions = {},
): T {
  const recorded = recordedFolder(path);
  if (readsOnly && !existsSync(path)) return openAt(path);
  // Who only looks waits for nobody.
  if (readsOnly && recorded !== null && leadsTo(recorded, path)) {
    openBeside(path);
    return openAt(linkIn(recorded, path));
  }
  if (recorded === null && !isUsable(memory)) return openAt(path);
  const isNew = makeIfMissing(path);
  try {
    return openAlone(path, ({ areThere }) => openAt(lockedPath(path, areThere, memory)));
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
  await closeAlone(path, ({ areThere }) => {
    const folder = recordedFolder(path);
    if (areThere || folder === null || !leadsTo(folder, path)) return;
    unlinkSync(lockPath(path));
    rmSync(folder, { recursive: true, force: true });
  });
}

/** Returns the path to open the file by. To be called by one process at a time. */
function lockedPath(path: string, hasOthers: boolean, memory: string | null): string {
  const recorded = recordedFolder(path);
  if (recorded !== null && leadsTo(recorded, path)) return linkIn(recorded, path);
  if (hasOthers) {
    // Without a record they found no memory: their lock is on disk.
    if (recorded === null) return path;
    throw new OutsideError(
      'store',
      `another process works on ${path}, and its lock ${recorded} cannot be seen from here, as from another container: stop that process first`,
      { failure: 'final' },
    );
  }
  if (!isUsable(memory)) {
    unlinkSync(lockPath(path));
    return path;
  }
  const folder = makeFolder(path, memory);
  sweep(memory, folder);
  if (!existsSync(lockPath(path)) || recorded !== null) writeRecord(path, folder);
  else if (!replaceUnused(path, () => writeRecord(path, folder))) {
    rmSync(folder, { recursive: true, force: true });
    return path;
  }
  return linkIn(folder, path);
}

/**
 * Replaces a lock file on disk, unless a process uses it: one of an earlier version has no guard.
 * Returns whether that was done.
 */
function replaceUnused(path: string, replace: () => void): boolean {
  if (statSync(path).size === 0) return done(replace);
  const db = open({ path, readOnly: true });
  const former = `${lockPath(path)}-former`;
  try {
    if (readersOf(db).length > 0) return false;
    rmSync(former, { force: true });
    linkSync(lockPath(path), former);
    replace();
    // Another may have opened it meanwhile.
    if (readersOf(db).length === 0) return done(() => unlinkSync(former));
    renameSync(former, lockPath(path));
    return false;
  } finally {
    void db.close();
  }
}

function done(work: () => void): true {
  work();
  return true;
}

function lockPath(path: string): string {
  return `${path}-lock`;
}

function linkIn(folder: string, path: string): string {
  return join(folder, basename(path));
}

function isUsable(memory: string | null): memory is string {
  return memory !== null && existsSync(memory);
}

/** Returns the folder that holds the lock, or null where that lies on disk, or is not there. */
export function recordedFolder(path: string): string | null {
  try {
    const target = readlinkSync(lockPath(path));
    return target.startsWith(RECORD_PREFIX) ? target.slice(RECORD_PREFIX.length) : null;
  } catch (error) {
    if (['ENOENT', 'EINVAL', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}

/**
 * Whether a folder was made for this very file: the copy of a data directory has the record of the
 * original, and must not share its lock.
 */
function leadsTo(folder: string, path: string): boolean {
  try {
    const [there, here] = [statSync(linkIn(folder, path)), statSync(path)];
    return there.dev === here.dev && there.ino === here.ino;
  } catch {
    return false;
  }
}

/** Makes the folder, with all that is in it, the file's owner's: commands run as root, too. */
function makeFolder(path: string, memory: string): string {
  const folder = mkdtempSync(join(memory, FOLDER_PREFIX));
  symlinkSync(realpathSync(path), linkIn(folder, path));
  const lock = lockPath(linkIn(folder, path));
  closeSync(openSync(lock, 'w', 0o600));
  for (const made of [folder, lock]) giveToOwnerOf(path, made);
  return folder;
}

/** Puts the record in the place of the lock file, whole or not at all. */
function writeRecord(path: string, folder: string): void {
  const aside = `${lockPath(path)}.${basename(folder)}`;
  symlinkSync(`${RECORD_PREFIX}${folder}`, aside);
  renameSync(aside, lockPath(path));
}

/** Removes folders of files that are gone: a name that leads nowhere is of no use to anybody. */
function sweep(memory: string, own: string): void {
  const names = readdirSync(memory).filter((name) => name.startsWith(FOLDER_PREFIX));
  for (const name of names.slice(0, SWEPT_FOLDERS_MAX)) {
    const folder = join(memory, name);
    try {
      if (folder === own || lstatSync(folder).uid !== process.getuid?.()) continue;
      const files = readdirSync(folder);
      const links = files.filter((file) => isLinkToFile(join(folder, file)));
      // A data directory in memory may have such a name, too.
      const isOurs =
        links.length > 0 && files.every((file) => links.some((link) => [link, lockPath(link)].includes(file)));
      if (isOurs && links.every((link) => !existsSync(join(folder, link)))) {
        rmSync(folder, { recursive: true, force: true });
      }
    } catch {
      // Another process removes it, too.
    }
  }
}

/** Whether it is a link to an LMDB file: the record of where a lock is leads to no file. */
function isLinkToFile(path: string): boolean {
  return lstatSync(path).isSymbolicLink() && !readlinkSync(path).startsWith(RECORD_PREFIX);
}

/** A file that is not there yet has no identity. Returns whether it was made. */
function makeIfMissing(path: string): boolean {
  if (existsSync(path)) return false;
  mkdirSync(dirname(path), { recursive: true });
  closeSync(openSync(path, 'a', 0o600));
  giveToOwnerOf(dirname(path), path);
  return true;
}
