import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** So much of a file's SHA-256 stands in its name, in hexadecimal digits. */
const DIGEST_DIGITS = 16;
const TEMPORARY = '.tmp';

let temporaries = 0;

/**
 * Lets `write` write a file beside its place, and puts it there when it is whole and on the disk. Its name gets a digest of its
 * content ("a" becomes "a.0123456789abcdef.parquet"), so that `verify` sees every changed bit. Returns its path.
 */
export async function keepParquet(
  folder: string,
  name: string,
  write: (path: string) => Promise<void>,
): Promise<string> {
  await mkdir(folder, { recursive: true });
  const temporary = temporaryIn(folder);
  try {
    await write(temporary);
    await flush(temporary);
    const path = join(folder, `${name}.${await digestOf(temporary)}.parquet`);
    await rename(temporary, path);
    await flush(folder);
    await flush(dirname(folder));
    return path;
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Replaces a small file as a whole: after a crash it holds what it held or what it was to hold. */
export async function replaceText(path: string, text: string): Promise<void> {
  const folder = dirname(path);
  const temporary = temporaryIn(folder);
  const file = await open(temporary, 'wx');
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
  await flush(folder);
}

/** Returns the digest that belongs into the name of a file. */
export async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const bytes of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(bytes as Uint8Array);
  return hash.digest('hex').slice(0, DIGEST_DIGITS);
}

/** A file of the tape by its name: what comes before the digest, and the digest. */
export interface NamedParquet {
  readonly name: string;
  readonly digest: string;
}

/** Returns the parts of the name of a Parquet file; null for other files, half-written ones among them. */
export function readParquetName(fileName: string): NamedParquet | null {
  const parts = /^(.+)\.([0-9a-f]{16})\.parquet$/.exec(fileName);
  return parts === null ? null : { name: parts[1]!, digest: parts[2]! };
}

/** Returns the names in a folder, sorted; none where it does not exist. */
export async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).sort();
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** Removes what processes that are gone left half-written. */
export async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await namesIn(folder)) {
    const [pid, ending] = name.split('-');
    if (ending?.endsWith(TEMPORARY) && !isRunning(Number(pid))) await rm(join(folder, name), { force: true });
  }
}

/** Returns whether a process lives. One that took over the number of another is taken for it: then nothing is removed. */
export function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

export function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

function temporaryIn(folder: string): string {
  temporaries += 1;
  return join(folder, `${process.pid}-${temporaries}${TEMPORARY}`);
}

async function flush(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
