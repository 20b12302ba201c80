import { join } from 'node:path';
import { OutsideError } from '#domain/errors';
import type { Store } from '#ports/store';
import { openCommits } from '../commits.js';
import { checkSchema, openLmdbFile } from '../open.js';
import { page, type Rows, SCHEMA_KEY } from '../raw.js';
import { ROW_VERSION } from '../row-fields.js';
import { openMoneyBatch } from './batch.js';
import { bindKey } from './key-id.js';
import { ANSWERS, partsOfAnswerKey } from './keys.js';
import { readOpenPayments, readPayment, readUncheckedPayments } from './payments.js';
import { readFacilitatorExposures } from './proofs.js';
import { readAccount, readAnswer, readLedger, readPromo, readPromos, readRedemptions, readTokens } from './reads.js';

/** Returns where the credits and payments of a data directory lie. */
export function lmdbPath(dataDir: string): string {
  return join(dataDir, 'credits.lmdb');
}

export interface LmdbStoreOptions {
  readonly path: string;
  /**
   * Opens the key that lies beside the store, and returns its id. `known` is the id of the key that
   * the store was written with; null: with none yet. Throws where that key cannot be had.
   */
  readonly useKey?: (known: string | null) => string;
}

/**
 * Opens (or makes) the embedded store. Several processes may have the same path open: a change of
 * one is seen by the next read of the others. Throws an OutsideError where the file cannot be
 * opened or is of another schema, and what `useKey` throws.
 */
export function openLmdbStore({ path, useKey }: LmdbStoreOptions): Store {
  const db = openLmdbFile({ path, version: ROW_VERSION, remedy: 'restore it from a backup' });
  try {
    if (useKey !== undefined) bindKey(db, useKey);
  } catch (error) {
    void db.close();
    throw error;
  }
  return storeOver(db, path);
}

/** Returns the store over a file that is open already. */
export function storeOver(db: Rows, path: string): Store {
  const commits = openCommits(db, openMoneyBatch);
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
    answer: (key) => read(() => readAnswer(db, key)),
    payment: (key) => read(() => readPayment(db, key)),
    openPayments: (from, limit) => read(() => readOpenPayments(db, from, limit)),
    uncheckedPayments: (from, limit) => read(() => readUncheckedPayments(db, from, limit)),
    exposures: () => read(() => readFacilitatorExposures(db)),
    promo: (code) => read(() => readPromo(db, code)),
    promos: () => read(() => readPromos(db)),
    redemptions: (code, from, limit) => read(() => readRedemptions(db, code, from, limit)),
    ledger: (wallet, limit) => read(() => readLedger(db, wallet, limit)),
    async sweepAnswers(nowMs, from, limit) {
      const { keys, next } = await read(() => page(db, ANSWERS, from, limit));
      const expired = await read(() => expiredAnswers(db, keys, nowMs));
      if (expired.length === 0) return { removed: 0, next };
      return { removed: await removeExpired(expired, nowMs), next };
    },
    async ping() {
      await read(() => checkSchema(db, path, ROW_VERSION));
      await commits.run({ decide: () => ({ result: null, write: () => void db.put(SCHEMA_KEY, ROW_VERSION) }) });
    },
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
    try {
      const answer = readAnswer(db, partsOfAnswerKey(rowKey));
      return answer !== null && answer.expiresAtMs <= nowMs;
    } catch {
      // A malformed answer stays where it is, and a caller that asks for it hears of it; the others
      // are swept all the same.
      return false;
    }
  });
}
