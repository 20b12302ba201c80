import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { OutsideError } from '#domain/errors';
import type { KeyPurpose, StoreKey } from '#ports/store-key';
import { makeFolder } from '../process/make-folder.js';
import { createWholeFile } from './whole-file.js';

const CIPHER = 'aes-256-gcm';
/** Bytes of a key. In its file they are hexadecimal digits on one line. */
export const STORE_KEY_BYTES = 32;
const KEY_LINE = /^[0-9a-f]{64}\n?$/;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const ID_BYTES = 8;

/**
 * Opens (or makes) the key of a store. `existing` is the id of the key that the store was written
 * with; null: it was written with none, which a new one is. Throws an OutsideError (final) where
 * that key is not there: another in its place would lose every promo code without a word. So it does
 * where a key is beside a store that was written without: it is that of another store.
 */
export function openStoreKey(path: string, existing: string | null, isNew = true): StoreKey {
  if (existing !== null && !existsSync(path)) throw lostOrAside(path, existing, 'is not there');
  if (existing === null && !isNew && existsSync(path)) {
    throw lost(path, 'is not the key of the store beside it, which was written without a key', 'the store');
  }
  const key = createStoreKey(readKey(path));
  if (existing !== null && key.id !== existing)
    throw lostOrAside(path, existing, `has another key (${key.id}) than the store (${existing})`);
  return key;
}

function readKey(path: string): Uint8Array {
  try {
    return openKeyFile(path);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new OutsideError('store', `cannot read the key of the store: ${why}`, { failure: 'final', cause });
  }
}

/** A renewal that was ended half way has set the key aside, and not yet told the store. */
function lostOrAside(path: string, existing: string, what: string): OutsideError {
  const aside = namesIn(dirname(path))
    .filter((name) => name.startsWith(`${basename(path)}.`) && name.endsWith('.old'))
    .map((name) => join(dirname(path), name))
    .find((one) => idOf(one) === existing);
  if (aside === undefined) return lost(path, what);
  const text = `${path} ${what}: move ${aside} to its place, which is that key`;
  return new OutsideError('store', text, { failure: 'final' });
}

/** null: the file holds no key, or cannot be read. */
function idOf(path: string): string | null {
  try {
    return createStoreKey(readKeyFile(path)).id;
  } catch {
    return null;
  }
}

function namesIn(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}

function lost(path: string, what: string, lostPart: 'it' | 'the store' = 'it'): OutsideError {
  const other = lostPart === 'it' ? 'the store' : 'the key';
  // First what costs nothing: a new key ends every code.
  const remedy = `if the keys are elsewhere, give KEYS_DIR or --keys-dir; else restore ${lostPart} from the backup that ${other} is from; if it is lost for good: preflightctl admin store-key renew --lost`;
  return new OutsideError('store', `${path} ${what}: ${remedy}`, { failure: 'final' });
}

/** Returns a store's key made of 32 secret bytes. */
export function createStoreKey(secret: Uint8Array): StoreKey {
  const derive = (info: string, bytes = STORE_KEY_BYTES) => Buffer.from(hkdfSync('sha256', secret, '', info, bytes));
  const keys = new Map<string, Buffer>();
  const keyFor = (purpose: KeyPurpose, use: 'mac' | 'seal') => {
    const info = `preflight ${purpose} ${use}`;
    const key = keys.get(info) ?? derive(info);
    keys.set(info, key);
    return key;
  };
  return {
    id: derive('preflight key id', ID_BYTES).toString('hex'),
    mac: (purpose, text) => new Uint8Array(createHmac('sha256', keyFor(purpose, 'mac')).update(text).digest()),
    seal(purpose, text) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, keyFor(purpose, 'seal'), nonce);
      const covered = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), covered]).toString('base64url');
    },
    unseal(purpose, sealed) {
      const bytes = Buffer.from(sealed, 'base64url');
      if (bytes.length < NONCE_BYTES + TAG_BYTES) return null;
      const decipher = createDecipheriv(CIPHER, keyFor(purpose, 'seal'), bytes.subarray(0, NONCE_BYTES));
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      try {
        const opened = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
        return Buffer.concat([opened, decipher.final()]).toString('utf8');
      } catch {
        // Another key, or not what was sealed.
        return null;
      }
    },
  };
}

/**
 * Returns the secret key that lies in the file, and makes one by chance if there is none: readable
 * by its owner alone, and on disk before it is used. Any number of processes may do so at once: one
 * of them makes the file and all of them have its key. Throws an Error that names the file if it
 * cannot be read or holds no key.
 */
export function openKeyFile(path: string): Uint8Array {
  if (!existsSync(path)) makeKeyFile(path);
  return readKeyFile(path);
}

function readKeyFile(path: string): Uint8Array {
  const line = readFileSync(path, 'utf8');
  if (!KEY_LINE.test(line)) throw new Error(`${path} holds no key (64 hexadecimal digits): restore it from a backup`);
  return new Uint8Array(Buffer.from(line.trim(), 'hex'));
}

function makeKeyFile(path: string): void {
  makeFolder(dirname(path));
  createWholeFile(path, `${randomBytes(STORE_KEY_BYTES).toString('hex')}\n`);
}
