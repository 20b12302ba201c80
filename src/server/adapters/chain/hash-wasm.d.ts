declare module 'hash-wasm/dist/keccak.umd.min.js' {
  import type { createKeccak } from 'hash-wasm';

  const hashes: { readonly createKeccak: typeof createKeccak };
  export default hashes;
}
