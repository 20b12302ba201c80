import { readdir, stat, statfs } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/**
 * Returns the bytes that this process may still write to the disk of a path, or to the one on which
 * it would be made. Rejects if the disk does not say.
 */
export async function freeBytes(path: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(path);
    return bavail * bsize;
  } catch (error) {
    const parent = dirname(resolve(path));
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === path) throw error;
    return freeBytes(parent);
  }
}

/**
 * Returns the bytes of files, and of folders with all that is in them, one after the other; null if
 * none of it is there. What goes while it is looked at does not count.
 */
export async function bytesOf(paths: readonly string[]): Promise<number | null> {
  let [total, found] = [0, 0];
  for (const path of paths) {
    const bytes = await bytesAt(path);
    if (bytes === null) continue;
    total += bytes;
    found++;
  }
  return found === 0 ? null : total;
}

async function bytesAt(path: string): Promise<number | null> {
  const found = await stat(path).catch(() => null);
  if (found === null || !found.isDirectory()) return found?.size ?? null;
  const names = await readdir(path).catch(() => []);
  return (await bytesOf(names.map((name) => join(path, name)))) ?? 0;
}
