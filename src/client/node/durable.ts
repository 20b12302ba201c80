import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** Files that are on disk when these functions return, readable by their owner alone. */

const OTHERS = 0o077;

/** Makes a folder and those above it; throws if other users of the machine can reach into it. */
export function makePrivateFolder(path: string): void {
  makeFolders(path);
  const { mode } = statSync(path);
  if (process.platform === 'win32' || (mode & OTHERS) === 0) return;
  throw new Error(`${path} is open to other users of this machine: chmod 700 ${path}`);
}

/**
 * From the outermost on, one by one: where the kernel takes no folder, as in /proc, the recursion
 * of Node never ends.
 */
function makeFolders(path: string): void {
  try {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
    if (dirname(path) !== path) makeFolders(dirname(path));
    mkdirSync(path, { mode: 0o700 });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    // Another process was faster.
    if (code === 'EEXIST' && statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
    if (code === undefined) throw cause;
    throw new Error(`${path} cannot be made (${code}): name another folder in PREFLIGHT_HOME`, { cause });
  }
}

/**
 * Makes a file of a name that is given once: false if it was given already. A killed process may
 * leave it torn.
 */
export function claimName(path: string, text: string): boolean {
  try {
    writeSynced(path, text);
    return true;
  } catch (error) {
    if (isTaken(error)) return false;
    throw error;
  }
}

/**
 * Makes a file that is whole from the moment it has its name; false if there is one of this name.
 */
export function createWhole(path: string, text: string): boolean {
  const draft = draftOf(path);
  try {
    writeSynced(draft, text);
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (isTaken(error)) return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
    syncFolder(dirname(path));
  }
}

/** Puts a whole file in the place of another, or of none. */
export function replaceWhole(path: string, text: string): void {
  const draft = draftOf(path);
  try {
    writeSynced(draft, text);
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
  syncFolder(dirname(path));
}

/** Names are on disk when their folder is. */
export function syncFolder(path: string): void {
  if (process.platform === 'win32') return;
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

function draftOf(path: string): string {
  return `${path}.${randomBytes(8).toString('hex')}.draft`;
}

/** A file that did not get onto a full disk is removed: nobody has built upon it yet. */
function writeSynced(path: string, text: string): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
}

function isTaken(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'EEXIST';
}
