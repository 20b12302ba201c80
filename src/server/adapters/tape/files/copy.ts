import { copyFile, cp, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isMissing } from './listing.js';
import { readSnapshot } from './snapshot.js';

const PROGRESS = 'progress';
const MANIFEST = 'manifest.json';

/**
 * Copies a tape as it stands at one moment, also while it is recorded and compacted: files never
 * change, and those of before a compaction stay until the next one. Returns how many files.
 */
export async function copyTape(dir: string, to: string): Promise<number> {
  await mkdir(to, { recursive: true });
  // First how far was recorded, then what: the other way round trades could count as seen that are
  // not there.
  await cp(join(dir, PROGRESS), join(to, PROGRESS), { recursive: true }).catch((error: unknown) => {
    if (!isMissing(error)) throw error;
  });
  const { manifest, files } = await readSnapshot(dir);
  for (const file of files) {
    await mkdir(dirname(join(to, file)), { recursive: true });
    await copyFile(join(dir, file), join(to, file));
  }
  await writeFile(join(to, MANIFEST), `${JSON.stringify({ ...manifest, outdated: [] }, null, 1)}\n`);
  return files.length;
}
