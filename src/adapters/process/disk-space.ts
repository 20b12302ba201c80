import { statfs } from 'node:fs/promises';

/** Returns the bytes that this process may still write to the disk of a path. Rejects if the disk does not say. */
export async function freeBytes(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(path);
  return bavail * bsize;
}
