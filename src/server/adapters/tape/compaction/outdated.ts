import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { TapeFolder } from '../files/folder.js';
import { namesIn } from '../files/listing.js';
import { recentOf, type TapeManifest, writeManifest } from '../files/manifest.js';

export const SORTED_FOLDER = 'sorted';

/**
 * Removes what the last compaction left behind for its readers, and what one that was killed left
 * half-done. To be called by the holder of the lock of the tape. Returns the manifest without it.
 */
export async function removeOutdated(folder: TapeFolder, manifest: TapeManifest): Promise<TapeManifest> {
  const { dir } = folder;
  for (const path of manifest.outdated) await rm(join(dir, path), { recursive: true, force: true });
  const outdated = new Set(manifest.outdated);
  const still = (paths: readonly string[]) => paths.filter((path) => !outdated.has(path));
  const rest: TapeManifest = {
    ...manifest,
    outdated: [],
    absorbed: still(manifest.absorbed),
    markets: manifest.markets && { ...manifest.markets, merged: still(manifest.markets.merged) },
    names: manifest.names && { ...manifest.names, merged: still(manifest.names.merged) },
  };
  if (outdated.size > 0) await writeManifest(folder, rest);
  await removeUncounted(dir, rest);
  return rest;
}

/** Generations that no manifest speaks of were never finished. */
async function removeUncounted(dir: string, manifest: TapeManifest): Promise<void> {
  const counted = new Set(generationsOf(manifest));
  for (const generation of await namesIn(join(dir, SORTED_FOLDER))) {
    const path = join(SORTED_FOLDER, generation);
    if (!counted.has(path)) await rm(join(dir, path), { recursive: true, force: true });
  }
}

/** Returns the folders of the generations that count. */
export function generationsOf({ sorted }: TapeManifest): readonly string[] {
  return sorted === null ? [] : [sorted, ...recentOf(sorted)].map(({ conditions }) => dirname(conditions));
}
