import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';

/** Bytes of a key. In its file they are hexadecimal digits on one line. */
const KEY_BYTES = 32;
const KEY_LINE = /^[0-9a-f]{64}\n?$/;

/**
 * Returns the secret key that lies in the file, and makes one by chance if there is none: readable
 * by its owner alone, and on disk before it is used. Any number of processes may do so at once: one
 * of them makes the file and all of them have its key. Throws an Error that names the file if it
 * cannot be read or holds no key.
 */
export function openKeyFile(path: string): Uint8Array {
  if (!existsSync(path)) makeKeyFile(path);
  const line = readFileSync(path, 'utf8');
  if (!KEY_LINE.test(line)) throw new Error(`${path} holds no key (64 hexadecimal digits): restore it from a backup`);
  return new Uint8Array(Buffer.from(line.trim(), 'hex'));
}

/** The file gets its name when it is whole, so that nobody reads half of it; a name is given once. */
function makeKeyFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.${randomBytes(8).toString('hex')}.draft`;
  try {
    writeDurably(draft, `${randomBytes(KEY_BYTES).toString('hex')}\n`);
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  flush(dirname(path));
}

function writeDurably(path: string, text: string): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** A name is on disk when its folder is. */
function flush(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
