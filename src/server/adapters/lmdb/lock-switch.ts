import { existsSync, linkSync, renameSync, rmSync, statSync, unlinkSync } from 'node:fs';
import { open } from 'lmdb';
import { leadsTo, lockPath, recordedFolder, removeFolder } from './lock-folder.js';
import { readersOf } from './readers.js';

/**
 * Replaces a lock file on disk, unless a process uses it: one of an earlier version has no guard.
 * Returns whether that was done.
 */
export function replaceUnused(path: string, replace: () => void): boolean {
  if (statSync(path).size === 0) return done(replace);
  const db = open({ path, readOnly: true });
  try {
    if (readersOf(db).length > 0) return false;
    linkSync(lockPath(path), formerPath(path));
    replace();
    // Another may have opened it meanwhile.
    if (readersOf(db).length === 0) return done(() => unlinkSync(formerPath(path)));
    renameSync(formerPath(path), lockPath(path));
    return false;
  } finally {
    void db.close();
  }
}

function done(work: () => void): true {
  work();
  return true;
}

/**
 * A process that died in the middle of a switch had not yet looked whether the lock file on disk is
 * in use, and nobody uses the one in memory.
 */
export function takeBackHalfSwitch(path: string): void {
  if (!isHalfSwitched(path)) return;
  const folder = recordedFolder(path);
  renameSync(formerPath(path), lockPath(path));
  // Two names of one file are left as they are by a rename.
  rmSync(formerPath(path), { force: true });
  if (folder !== null && leadsTo(folder, path)) removeFolder(folder, path);
}

/** Whether a process is in the middle of a switch, or died there. */
export function isHalfSwitched(path: string): boolean {
  return existsSync(formerPath(path));
}

function formerPath(path: string): string {
  return `${lockPath(path)}-former`;
}
