import { createHash, createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import type { EvidenceKey, EvidenceKeys } from '#ports/evidence-keys';
import type { Clock } from '#system/clock';
import { KeyFolder, type StoredKey } from './key-folder.js';

/** In another thread. */
const signBeside = promisify(sign);

/** What was read from the folder, as long as the folder stays as it is. */
interface Loaded {
  readonly version: string;
  readonly current: StoredKey;
  readonly privateKey: KeyObject;
  /** First part of every signature of the key: the protected header, base64url. */
  readonly header: string;
}

/**
 * Several processes may each make the next key at once: all but one find another's, and look again.
 */
const TRIES_MAX = 10;

/**
 * Opens the evidence keys in a folder; the first process that comes makes the first key. A key that
 * another process made or revoked is seen at the next signature. Throws when the folder cannot be
 * used.
 */
export function openEvidenceKeys(path: string, clock: Pick<Clock, 'nowMs'>): EvidenceKeys {
  const folder = new KeyFolder(path);
  let loaded: Loaded | null = null;
  const use = (): Loaded => {
    const version = folder.version();
    if (loaded === null || loaded.version !== version) loaded = load(folder, clock);
    return loaded;
  };
  const list = () => toStates(folder.list());
  const find = (kid: string) => list().find((key) => key.kid === kid) ?? null;
  use();
  return {
    current: () => find(use().current.kid)!,
    sign(text) {
      const { header, privateKey } = use();
      return `${header}..${sign(null, signingInput(header, text), privateKey).toString('base64url')}`;
    },
    async signLong(text) {
      const { header, privateKey } = use();
      const signature = await signBeside(null, signingInput(header, text), privateKey);
      return `${header}..${signature.toString('base64url')}`;
    },
    list,
    version: () => use().version,
    rotate() {
      makeAfter(folder.list().at(-1), folder, clock);
      const { current } = use();
      folder.forgetPrivateBut(current.kid);
      return find(current.kid)!;
    },
    revoke(kid) {
      const key = folder.list().find((one) => one.kid === kid);
      if (key === undefined) return null;
      if (use().current.kid === kid) this.rotate();
      folder.revoke(key.number, clock.nowMs());
      return find(kid);
    },
  };
}

/** Returns the keys of a folder, the newest first, and makes none. Empty: there is none. */
export function listEvidenceKeys(path: string): readonly EvidenceKey[] {
  return existsSync(path) ? toStates(new KeyFolder(path).list()) : [];
}

/** RFC 7515, 5.1. */
function signingInput(header: string, text: string): Buffer {
  return Buffer.from(`${header}.${Buffer.from(text).toString('base64url')}`, 'latin1');
}

/**
 * Reads the key that signs: the newest, if it is not revoked and its private part is there; else a
 * new one is made.
 */
function load(folder: KeyFolder, clock: Pick<Clock, 'nowMs'>): Loaded {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const version = folder.version();
    const current = folder.list().at(-1);
    const pem = current === undefined || current.revokedAtMs !== null ? null : folder.privatePem(current.kid);
    if (current !== undefined && pem !== null) {
      const header = Buffer.from(JSON.stringify({ alg: 'EdDSA', kid: current.kid })).toString('base64url');
      return { version, current, privateKey: createPrivateKey(pem), header };
    }
    makeAfter(current, folder, clock);
  }
  throw new Error('the evidence keys change faster than they can be read');
}

/**
 * Makes the key that follows the one that was seen, unless another process has made it meanwhile.
 */
function makeAfter(seen: StoredKey | undefined, folder: KeyFolder, clock: Pick<Clock, 'nowMs'>): void {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const x = publicKey.export({ format: 'jwk' }).x!;
  const number = (seen?.number ?? 0) + 1;
  const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }) as string;
  folder.add(number, { kid: thumbprint(x), x, createdAtMs: clock.nowMs() }, pem);
}

/** RFC 7638: SHA-256 over the required members of the key, in the order of their names. */
function thumbprint(x: string): string {
  return createHash('sha256').update(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`).digest('base64url');
}

function toStates(cached: readonly StoredKey[]): readonly EvidenceKey[] {
  const newest = cached.at(-1)?.number;
  const toState = ({ number, revokedAtMs, kid, x, createdAtMs }: StoredKey): EvidenceKey => {
    const state = revokedAtMs !== null ? 'revoked' : number === newest ? 'current' : 'former';
    return { kid, x, createdAtMs, state, revokedAtMs };
  };
  return cached.toReversed().map(toState);
}
