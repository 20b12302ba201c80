// Of the package only this hash: to load all of it would take a start some 30 ms more.
import hashes from 'hash-wasm/dist/keccak.umd.min.js';

const hasher = await hashes.createKeccak(256);

/** Returns the Keccak-256 of bytes, in an array of its own. */
export function keccak(bytes: Uint8Array): Uint8Array {
  return hasher.init().update(bytes).digest('binary');
}
