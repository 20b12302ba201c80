import { join } from 'node:path';
import { OutsideError } from '#domain/errors';
import type { PaymentKey } from '#domain/payment/payment';
import type { OpenPayment, OwnedPayment, Store } from '#ports/store';
import { type Host, systemHost } from '../../process/host.js';
import { systemStopwatch } from '../../process/system-clock.js';
import { openCommits } from '../commits.js';
import { CREDITS_FILE_VERSION } from '../file-versions.js';
import { checkSchema, closeLmdbFile, openLmdbFile } from '../open.js';
import { type Rows, SCHEMA_KEY } from '../raw.js';
import { readAnswer } from './answers.js';
import { openHandedOn, openMoneyBatch } from './batch.js';
import { readFacilitatorExposures } from './exposures.js';
import { beginIndexed } from './index-walk.js';
import { awaitKey, bindKey, type UseKey } from './key-id.js';
import { isAlive, lmdbLeases } from './leases.js';
import { readEntries, readLedger } from './ledger.js';
import { lmdbListing } from './listing.js';
import { readOpenIndex, readOpenPayments, readPayment, readPayments, readUncheckedPayments } from './payments.js';
import { cachedTokens, readAccount, readPromo, readPromos, readRedemption, readRedemptions } from './reads.js';
import { sweepAnswers, trimPayments } from './trim.js';

/** Returns where the credits and payments of a data directory lie. */
export function lmdbPath(dataDir: string): string {
  return join(dataDir, 'credits.lmdb');
}

export interface LmdbStoreOptions {
  readonly path: string;
  readonly useKey?: UseKey;
  /** Asked before a store is begun; what it throws is passed on, and none is begun. */
  readonly begin?: () => void;
  /** For who only looks: no change can be made, and a writer that hangs holds up nothing. */
  readonly readsOnly?: boolean;
  /** The machine by which leases run out: this one, unless a test owns it. */
  readonly host?: Host;
}

/**
 * Opens (or makes) the embedded store. Several processes may have the same path open: a change of
 * one is seen by the next read of the others. One process opens it once, but to read only: a second
 * time it would wait for a transaction of the first, which waits for its turn of the event loop.
 * Throws an OutsideError where the file cannot be opened or is of another schema, and what `useKey`
 * and `begin` throw.
 */
export function openLmdbStore({ path, useKey, begin, readsOnly = false, host }: LmdbStoreOptions): Store {
  const db = openLmdbFile({
    ...{ path, version: CREDITS_FILE_VERSION, remedy: 'restore it from a backup', readsOnly },
    begin(rows) {
      begin?.();
      beginIndexed(rows);
      if (useKey !== undefined) awaitKey(rows);
    },
  });
  try {
    if (useKey !== undefined) bindKey(db, useKey, readsOnly);
  } catch (error) {
    void closeLmdbFile(db, path);
    throw error;
  }
  return storeOver(db, path, host);
}

/** Returns the store over a file that is open already. */
export function storeOver(db: Rows, path: string, host: Host = systemHost): Store {
  const handedOn = openHandedOn(db);
  const commits = openCommits(db, () => openMoneyBatch(db, handedOn, aliveOnce()));
  const tokensOf = cachedTokens(db);
  let closing: Promise<void> | null = null;

  // lmdb reads synchronously from mapped memory; `async` turns what is thrown into a rejection.
  const read = async <T>(from: () => T): Promise<T> => {
    checkOpen();
    return from();
  };

  function checkOpen(): void {
    if (closing !== null) throw new OutsideError('store', 'the store is closed', { failure: 'retryable' });
  }

  return {
    // Whether or not it is to be durable: it is by the time that it is known to be committed.
    transact: (keys, decide) =>
      commits.run({
        decide(batch) {
          const { writes, result } = decide(batch.read(keys));
          return { result, write: () => batch.write(writes) };
        },
      }),
    account: (wallet) => read(() => readAccount(db, wallet)?.account ?? null),
    tokens(wallet) {
      checkOpen();
      return tokensOf(wallet);
    },
    answer: (key) => read(() => readAnswer(db, key)),
    payment: (key) => read(() => readPayment(db, key)),
    payments: (from, limit) => read(() => readPayments(db, from, limit)),
    openPayments: (from, limit) => read(() => readOpenPayments(db, from, limit)),
    uncheckedPayments: (from, limit) => read(() => readUncheckedPayments(db, from, limit)),
    exposures: () => read(() => readFacilitatorExposures(db)),
    openPaymentsFor: (owner, from, limit) =>
      read(() => {
        const isAlive = aliveOnce();
        const { items, next } = readOpenIndex(db, from, limit);
        const isFor = (one: OpenPayment) => one.owner === null || one.owner === owner || !isAlive(one.owner);
        return { items: items.filter(isFor), next };
      }),
    ownedPayments: (keys) =>
      read(() => {
        const isAlive = aliveOnce();
        return keys.flatMap((key) => readOwned(key, isAlive) ?? []);
      }),
    leases: lmdbLeases(db, commits, host),
    listing: lmdbListing(db, read),
    promo: (code) => read(() => readPromo(db, code)),
    promos: () => read(() => readPromos(db)),
    redemption: (code, wallet) => read(() => readRedemption(db, code, wallet)),
    redemptions: (code, from, limit) => read(() => readRedemptions(db, code, from, limit)),
    ledger: (wallet, limit) => read(() => readLedger(db, wallet, limit)),
    entries: (from, limit) => read(() => readEntries(db, from, limit)),
    sweepAnswers: async (nowMs, limit) => {
      checkOpen();
      return sweepAnswers(db, commits, nowMs, limit);
    },
    trimPayments: async (settledBeforeMs, limit) => {
      checkOpen();
      return trimPayments(db, commits, settledBeforeMs, limit);
    },
    load() {
      const { count, sinceMs } = commits.waiting();
      const oldestWaitMs = sinceMs === null ? null : systemStopwatch.elapsedMs() - sinceMs;
      return { engine: 'embedded', changesWaiting: count, oldestWaitMs, connections: null, standbys: null };
    },
    async ping() {
      await read(() => checkSchema(db, path, CREDITS_FILE_VERSION));
      const write = () => void db.put(SCHEMA_KEY, CREDITS_FILE_VERSION);
      await commits.run({ decide: () => ({ result: null, write }) });
    },
    close() {
      closing ??= commits.stop().then(() => closeLmdbFile(db, path));
      return closing;
    },
  };

  /** Returns a look at leases that looks at each but once: many payments have the same owner. */
  function aliveOnce(): (owner: string) => boolean {
    const existing = new Map<string, boolean>();
    return (owner) => {
      const alive = existing.get(owner) ?? isAlive(db, owner, host);
      existing.set(owner, alive);
      return alive;
    };
  }

  function readOwned(key: PaymentKey, isAlive: (owner: string) => boolean): OwnedPayment | null {
    try {
      const row = readPayment(db, key);
      return row === null ? null : { row, isOwnerAlive: row.owner !== null && isAlive(row.owner) };
    } catch {
      // The others are not held up by it, and whoever asks for it alone hears of it.
      return null;
    }
  }
}
