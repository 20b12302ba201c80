import { createReadStream, createWriteStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { openToRead } from './owner.js';

const READ_BYTES = 1 << 20;

/** Copies a file below `dir` to where there is none, by what the owner of `dir` may read. */
export async function copyOut(dir: string, path: string, to: string): Promise<void> {
  const read = createReadStream(path, { fd: openToRead(dir, path), highWaterMark: READ_BYTES });
  await pipeline(read, createWriteStream(to, { flags: 'wx', mode: 0o600 }));
}

/** Copies the files of a folder below `dir` into one that is there. */
export async function copyFilesOut(dir: string, folder: string, to: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true });
  for (const { name } of entries.filter((entry) => !entry.isDirectory())) {
    await copyOut(dir, join(folder, name), join(to, name));
  }
}
