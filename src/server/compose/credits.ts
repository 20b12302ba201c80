import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { messageSigner } from '#adapters/chain/message-signer';
import { createStoreKey, openStoreKey, STORE_KEY_BYTES } from '#adapters/keys/store-key';
import { type LmdbStoreOptions, lmdbPath, openLmdbStore } from '#adapters/lmdb/money/store';
import { systemClock } from '#adapters/process/system-clock';
import { systemRandom } from '#adapters/process/system-random';
import { maskedUrl } from '#domain/database-url';
import { OutsideError, Problem } from '#domain/errors';
import type { Store } from '#ports/store';
import type { StoreKey } from '#ports/store-key';
import { boundedStore } from '#services/bounded-store';
import { type Credits, createCredits } from '#services/credits/credits';
import type { ChangeOutcomes } from '#services/status/change-outcomes';
import { type BelievedClock, type BelievedTime, trusted } from '#services/time/believed-clock';
import type { Random } from '#system/random';
import { evidenceKeysPath } from './evidence.js';
import { beginOnlyOnce, hasBytes } from './lost-store.js';
import type { System } from './system.js';

/** Returns where the credits and payments of a data directory are. */
export function creditsPath(dataDir: string): string {
  return lmdbPath(dataDir);
}

/**
 * Returns where the key of that store is. Whoever has both can make tokens of what the store holds.
 */
export function storeKeyPath(dataDir: string): string {
  return join(dataDir, 'store.key');
}

export function hasCredits(dataDir: string): boolean {
  return existsSync(creditsPath(dataDir));
}

/** Whether there is a store, or was one: then a start makes none. */
export function isBegun({ dataDir, keysDir }: Omit<StoreLocation, 'storeUrl'>): boolean {
  return hasCredits(dataDir) || madeBeside(keysDir).some((path) => existsSync(path));
}

/**
 * Whether a first start has made the file and died before it wrote to it. Throws an OutsideError
 * where there was a store that is empty now.
 */
export function isUnwritten(location: Omit<StoreLocation, 'storeUrl'>): boolean {
  if (hasBytes(creditsPath(location.dataDir))) return false;
  beginningOf(location);
  return true;
}

/**
 * Returns what is called before a store is begun, and calls it where one has to be. Throws an
 * OutsideError (final) where there was a store that is gone or empty.
 */
export function beginningOf({ dataDir, keysDir }: Omit<StoreLocation, 'storeUrl'>): () => void {
  const path = creditsPath(dataDir);
  const begin = beginOnlyOnce(path, madeBeside(keysDir));
  if (!hasBytes(path)) begin();
  return begin;
}

/** What is made after a store, and tells that there was one. */
function madeBeside(keysDir: string): readonly string[] {
  return [storeKeyPath(keysDir), evidenceKeysPath(keysDir)];
}

/**
 * The credits of a data directory: the store with its key, and the service over both. Close the
 * store when done.
 */
export interface CreditsModule {
  readonly store: Store;
  /**
   * How many other processes may work on it: on a data directory those of a restart, which overlap.
   */
  readonly othersMax: number;
  readonly key: StoreKey;
  readonly credits: Credits;
  /** What is made here is dated by it, and lapses by it. */
  readonly clock: BelievedTime;
}

/** Replicas that share a database; their leases are looked at together. */
const REPLICAS_MAX = 64;

/**
 * Where credits and payments are: in a database that replicas share, or else in the data directory.
 */
export interface StoreLocation {
  readonly dataDir: string;
  readonly keysDir: string;
  readonly storeUrl: string | null;
}

/**
 * make: also where there is no store yet. look: no change can be made, and nothing waits for a
 * writer.
 */
export type StoreUse = 'make' | 'change' | 'look';

/**
 * Opens the credits of a service. Rejects with an OutsideError that says what to do where the store
 * cannot be worked on, or was written with a key that is not there; unless it may be made also
 * where nothing was ever written to a shared database. A store of a data directory that was there
 * before is not begun anew. `time`: what the service believes; without it, as for commands, the clock
 * of this machine counts.
 */
export async function openStore(
  { dataDir, keysDir, storeUrl }: StoreLocation,
  use: StoreUse = 'make',
  time?: BelievedClock,
): Promise<CreditsModule> {
  const keyPath = storeKeyPath(keysDir);
  if (storeUrl === null) {
    const readsOnly = use === 'look';
    return openEmbedded({ dataDir, keysDir }, readsOnly ? keyToLook(keyPath) : keyAt(keyPath), { readsOnly, time });
  }
  let key: StoreKey | undefined;
  const useKey = (existing: string | null) => {
    if (existing === null && use !== 'make') throw emptyStore(storeUrl);
    key = openStoreKey(keyPath, existing);
    return key.id;
  };
  // What it stands on is loaded where there is a database alone.
  const { openPostgresStore } = await import('#adapters/postgres/money/store');
  const checked = time === undefined ? { clock: systemClock } : { onTime: (ms: number) => time.hear('database', ms) };
  const store = await openPostgresStore({ url: storeUrl, useKey, ...checked });
  return serve({ store, othersMax: REPLICAS_MAX - 1, key: key!, clock: time ?? trusted(systemClock) });
}

