import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lmdbRatingsPath, openLmdbRatings } from '#adapters/lmdb/ratings/ratings-store';
import type { RatingsHome } from '../ratings-store.contract.js';

/** Makes a directory of its own for the ratings. */
export async function makeRatingsHome(): Promise<RatingsHome & { readonly dataDir: string; readonly path: string }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'preflight-ratings-'));
  const path = lmdbRatingsPath(dataDir);
  return {
    dataDir,
    path,
    open: async () => openLmdbRatings({ path }),
    remove: () => rm(dataDir, { recursive: true, force: true }),
  };
}
