import { chownSync, existsSync, statSync } from 'node:fs';
import { utimes } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { open } from 'lmdb';
import { type Host, systemHost } from '../process/host.js';
import { systemClock } from '../process/system-clock.js';
import type { Rows } from './raw.js';

/*
 * Processes open a file one at a time, and know of each other wherever they run, by a guard: a
 * second, all but empty LMDB file beside it, whose own lock lies on the disk that they share. It is
 * touched while a file is opened and closed, and not in between.
 */

/** What a guard knows of other processes. */
export interface Others {
  /** Whether another process has the file open, or began to open it a moment ago. */
  readonly areThere: boolean;
}

/** A guard that this process holds open, and how often it has the file open itself. */
interface Held {
  readonly db: Rows;
  uses: number;
  /** Whether it is in the list of readers, by which others see it. */
  isListed: boolean;
}

const OPENED_KEY = 'opened';
/** Between an open and its place in the list of readers lie milliseconds. */
const OPENING_MS_MAX = 10_000;
/** A disk that takes longer to note a time is one that does not answer. */
const DISK_MS_MAX = 1_000;

const held = new Map<string, Held>();

/** Runs this while no other process opens or closes the file. Returns and throws what it does. */
export function openAlone<T>(path: string, work: (others: Others) => T, host: Host = systemHost): T {
  const guard = guardOf(path);
  try {
    const result = alone(guard, host, (others) => {
      const opened = work(others);
      guard.db.putSync(OPENED_KEY, [host.bootId, host.pidSpace, host.pid, host.uptimeMs()]);
      return opened;
    });
    use(path, guard);
    return result;
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
export async function closeAlone(path: string, work: (others: Others) => void, host = systemHost): Promise<void> {
  const guard = held.get(path);
  if (guard === undefined || --guard.uses > 0 || !(await answers(path)) || guard.uses > 0) return;
  held.delete(path);
  try {
    alone(guard, host, (others) => {
      work(others);
      if (!others.areThere) guard.db.removeSync(OPENED_KEY);
    });
    await guard.db.close();
  } catch {
    // The folder is gone, or another's now: what lies in it is not this process's to tidy.
  }
}

/** Whether the disk of every open file answers: one that does not would hold up the end of the process. */
export async function doDisksAnswer(): Promise<boolean> {
  return (await Promise.all([...held.keys()].map(answers))).every(Boolean);
}

/** Makes a file the owner's of another one: what root runs makes files that a service has to open. */
export function giveToOwnerOf(path: string, made: string): void {
  const { uid, gid } = statSync(path);
  if (process.getuid?.() === 0) chownSync(made, uid, gid);
}

function guardPath(path: string): string {
  return `${path}-guard`;
}

function guardOf(path: string): Held {
  const known = held.get(path);
  if (known !== undefined && existsSync(guardPath(path))) return known;
  const options = { path: guardPath(path), safeRestore: true };
  const db = open<unknown, string>(options);
  for (const made of [guardPath(path), `${guardPath(path)}-lock`]) giveToOwnerOf(path, made);
  return { db, uses: 0, isListed: false };
}

/** Takes the place in the list of readers, or keeps it. */
function use(path: string, guard: Held): void {
  guard.db.getBinaryFast(OPENED_KEY);
  guard.db.resetReadTxn();
  guard.uses++;
  guard.isListed = true;
  held.set(path, guard);
}

function alone<T>({ db, isListed }: Held, host: Host, work: (others: Others) => T): T {
  let result: T;
  db.transactionSync(() => {
    // A process that opened the guard with nobody beside it found an empty list. It is not in it
    // before its first use, by whatever number: the same one may be another's, of another container.
    const areListed = readersOf(db).some((pid) => !isListed || pid !== host.pid);
    result = work({ areThere: areListed || wasOpenedJustNow(db, host) });
  });
  return result!;
}

function wasOpenedJustNow(db: Rows, host: Host): boolean {
  const row = db.get(OPENED_KEY);
  if (!Array.isArray(row)) return false;
  const [bootId, pidSpace, pid, uptimeMs] = row;
  const agoMs = host.uptimeMs() - uptimeMs;
  if (bootId !== host.bootId || agoMs < 0 || agoMs >= OPENING_MS_MAX) return false;
  // The number of a process means nothing in another container.
  return pidSpace !== host.pidSpace || (pid !== host.pid && !host.hasEnded(pid));
}

/** Returns the processes in the list of readers: each of its lines but the head begins with one. */
export function readersOf(db: Pick<Rows, 'readerList'>): readonly number[] {
  return db
    .readerList()
    .split('\n')
    .filter((line) => /^\s*\d+ /.test(line))
    .map((line) => Number.parseInt(line, 10));
}

async function answers(path: string): Promise<boolean> {
  const nowS = systemClock.nowMs() / 1_000;
  const noted = utimes(guardPath(path), nowS, nowS).then(
    () => true,
    () => true,
  );
  return Promise.race([noted, sleep(DISK_MS_MAX, false, { ref: false })]);
}
