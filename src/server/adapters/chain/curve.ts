import { secp256k1Base64Bytes } from '@bitauth/libauth/build/lib/bin/secp256k1/secp256k1.base64.js';
import {
  CompressionFlag,
  ContextFlag,
  instantiateSecp256k1WasmBytes,
} from '@bitauth/libauth/build/lib/bin/secp256k1/secp256k1-wasm.js';

const DIGEST_BYTES = 32;
/** A signature without v: r and s. */
const COMPACT_BYTES = 64;
const KEY_BYTES = 65;
/** What the library keeps of a signature, and of a key, has no more. */
const INNER_BYTES = 80;

// The package would read its base64 letter by letter.
const wasm = await instantiateSecp256k1WasmBytes(Uint8Array.from(Buffer.from(secp256k1Base64Bytes, 'base64')).buffer);

interface Buffers {
  readonly context: number;
  readonly digest: number;
  readonly compact: number;
  readonly signature: number;
  readonly inner: number;
  readonly key: number;
  readonly keyBytes: number;
}

/**
 * Its tables take longer than a start may wait for them, and a process without payments needs none.
 */
let buffers: Buffers | null = null;

/** Memory of the library that each call writes over. */
function buffersOnce(): Buffers {
  buffers ??= {
    context: wasm.contextCreate(ContextFlag.VERIFY),
    digest: wasm.malloc(DIGEST_BYTES),
    compact: wasm.malloc(COMPACT_BYTES),
    signature: wasm.malloc(INNER_BYTES),
    inner: wasm.malloc(INNER_BYTES),
    key: wasm.malloc(KEY_BYTES),
    keyBytes: wasm.mallocSizeT(KEY_BYTES),
  };
  return buffers;
}

/**
 * Returns the public key (secp256k1, x and y without the leading 4) that signed 32 bytes, or null
 * if none can have: r or s is zero or out of range, or r is no point. `compact`: r and s of 32
 * bytes each. A signature check takes some 190 µs with libauth's WebAssembly of libsecp256k1, and
 * ten times as long in JavaScript.
 */
export function recoverKey(digest: Uint8Array, compact: Uint8Array, parity: 0 | 1): Uint8Array | null {
  const at = buffersOnce();
  wasm.heapU8.set(digest, at.digest);
  wasm.heapU8.set(compact, at.compact);
  if (wasm.recoverableSignatureParse(at.context, at.signature, at.compact, parity) !== 1) return null;
  if (wasm.recover(at.context, at.inner, at.signature, at.digest) !== 1) return null;
  wasm.pubkeySerialize(at.context, at.key, at.keyBytes, at.inner, CompressionFlag.UNCOMPRESSED);
  return wasm.readHeapU8(at.key + 1, KEY_BYTES - 1).slice();
}
