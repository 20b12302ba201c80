import { CREDITS_FILE_VERSION } from '#adapters/lmdb/file-versions';
import { storeOver } from '#adapters/lmdb/money/store';
import { openLmdbFile } from '#adapters/lmdb/open';
import type { Rows } from '#adapters/lmdb/raw';
import { deferred } from '#test/support/promises';
import { type StoreFixture, walletNumber } from '../store.contract.js';
import { closing } from './closing.js';
import { makeLmdbFixture } from './lmdb-fixture.js';

/** Turns of the event loop in which whatever does not wait for the disk happens. */
const TURNS = 20;

/**
 * A disk that can be made to wait: while it is held, what is written can be read at once, as with
 * LMDB itself, but is not reported as flushed.
 */
export class HeldFlushes {
  #held = deferred();

  constructor() {
    this.letGo();
  }

  hold(): void {
    this.#held = deferred();
  }

  letGo(): void {
    this.#held.resolve();
  }

  /** Returns the database as it is but for its flushes. */
  over(db: Rows): Rows {
    return new Proxy(db, {
      get: (target, name) => {
        if (name === 'flushed') return this.#held.promise.then(() => target.flushed);
        const value = Reflect.get(target, name, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  }
}

/** A home whose stores write to such a disk. */
export interface HeldFixture extends StoreFixture {
  /**
   * Resolves when another change, by a store whose disk is not held, is on disk: what had to happen
   * before it has happened.
   */
  overtake(): Promise<void>;
}

export async function makeHeldFixture(flushes: HeldFlushes): Promise<HeldFixture> {
  const fixture = await makeLmdbFixture();
  const { path } = fixture;
  const free = await fixture.open();
  return closing({
    open: async () => storeOver(flushes.over(openLmdbFile({ path, version: CREDITS_FILE_VERSION, remedy: '' })), path),
    async overtake() {
      const redemption = { code: 'OVERTAKEN', wallet: walletNumber(1), atMs: 1 };
      await free.transact({}, () => ({ writes: { redemption }, result: null }));
      for (let turns = 0; turns < TURNS; turns++) await new Promise(setImmediate);
    },
    remove: fixture.remove,
  });
}
