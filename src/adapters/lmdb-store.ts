import { join } from 'node:path';
import { open } from 'lmdb';
import { OutsideError } from '#domain/errors';
import type { Store } from '#ports/store';
import { openCommits } from './lmdb-commits.js';
import { lmdbFileFault } from './lmdb-file.js';
import { ANSWERS, partsOfAnswerKey, SCHEMA_KEY } from './lmdb-keys.js';
import { readOpenPayments, readPayment } from './lmdb-payments.js';
import {
  page,
  type Rows,
  readAccount,
  readAnswer,
  readLedger,
  readPromos,
  readRaw,
  readRedemptions,
  readTokens,
} from './lmdb-reads.js';
import { ROW_VERSION } from './row-fields.js';

/** Returns where the credits and payments of a data directory lie. */
export function lmdbPath(dataDir: string): string {
  return join(dataDir, 'credits.lmdb');
}

/**
 * Opens (or makes) the embedded store. Several processes may have the same path open: a change of one is seen by the
 * next read of the others. Throws an OutsideError where the file cannot be opened or is of another schema.
 */
export function openLmdbStore({ path }: { readonly path: string }): Store {
  const db = openDatabase(path);
  const commits = openCommits(db);
  let closing: Promise<void> | null = null;

  // lmdb reads synchronously from mapped memory; `async` turns what is thrown into a rejection.
  const read = async <T>(from: () => T): Promise<T> => {
    if (closing !== null) throw new OutsideError('store', 'the store is closed', { failure: 'retryable' });
    return from();
  };

  return {
    transact: (keys, decide) =>
      commits.run({
        decide(batch) {
          const { writes, result } = decide(batch.read(keys));
          return { result, write: () => batch.write(writes) };
        },
      }),
    account: (wallet) => read(() => readAccount(db, wallet)?.account ?? null),
    tokens: (wallet) => read(() => readTokens(db, wallet)),
    answer: (wallet, key) => read(() => readAnswer(db, wallet, key)),
    payment: (key) => read(() => readPayment(db, key)),
    openPayments: (from, limit) => read(() => readOpenPayments(db, from, limit)),
    promos: () => read(() => readPromos(db)),
    redemptions: (code, from, limit) => read(() => readRedemptions(db, code, from, limit)),
    ledger: (wallet, limit) => read(() => readLedger(db, wallet, limit)),
    async sweepAnswers(nowMs, from, limit) {
      const { keys, next } = await read(() => page(db, ANSWERS, from, limit));
      const expired = await read(() => expiredAnswers(db, keys, nowMs));
      if (expired.length === 0) return { removed: 0, next };
      return { removed: await removeExpired(expired, nowMs), next };
    },
    ping: () => read(() => checkSchema(db, path)),
    close() {
      closing ??= commits.stop().then(() => db.close());
      return closing;
    },
  };

  /** Looks again inside the transaction: an answer may have been renewed since. */
  function removeExpired(keys: readonly string[], nowMs: number): Promise<number> {
    return commits.run({
      decide() {
        const still = expiredAnswers(db, keys, nowMs);
        return {
          result: still.length,
          write: () => {
            for (const key of still) db.remove(key);
          },
        };
      },
    });
  }
}

function expiredAnswers(db: Rows, keys: readonly string[], nowMs: number): readonly string[] {
  return keys.filter((rowKey) => {
    const { wallet, key } = partsOfAnswerKey(rowKey);
    try {
      const answer = readAnswer(db, wallet, key);
      return answer !== null && answer.expiresAtMs <= nowMs;
    } catch {
      // A malformed answer stays where it is, and whoever asks for it hears of it; the others are swept all the same.
      return false;
    }
  });
}

function openDatabase(path: string): Rows {
  let db: Rows | null = null;
  try {
    const fault = lmdbFileFault(path);
    if (fault !== null) throw new Error(`${fault}; restore it from a backup`);
    // safeRestore: after a crash, begin at the last transaction that is certainly on disk, whatever the boot id says.
    // (The published types leave it out.) eventTurnBatching would leave a promise of its own behind on a failed commit,
    // unhandled, which ends the process; our commits are batches already.
    const options = { path, safeRestore: true, eventTurnBatching: false };
    db = open<unknown, string>(options);
    if (readRaw(db, SCHEMA_KEY) === undefined) db.putSync(SCHEMA_KEY, ROW_VERSION);
    checkSchema(db, path);
    return db;
  } catch (cause) {
    void db?.close();
    if (cause instanceof OutsideError) throw cause;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new OutsideError('store', `cannot open ${path}: ${why}`, { failure: 'final', cause });
  }
}

function checkSchema(db: Rows, path: string): void {
  const version = readRaw(db, SCHEMA_KEY);
  if (version === ROW_VERSION) return;
  const text = `${path} has schema ${version}, this program knows ${ROW_VERSION}; use the program that wrote it`;
  throw new OutsideError('store', text, { failure: 'final' });
}
