import { statSync } from 'node:fs';
import { open } from 'lmdb';
import { OutsideError } from '#domain/errors';
import { lmdbFileFault } from './file.js';
import { finishHalfCommit } from './half-commit.js';
import { closeLocked, openLocked } from './memory-lock.js';
import { type Rows, readRaw, SCHEMA_KEY } from './raw.js';

export interface LmdbFile {
  readonly path: string;
  /** Version of the file: one of the version before is brought to it, another one is refused. */
  readonly version: number;
  /** What an operator does about a broken file: "restore it from a backup". */
  readonly remedy: string;
  /**
   * Makes nothing, and waits for no writer: what is there can be read also while nothing can be
   * written.
   */
  readonly readsOnly?: boolean;
  /**
   * Writes what a file begins with that nothing was written to yet. What it throws is passed on, and
   * nothing is written.
   */
  readonly begin?: (db: Rows) => void;
}

/**
 * Opens (or makes, unless it only reads) an LMDB file. Throws an OutsideError (final) where it
 * cannot be opened or is of another schema.
 */
export function openLmdbFile({ path, version, remedy, readsOnly = false, begin = () => undefined }: LmdbFile): Rows {
  let db: Rows | null = null;
  try {
    const fault = lmdbFileFault(path);
    if (fault !== null) throw new Error(`${fault}; ${remedy}`);
    // Nothing can be mapped of it.
    if (readsOnly && statSync(path, { throwIfNoEntry: false })?.size === 0) throw new Error(`it is empty; ${remedy}`);
    // safeRestore: after a crash, begin at the last transaction that is certainly on disk, whatever
    // the boot id says. (The published types leave it out.) eventTurnBatching would leave a promise
    // of its own behind on a failed commit, unhandled, which ends the process; our commits are
    // batches already, and begin with a second write (commits.ts).
    const options = { safeRestore: true, eventTurnBatching: false, txnStartThreshold: 1, readOnly: readsOnly };
    db = openLocked(path, (at) => open<unknown, string>({ path: at, ...options }), { readsOnly });
    if (!readsOnly && isUnwritten(db)) beginFile(db, version, begin);
    if (!isBefore(db, version)) checkSchema(db, path, version);
    else if (!readsOnly) db.putSync(SCHEMA_KEY, version);
    // What was read so far is kept for the rest of the turn; what others commit in it is to be
    // seen.
    db.resetReadTxn();
    return db;
  } catch (cause) {
    if (db !== null) void closeLmdbFile(db, path);
    if (cause instanceof OutsideError) throw cause;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new OutsideError('store', `cannot open ${path}: ${why}`, { failure: 'final', cause });
  }
}

/** Closes what was opened by that path. */
export async function closeLmdbFile(db: Rows, path: string): Promise<void> {
  await finishHalfCommit(db);
  await db.close();
  await closeLocked(path);
}

function isBefore(db: Rows, version: number): boolean {
  return readRaw(db, SCHEMA_KEY) === version - 1;
}

function isUnwritten(db: Rows): boolean {
  return readRaw(db, SCHEMA_KEY) === undefined;
}

/** Of processes that begin a file at once one does. */
function beginFile(db: Rows, version: number, begin: (db: Rows) => void): void {
  db.transactionSync(() => {
    if (!isUnwritten(db)) return;
    begin(db);
    db.putSync(SCHEMA_KEY, version);
  });
}

/** Throws an OutsideError (final) where the rows are of another version. */
export function checkSchema(db: Rows, path: string, supported: number): void {
  const version = readRaw(db, SCHEMA_KEY);
  if (version === supported) return;
  const text = `${path} has schema ${version}, this program knows ${supported}; use the program that wrote it`;
  throw new OutsideError('store', text, { failure: 'final' });
}