/**
 * Opens (or makes) the credits of a data directory. The service and the operator's commands may do
 * so at the same time. Operators wait for a slow disk as long as it takes. Throws where the store
 * was written with a key that is not there, or is lost.
 */
export function openCredits(dataDir: string): CreditsModule {
  return openEmbedded({ dataDir, keysDir: dataDir }, keyAt(storeKeyPath(dataDir)));
}

/**
 * Throws an OutsideError that says what to do where the key that a store was written with is not in
 * the folder of its keys. Makes and changes nothing.
 */
export async function requireStoreKey({ dataDir, keysDir }: Omit<StoreLocation, 'storeUrl'>): Promise<void> {
  const { store } = await openStore({ dataDir, keysDir, storeUrl: null }, 'look');
  await store.close();
}

/** A store that was begun on purpose. */
export interface BegunStore {
  readonly path: string;
  readonly keyPath: string;
  readonly keyId: string;
}

/**
 * Begins the store of a data directory in place of one that is lost, with the key that is there, if
 * any. Rejects with a Problem where there is a store.
 */
export async function beginStore({ dataDir, keysDir }: Omit<StoreLocation, 'storeUrl'>): Promise<BegunStore> {
  const [path, keyPath] = [creditsPath(dataDir), storeKeyPath(keysDir)];
  const { store, key } = moduleOf(dataDir, (_, isNew) => {
    if (!isNew) throw new Problem('invalid_parameter', `there is a store at ${path}: move it away first`);
    return openStoreKey(keyPath, null);
  });
  await store.close();
  return { path, keyPath, keyId: key.id };
}

/** Returns the error of a database that no service has written to. */
export function emptyStore(url: string): OutsideError {
  return new OutsideError('store', `${maskedUrl(url)} is empty: no service has worked on it yet`, { failure: 'final' });
}

/** undefined: the clock of this machine. */
interface Timed {
  readonly time?: BelievedTime | undefined;
}

type OpenKey = (existing: string | null, isNew: boolean) => StoreKey;

function keyAt(path: string): OpenKey {
  return (existing, isNew) => openStoreKey(path, existing, isNew);
}

/** Makes no file: a store of before has no key, and one that nobody bound would be that of another. */
function keyToLook(path: string): OpenKey {
  return (existing, isNew) =>
    existing === null && !existsSync(path)
      ? createStoreKey(systemRandom.bytes(STORE_KEY_BYTES))
      : openStoreKey(path, existing, isNew);
}

/** Opens (or makes) the credits of a data directory with the key that `openKey` has for its store. */
export function openEmbedded(
  location: Omit<StoreLocation, 'storeUrl'>,
  openKey: OpenKey,
  options: Pick<LmdbStoreOptions, 'readsOnly'> & Timed = {},
): CreditsModule {
  return moduleOf(location.dataDir, openKey, { begin: beginningOf(location), ...options });
}

function moduleOf(
  dataDir: string,
  openKey: OpenKey,
  { time, ...options }: Pick<LmdbStoreOptions, 'begin' | 'readsOnly'> & Timed = {},
): CreditsModule {
  let key: StoreKey | undefined;
  const useKey = (existing: string | null, isNew: boolean) => {
    key = openKey(existing, isNew);
    return key.id;
  };
  const store = openLmdbStore({ path: creditsPath(dataDir), useKey, ...options });
  return serve({ store, othersMax: 1, key: key!, clock: time ?? trusted(systemClock) });
}

/**
 * Returns the same credits for callers, who are answered in time when the disk is not. What becomes
 * of their changes is counted.
 */
export function withinTime(
  { store, othersMax, key, clock }: CreditsModule,
  changes: ChangeOutcomes,
  { timers, random }: Pick<System, 'timers' | 'random'>,
): CreditsModule {
  const bounded = boundedStore(store, { timers, stopwatch: clock, changes });
  return serve({ store: bounded, othersMax, key, clock }, random);
}

/** Returns the credits of a store that is open. `random`: where the secrets of tokens come from. */
export function serve(outside: Omit<CreditsModule, 'credits'>, random: Random = systemRandom): CreditsModule {
  const { lapses } = outside.clock;
  return { ...outside, credits: createCredits({ ...outside, lapses, signer: messageSigner, random }) };
}
