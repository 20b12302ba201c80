import { createRequire } from 'node:module';
import { dirname } from 'node:path';

const require = createRequire(import.meta.url);

const KEY_BYTES = 65;
const RECOVERED = 0;

/**
 * Returns the public key (secp256k1, x and y without the leading 4) that signed 32 bytes, or null if
 * none can have: r or s is zero or out of range, or r is no point. `compact`: r and s of 32 bytes each.
 */
export type RecoverKey = (digest: Uint8Array, compact: Uint8Array, parity: 0 | 1) => Uint8Array | null;

/** The part of the native module that is used. */
interface Native {
  /** Writes the key of 65 bytes. Returns 0, or why there is none. */
  ecdsaRecover(key: Uint8Array, compact: Uint8Array, parity: number, digest: Uint8Array): number;
}

/**
 * Returns libsecp256k1 as native code, or null where it cannot be loaded: the package `secp256k1` brings
 * it built for Linux, macOS and Windows, but not for each of their processors. Its module is loaded by
 * itself: the entry of the package would do the curve in JavaScript instead, slowly and with known faults.
 */
export function nativeCurve(): RecoverKey | null {
  let Secp256k1: (new () => Native) | undefined;
  try {
    ({ Secp256k1 } = require('node-gyp-build')(dirname(require.resolve('secp256k1/package.json'))));
  } catch {
    return null;
  }
  // What was built by hand is taken first, whatever it is.
  if (typeof Secp256k1?.prototype?.ecdsaRecover !== 'function') return null;
  const Curve = Secp256k1;
  /** Its tables take longer than a start may wait for them, and a process without payments needs none. */
  let curve: Native | null = null;
  return (digest, compact, parity) => {
    curve ??= new Curve();
    const key = new Uint8Array(KEY_BYTES);
    return curve.ecdsaRecover(key, compact, parity, digest) === RECOVERED ? key.subarray(1) : null;
  };
}
