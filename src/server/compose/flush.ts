import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Resolves when what was written to a file, or named in a folder, is on disk. */
export async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r');
  await handle.sync().finally(() => handle.close());
}

/** Resolves when a folder is on disk with all that is in it. */
export async function flushAll(dir: string): Promise<void> {
  for (const path of await readdir(dir, { recursive: true })) await flush(join(dir, path));
  await flush(dir);
}
