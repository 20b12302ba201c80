import { existsSync } from 'node:fs';
import { lutimes } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { open } from 'lmdb';
import { OutsideError } from '#domain/errors';
import { asOwnerOf } from '../process/owner.js';
import { systemClock } from '../process/system-clock.js';
import { guardPath, requireGuard } from './guard-files.js';
import type { Rows } from './raw.js';
import { readersOf } from './readers.js';

/*
 * Processes open a file one at a time, and know of each other wherever they run, by a guard: a
 * second, all but empty LMDB file beside it, whose own lock lies on the disk that they share. It is
 * touched while a file is opened and closed, and not in between.
 */

/** What a guard knows of other processes. */
export interface Others {
  /** Whether another process has the file open now, wherever it runs. */
  areThere(): boolean;
}

/** A guard that this process holds open, and how often it has the file open itself. */
interface Held {
  readonly db: Rows;
  uses: number;
  /** Whether it is in the list of readers, by which others see it. */
  isListed: boolean;
}

/** A disk that takes longer to note a time is one that does not answer. */
const DISK_MS_MAX = 1_000;

const held = new Map<string, Held>();

/** Runs this while no other process opens or closes the file. Returns and throws what it does. */
export function openAlone<T>(path: string, work: (others: Others) => T): T {
  const guard = guardOf(path);
  try {
    return alone(guard, (others) => {
      const opened = work(others);
      // Before another one may look.
      use(path, guard);
      return opened;
    });
  } catch (error) {
    if (guard.uses === 0) void guard.db.close();
    throw error;
  }
}

/** Lets others know that this process has the file open, without waiting for any of them. */
export function openBeside(path: string): void {
  use(path, guardOf(path));
}

/**
 * Ends a use of the file; at the last one `work` runs while no other process opens or closes it. A
 * disk that does not answer is left alone.
 */
export async function closeAlone(path: string, work: (others: Others) => void): Promise<void> {
  const guard = held.get(path);
  if (guard === undefined || --guard.uses > 0 || !(await answers(path)) || guard.uses > 0) return;
  held.delete(path);
  try {
    asOwnerOf(dirname(path), () => alone(guard, work));
    await guard.db.close();
  } catch {
    // The folder is gone, or another's now: what lies in it is not this process's to tidy.
  }
}

/** Whether the disk of every open file answers: one that does not would hold up the end of the process. */
export async function doDisksAnswer(): Promise<boolean> {
  return (await Promise.all([...held.keys()].map(answers))).every(Boolean);
}

function guardOf(path: string): Held {
  const known = held.get(path);
  if (known !== undefined && existsSync(guardPath(path))) return known;
  requireGuard(path);
  const options = { path: guardPath(path), safeRestore: true };
  return { db: open<unknown, string>(options), uses: 0, isListed: false };
}

/** Whether who wants to read the file can be seen by others; not so where nothing can be written. */
export function canBeSeen(path: string): boolean {
  if (held.has(path)) return true;
  try {
    requireGuard(path);
    return true;
  } catch (error) {
    if (['EROFS', 'EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}

/**
 * Takes the place in the list of readers, or keeps it. Throws an OutsideError (final) where there is
 * none: LMDB has one for each number of a process.
 */
function use(path: string, guard: Held): void {
  try {
    // Of its own, also within a transaction.
    guard.db.useReadTransaction().done();
  } catch (cause) {
    const text = `a process of another container works on ${path} and has the same number (${process.pid}): let both see the same processes, or stop that process first`;
    throw new OutsideError('store', text, { failure: 'final', cause });
  }
  guard.db.resetReadTxn();
  guard.uses++;
  guard.isListed = true;
  held.set(path, guard);
}

function alone<T>({ db, isListed }: Held, work: (others: Others) => T): T {
  // Before it is in the list whatever is there is another's, also by the same number: those of
  // another container are others. Who was killed goes.
  const areThere = () => {
    db.readerCheck();
    return readersOf(db).some(({ pid }) => !isListed || pid !== process.pid);
  };
  let result: T;
  // Nothing is written: what counts is that there is one such transaction at a time.
  db.transactionSync(() => {
    result = work({ areThere });
  });
  return result!;
}

async function answers(path: string): Promise<boolean> {
  const nowS = systemClock.nowMs() / 1_000;
  const noted = lutimes(guardPath(path), nowS, nowS).then(
    () => true,
    () => true,
  );
  return Promise.race([noted, sleep(DISK_MS_MAX, false, { ref: false })]);
}
