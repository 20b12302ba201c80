import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '#test/support/source-tree';

/**
 * Runs the work with an empty directory that is removed afterwards, also where the process is told
 * to end before. It lies in the project's own data folder: the system's folder for temporary files
 * is often in memory, where nothing is ever written to a disk.
 */
export async function withDataDir<T>(work: (dataDir: string) => Promise<T>): Promise<T> {
  const parent = join(ROOT, 'data');
  mkdirSync(parent, { recursive: true });
  return within(join(parent, 'bench-'), work);
}

/**
 * The same for the folder of a database server, in the system's folder for temporary files: a
 * server that root starts runs as another user, who may not enter the folder of the project.
 */
export function withServerDir<T>(work: (folder: string) => Promise<T>): Promise<T> {
  return within(join(tmpdir(), 'preflight-bench-'), work);
}

async function within<T>(prefix: string, work: (dataDir: string) => Promise<T>): Promise<T> {
  const dataDir = mkdtempSync(prefix);
  const remove = () => rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 });
  process.once('exit', remove);
  try {
    return await work(dataDir);
  } finally {
    process.off('exit', remove);
    remove();
  }
}
