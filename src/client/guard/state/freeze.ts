import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseObject } from '#domain/json';
import { makePrivateFolder, replaceWhole, syncFolder } from '../../node/durable.js';

/** Why entries are stopped, and since when. */
export interface Freeze {
  readonly atMs: number;
  readonly reason: string;
}

const FILE = 'frozen.json';

/** Stops the entries of all guarded clients that share this folder, in every process. */
export function freeze(folder: string, { atMs, reason }: Freeze): void {
  makePrivateFolder(folder);
  replaceWhole(join(folder, FILE), JSON.stringify({ at_ms: atMs, reason }));
}

/** Lets entries pass again. */
export function unfreeze(folder: string): void {
  makePrivateFolder(folder);
  rmSync(join(folder, FILE), { force: true });
  syncFolder(folder);
}

/** Returns the freeze that is in force; null if none is. A file that cannot be read is one. */
export function readFreeze(folder: string): Freeze | null {
  try {
    const received = parseObject(readFileSync(join(folder, FILE), 'utf8'));
    const { at_ms: atMs, reason } = received ?? {};
    return { atMs: isMoment(atMs) ? atMs : 0, reason: typeof reason === 'string' ? reason : '' };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Where the folder cannot be, nothing can be claimed either.
    return code === 'ENOENT' || code === 'ENOTDIR' ? null : { atMs: 0, reason: `the freeze cannot be read (${code})` };
  }
}

/** Whether it can be told as a date: a freeze is in force also where it cannot. */
function isMoment(atMs: unknown): atMs is number {
  return typeof atMs === 'number' && !Number.isNaN(new Date(atMs).getTime());
}
