import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { createWholeFile } from './whole-file.js';

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

function makeKeyFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  createWholeFile(path, `${randomBytes(KEY_BYTES).toString('hex')}\n`);
}
