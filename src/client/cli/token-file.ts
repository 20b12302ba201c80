import { closeSync, fsyncSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { UsageError } from './usage-error.js';

const OTHERS = 0o077;

/**
 * A file for a token that is about to come: there, empty and private, before anything is paid for
 * it.
 */
export interface TokenFile {
  readonly path: string;
  /** Writes the token; on disk when it returns. Throws if it cannot. */
  keep(token: string): void;
  /** Removes the file again: no token came. */
  drop(): void;
}

/**
 * Makes the file. It must not be there yet, but for an empty one that a killed command left: a
 * token that is worth money is never written over.
 */
export function openTokenFile(path: string): TokenFile {
  let file: number;
  try {
    file = openSync(path, isEmptyAndPrivate(path) ? 'r+' : 'wx', 0o600);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = code === 'EEXIST' ? 'is there already, and is not written over' : `cannot be made (${code})`;
    throw new UsageError(`${path} ${why}: name another file. Nothing was sent`);
  }
  const close = () => {
    if (file !== -1) closeSync(file);
    file = -1;
  };
  return {
    path,
    keep(token) {
      writeSync(file, `${token}\n`);
      fsyncSync(file);
      close();
    },
    drop() {
      close();
      rmSync(path, { force: true });
    },
  };
}

function isEmptyAndPrivate(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.isFile() === true && found.size === 0 && (found.mode & OTHERS) === 0;
}
