import { createKeccak } from 'hash-wasm';

const hasher = await createKeccak(256);

/** Returns the Keccak-256 of bytes, in an array of its own. */
export function keccak(bytes: Uint8Array): Uint8Array {
  return hasher.init().update(bytes).digest('binary');
}
