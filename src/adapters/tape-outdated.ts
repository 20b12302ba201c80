import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { namesIn, removeLeftovers } from './tape-files.js';
import { type TapeManifest, writeManifest } from './tape-manifest.js';
import { FILLS_FOLDER } from './tape-segments.js';

export const SORTED_FOLDER = 'sorted';

/**
 * Removes what the last compaction left behind for its readers, and what one that was killed left half-done. To be called by
 * whoever holds the lock of the tape. Returns the manifest without it.
 */
export async function removeOutdated(dir: string, manifest: TapeManifest): Promise<TapeManifest> {
  for (const path of manifest.outdated) await rm(join(dir, path), { recursive: true, force: true });
  const outdated = new Set(manifest.outdated);
  const rest = { ...manifest, outdated: [], absorbed: manifest.absorbed.filter((path) => !outdated.has(path)) };
  if (outdated.size > 0) await writeManifest(dir, rest);
  await removeUncounted(dir, rest);
  await removeLeftovers(join(dir, 'markets'));
  await removeLeftovers(join(dir, 'names'));
  const days = await namesIn(join(dir, FILLS_FOLDER));
  for (const day of days) await removeLeftovers(join(dir, FILLS_FOLDER, day));
  return rest;
}

/** Generations that no manifest speaks of were never finished. */
async function removeUncounted(dir: string, { sorted }: TapeManifest): Promise<void> {
  for (const generation of await namesIn(join(dir, SORTED_FOLDER))) {
    const path = join(SORTED_FOLDER, generation);
    if (sorted === null || !sorted.conditions.startsWith(`${path}/`)) {
      await rm(join(dir, path), { recursive: true, force: true });
    }
  }
}
