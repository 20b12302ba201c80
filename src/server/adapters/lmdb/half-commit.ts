import type { Rows } from './raw.js';
import { readersOf } from './readers.js';

/**
 * A commit writes its number into the file, and then into the lock file. If a process dies between
 * the two, the next one that begins to write makes them agree. lmdb 3.5 waits for that when it
 * closes a file (`mdb_env_sync` in its mdb.c): at full load, on the main thread, and for good if no
 * one writes any more. So this begins to write where the two differ. Never rejects.
 */
export async function finishHalfCommit(db: Rows): Promise<void> {
  try {
    // Not `transactionSync`: a transaction of this process that is open would never end.
    if (isHalfCommitted(db)) await db.transaction(() => undefined);
  } catch {
    // It was opened to be read, or is out of order: lmdb does not wait then.
  }
}

/**
 * A reader takes the number of the last commit from the lock file, the rest is read from the file.
 * With a commit between the two looks this says yes, which costs an empty transaction.
 */
function isHalfCommitted(db: Rows): boolean {
  const reader = db.useReadTransaction();
  try {
    const read = readersOf(db).flatMap(({ pid, commit }) => (pid === process.pid && commit !== null ? [commit] : []));
    const { lastTxnId } = db.getStats() as { readonly lastTxnId: number };
    return read.length > 0 && Math.max(...read) < lastTxnId;
  } finally {
    reader.done();
  }
}
