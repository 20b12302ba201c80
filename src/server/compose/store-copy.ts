import { realpathSync } from 'node:fs';
import { systemClock } from '#adapters/process/system-clock';
import { type MigrationDeps, type MigrationReport, migrateStore } from '#services/migrate-store/migrate-store';
import type { Clock } from '#system/clock';
import { openStore, storeKeyPath } from './credits.js';
import { evidenceKeysPath } from './evidence.js';
import { holdAlone } from './hold-alone.js';
import { hasRatings, openRatings, openRatingsOf } from './ratings.js';

/** By it a copy tells how far it is. */
export const copyClock: Clock = systemClock;

/** What is copied, and where to. */
export interface StoreCopy {
  readonly dataDir: string;
  readonly keysDir: string;
  readonly url: string;
  readonly onProgress: MigrationDeps['onProgress'];
}

/** The files of a store that are in no database: each replica needs them. */
export function filesOfKeys(keysDir: string): readonly string[] {
  return [storeKeyPath(keysDir), evidenceKeysPath(keysDir)];
}

/**
 * Copies the store of a data directory into an empty database, or goes on where an earlier copy was
 * interrupted. Rejects with an Error in one sentence.
 */
export async function copyToDatabase({ dataDir, keysDir, url, onProgress }: StoreCopy): Promise<MigrationReport> {
  const { checkDatabase } = await import('#adapters/postgres/check');
  const { openCopyTarget } = await import('#adapters/postgres/copy/target');
  await checkDatabase(url, { clock: systemClock, isCopy: true });
  const { store, key } = await openStore({ dataDir, keysDir, storeUrl: null });
  const ratings = hasRatings(dataDir) ? openRatings(dataDir).store : null;
  const lease = holdAlone(store, { place: dataDir, work: 'copy' });
  const target = await openCopyTarget({ url, keyId: key.id }).catch(async (error: unknown) => {
    await Promise.all([store.close(), ratings?.close()]);
    throw error;
  });
  try {
    await lease.hold();
    const from = { store, ratings };
    const openTarget = () => openCopied(url);
    return await migrateStore(realpathSync(dataDir), {
      ...{ from, target, openTarget, clock: systemClock, stillAlone: lease.hold, onProgress },
    });
  } finally {
    await lease.end();
    await Promise.all([target.close(), store.close(), ratings?.close()]);
  }
}

async function openCopied(url: string) {
  const { openPostgresStore } = await import('#adapters/postgres/money/store');
  const store = await openPostgresStore({ url, clock: systemClock, isCopy: true });
  const { store: ratings } = await openRatingsOf({ dataDir: '', storeUrl: url });
  const close = async () => {
    await Promise.all([store.close(), ratings.close()]);
  };
  return { store, ratings, close };
}
