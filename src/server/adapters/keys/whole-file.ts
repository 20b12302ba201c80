import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, openSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a file that its owner alone may read. It gets its name when it is whole and on disk, so
 * that nobody reads half of it, and a name is given once: returns false if there is a file of this
 * name.
 */
export function createWholeFile(path: string, text: string): boolean {
  const draft = `${path}.${randomBytes(8).toString('hex')}.draft`;
  try {
    writeDurably(draft, text);
    linkSync(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  } finally {
    rmSync(draft, { force: true });
    flush(dirname(path));
  }
}

function writeDurably(path: string, text: string): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** A name is on disk when its folder is. */
function flush(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
