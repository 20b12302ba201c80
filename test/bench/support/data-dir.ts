import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '#test/support/source-tree';

/**
 * Runs the work with an empty directory that is removed afterwards. It lies in the project's own data folder: the
 * system's folder for temporary files is often in memory, where nothing is ever written to a disk.
 */
export async function withDataDir<T>(work: (dataDir: string) => Promise<T>): Promise<T> {
  const parent = join(ROOT, 'data');
  await mkdir(parent, { recursive: true });
  const dataDir = await mkdtemp(join(parent, 'bench-'));
  try {
    return await work(dataDir);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}
