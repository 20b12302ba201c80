import { existsSync, renameSync } from 'node:fs';
import { openStoreKey } from '#adapters/keys/store-key';
import { openLmdbStore } from '#adapters/lmdb/money/store';
import { systemClock } from '#adapters/process/system-clock';
import { maskedUrl } from '#domain/database-url';
import { Problem } from '#domain/errors';
import type { Store } from '#ports/store';
import type { StoreKey } from '#ports/store-key';
import {
  beginningOf,
  creditsPath,
  emptyStore,
  hasCredits,
  openEmbedded,
  type StoreLocation,
  storeKeyPath,
} from './credits.js';
import { holdAlone } from './hold-alone.js';

/** A store's new key. */
export interface RenewedKey {
  readonly path: string;
  readonly id: string;
  /** Where the one is that was there before; null: there was none. */
  readonly setAside: string | null;
}

/**
 * Gives the store a new key. One that is there is set aside, not lost. Rejects with a Problem where
 * there is no store, or where the key of the store is not there, unless it `isLost`: the folder of
 * another service has none, or that of another store. Rejects beside a service at work, which would
 * go on with its key and lose what it writes with it.
 */
export async function renewStoreKey(location: StoreLocation, isLost: boolean): Promise<RenewedKey> {
  const { dataDir, keysDir, storeUrl } = location;
  const path = storeKeyPath(keysDir);
  if (storeUrl === null && !hasCredits(dataDir)) {
    throw new Problem('invalid_parameter', `there is no store at ${creditsPath(dataDir)}: give its --data-dir`);
  }
  const setAside = existsSync(path) ? `${path}.${systemClock.nowMs()}.old` : null;
  const renew = (existing: string | null) => {
    if (!isLost) requireKey(path, existing);
    if (setAside !== null) renameSync(path, setAside);
    return openStoreKey(path, null);
  };
  if (storeUrl !== null) return renewOfDatabase(storeUrl, { path, setAside }, renew);
  const begin = beginningOf(location);
  await holdOnce(openLmdbStore({ path: creditsPath(dataDir), begin }), dataDir);
  const { store, key } = openEmbedded(location, renew);
  await store.close();
  return { path, id: key.id, setAside };
}

async function renewOfDatabase(
  storeUrl: string,
  files: Pick<RenewedKey, 'path' | 'setAside'>,
  renew: (existing: string | null) => StoreKey,
): Promise<RenewedKey> {
  const { checkDatabase, rebindKey } = await import('#adapters/postgres/check');
  const { openPostgresStore } = await import('#adapters/postgres/money/store');
  await checkDatabase(storeUrl, { clock: systemClock });
  let existing: string | null = null;
  const useKey = (bound: string | null) => {
    existing = bound;
    if (bound === null) throw emptyStore(storeUrl);
    return bound;
  };
  await holdOnce(await openPostgresStore({ url: storeUrl, useKey, clock: systemClock }), maskedUrl(storeUrl));
  const key = renew(existing);
  await rebindKey(storeUrl, key.id);
  return { ...files, id: key.id };
}

/** Rejects where a service works on the store; closes it. */
async function holdOnce(store: Store, place: string): Promise<void> {
  const lease = holdAlone(store, { place, work: 'renew its key' });
  try {
    await lease.hold();
    await lease.end();
  } finally {
    await store.close();
  }
}

/** `existing`: the id of the key that the store was written with; null: it was written with none. */
function requireKey(path: string, existing: string | null): void {
  if (existing === null || (existsSync(path) && openStoreKey(path, null).id === existing)) return;
  const what = existsSync(path) ? 'is not the key of the store' : 'is not there';
  const text = `${path} ${what}: give the KEYS_DIR of the service, or --keys-dir; if the key is lost for good: --lost`;
  throw new Problem('invalid_parameter', text);
}
