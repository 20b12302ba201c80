import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { copyOut } from '../../process/copy-out.js';
import { isBelow } from '../../process/owner.js';
import { namesIn } from './listing.js';
import { PROGRESS_FOLDER } from './progress.js';
import { readSnapshot } from './snapshot.js';

const MANIFEST = 'manifest.json';

/**
 * Copies a tape as it stands at one moment, also while it is recorded and compacted: files never
 * change, and those of before a compaction stay until the next one. It lies in `dataDir`, whose
 * owner's rights count. Returns how many files.
 */
export async function copyTape(dataDir: string, dir: string, to: string): Promise<number> {
  const copy = async (file: string) => {
    // By such a name in the manifest its owner could have any file written over.
    if (!isBelow(dir, join(dir, file))) throw new Error(`${join(dir, MANIFEST)} names a file outside of it: ${file}`);
    await mkdir(dirname(join(to, file)), { recursive: true });
    await copyOut(dataDir, join(dir, file), join(to, file));
  };
  await mkdir(to, { recursive: true });
  // First how far was recorded, then what: the other way round trades could count as seen that are
  // not there.
  for (const name of await namesIn(join(dir, PROGRESS_FOLDER))) await copy(join(PROGRESS_FOLDER, name));
  const { manifest, files } = await readSnapshot(dir);
  for (const file of files) await copy(file);
  await writeFile(join(to, MANIFEST), `${JSON.stringify({ ...manifest, outdated: [] }, null, 1)}\n`);
  return files.length;
}
