import {
  existsSync,
  lchownSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statfsSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { OutsideError } from '#domain/errors';

/** `statfs` of tmpfs and ramfs. */
const TYPES_IN_MEMORY: readonly number[] = [0x01021994, 0x858458f6];
const FOLDER_PREFIX = 'preflight-';
const RECORD_PREFIX = 'in-memory:';
/**
 * Of a lock file, all of it taken when it is made: memory that has run out when LMDB wants it ends
 * the process. LMDB has as many places for readers as there is room for: about 250.
 */
const LOCK_BYTES = 16_384;
/** So many folders are looked at for what is left of files that are gone. */
const SWEPT_FOLDERS_MAX = 1_000;
const WRITABLE_BY_OTHERS = 0o022;
/** Linux lists there who holds what. */
const LOCKS = '/proc/locks';

/** Returns where LMDB has the lock of a file that it opens by this path. */
export function lockPath(path: string): string {
  return `${path}-lock`;
}

/** Returns the path by which a file is opened whose lock is in that folder. */
export function linkIn(folder: string, path: string): string {
  return join(folder, basename(path));
}

/**
 * Returns the folder that holds the lock, or null where that lies on disk, or is not there. Throws an
 * OutsideError (final) where a link that is no record would lead LMDB to another file.
 */
export function recordedFolder(path: string): string | null {
  try {
    const target = readlinkSync(lockPath(path));
    if (target.startsWith(RECORD_PREFIX)) return target.slice(RECORD_PREFIX.length);
    throw new OutsideError('store', `${lockPath(path)} is a link to ${target}: remove it`, { failure: 'final' });
  } catch (error) {
    if (['ENOENT', 'EINVAL', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}

/**
 * Whether a folder was made for this very file, by who may work on it: the copy of a data directory
 * has the record of the original, and must not share its lock; and after a restart of the machine
 * any user may have made a folder of that name.
 */
export function leadsTo(folder: string, path: string): boolean {
  try {
    const [there, here, made] = [statSync(linkIn(folder, path)), statSync(path), lstatSync(folder)];
    const isOurs = [0, here.uid, process.geteuid?.()].includes(made.uid) && (made.mode & WRITABLE_BY_OTHERS) === 0;
    const isWhole = lstatSync(lockPath(linkIn(folder, path))).isFile();
    return isOurs && isWhole && there.dev === here.dev && there.ino === here.ino;
  } catch {
    return false;
  }
}

/**
 * Makes a folder, and with all that is in it the file's owner's: commands run as root, too. Returns
 * null where there is no memory, or no room or right to write there.
 */
export function makeLockFolder(path: string, memory: string | null): string | null {
  let folder: string | null = null;
  try {
    if (memory === null || !TYPES_IN_MEMORY.includes(statfsSync(memory).type)) return null;
    folder = mkdtempSync(join(memory, FOLDER_PREFIX));
    symlinkSync(realpathSync(path), linkIn(folder, path));
    const lock = lockPath(linkIn(folder, path));
    writeFileSync(lock, new Uint8Array(LOCK_BYTES), { mode: 0o600 });
    giveToOwnerOf(path, [lock, folder]);
    return folder;
  } catch {
    if (folder !== null) removeFolder(folder, path);
    return null;
  }
}

/** The folder last: what lies in it is then no longer root's to choose. */
function giveToOwnerOf(path: string, made: readonly string[]): void {
  const { uid, gid } = statSync(path);
  if (process.geteuid?.() === 0) for (const name of made) lchownSync(name, uid, gid);
}

/** Puts the record in the place of the lock file, whole or not at all. */
export function writeRecord(path: string, folder: string): void {
  const aside = `${lockPath(path)}-next`;
  rmSync(aside, { force: true });
  symlinkSync(`${RECORD_PREFIX}${folder}`, aside);
  renameSync(aside, lockPath(path));
}

/** Takes a folder out of memory, with what lies in it for that file and nothing else. */
export function removeFolder(folder: string, path: string): void {
  const link = linkIn(folder, path);
  for (const file of [link, lockPath(link)]) rmSync(file, { force: true });
  if (existsSync(folder)) rmdirSync(folder);
}

/** Removes folders of files that are gone: a name that leads nowhere is of no use to anybody. */
export function sweep(memory: string, own: string): void {
  const names = readdirSync(memory).filter((name) => name.startsWith(FOLDER_PREFIX));
  for (const name of names.slice(0, SWEPT_FOLDERS_MAX)) {
    const folder = join(memory, name);
    try {
      if (folder === own || lstatSync(folder).uid !== process.geteuid?.()) continue;
      const link = onlyLinkIn(folder);
      if (link === null || existsSync(link) || isHeld(lockPath(link))) continue;
      removeFolder(folder, link);
    } catch {
      // Another process removes it, too.
    }
  }
}

/**
 * Returns the link of a folder that holds a lock, or null for any other: a data directory in memory
 * may have such a name, too.
 */
function onlyLinkIn(folder: string): string | null {
  const [link, lock, ...more] = readdirSync(folder).toSorted();
  if (link === undefined || lock !== lockPath(link) || more.length > 0) return null;
  return lstatSync(join(folder, link)).isSymbolicLink() ? join(folder, link) : null;
}

/** Whether a process has a lock on it: one that sees another file system may find what is gone here. */
export function isHeld(file: string): boolean {
  return existsSync(LOCKS) && readFileSync(LOCKS, 'utf8').includes(`:${lstatSync(file).ino} `);
}
