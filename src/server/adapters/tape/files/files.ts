import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { scratchOf, type TapeFolder } from './folder.js';

/** So much of a file's SHA-256 stands in its name, in hexadecimal digits. */
const DIGEST_DIGITS = 16;
const READ_BYTES = 1 << 20;

/** Numbers the files of scratch folders. */
let scratched = 0;

/**
 * Lets `write` write a file, and puts it into its place when it is whole and on the disk. Its name
 * gets a digest of its content ("a" becomes "a.0123456789abcdef.parquet"), so that `verify` sees
 * every changed bit. `position` is a folder of the tape, and so is the path that is returned.
 */
export async function keepParquet(
  folder: TapeFolder,
  subfolder: string,
  name: string,
  write: (path: string) => Promise<void>,
): Promise<string> {
  const written = await scratchPath(folder);
  try {
    await write(written);
    await flush(written);
    return await moveTo(folder, written, join(subfolder, `${name}.${await digestOf(written)}.parquet`));
  } finally {
    await rm(written, { force: true });
  }
}

/** Replaces a small file as a whole: after a crash it holds what it held or what it was to hold. */
export async function replaceText(folder: TapeFolder, path: string, text: string): Promise<void> {
  const written = await scratchPath(folder);
  const file = await open(written, 'wx');
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await moveTo(folder, written, path);
}

async function moveTo({ dir }: TapeFolder, written: string, path: string): Promise<string> {
  const target = join(dir, path);
  await mkdir(dirname(target), { recursive: true });
  await rename(written, target);
  for (let above = dirname(target); ; above = dirname(above)) {
    await flush(above);
    if (relative(dir, above) === '') return path;
  }
}

/** Returns the digest that belongs into the name of a file. */
export async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const bytes of createReadStream(path, { highWaterMark: READ_BYTES })) hash.update(bytes as Uint8Array);
  return hash.digest('hex').slice(0, DIGEST_DIGITS);
}

/** A file of the tape by its name: what comes before the digest, and the digest. */
export interface NamedParquet {
  readonly name: string;
  readonly digest: string;
}

/** Returns the parts of the name of a Parquet file; null for other files. */
export function readParquetName(fileName: string): NamedParquet | null {
  const parts = /^(.+)\.([0-9a-f]{16})\.parquet$/.exec(fileName);
  return parts === null ? null : { name: parts[1]!, digest: parts[2]! };
}

async function scratchPath(folder: TapeFolder): Promise<string> {
  scratched += 1;
  return join(await scratchOf(folder), `${scratched}.written`);
}

/** Of a folder: its list of names. */
async function flush(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
