import { rm } from 'node:fs/promises';
import { lmdbPath, openLmdbStore } from '#adapters/lmdb/money/store';
import type { Host } from '#adapters/process/host';
import { tempFolder } from '#test/support/temp-folder';
import type { StoreFixture } from '../store.contract.js';
import { closing } from './closing.js';

/**
 * Makes a directory of its own for an LMDB store. `host`: the machine by which its leases run out.
 */
export async function makeLmdbFixture(
  host?: Host,
): Promise<StoreFixture & { readonly dataDir: string; readonly path: string }> {
  const dataDir = tempFolder('store');
  const path = lmdbPath(dataDir);
  return closing({
    dataDir,
    path,
    open: async () => openLmdbStore({ path, ...(host && { host }) }),
    remove: () => rm(dataDir, { recursive: true, force: true }),
  });
}
