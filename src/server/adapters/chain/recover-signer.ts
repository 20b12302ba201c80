import { recoverKey } from './curve.js';
import { keccak } from './keccak.js';

/**
 * Half the order of the curve. Of the two s that fit a signature only the one up to it is accepted.
 */
const S_MAX = Buffer.from('7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0', 'hex');
const S_BEGIN = 32;
const V_BEGIN = 64;
/** An address is the end of the hash of a key. */
const ADDRESS_BEGIN = 12;

/**
 * Returns the address whose key signed, or null if none can have. `digest`: the 32 bytes that were
 * signed. `signature`: 0x and 130 hexadecimal digits; v is 27 or 28.
 */
export function signerOf(digest: Uint8Array, signature: string): string | null {
  const bytes = Buffer.from(signature.slice(2), 'hex');
  const v = bytes[V_BEGIN];
  if (v !== 27 && v !== 28) return null;
  if (bytes.compare(S_MAX, 0, S_MAX.length, S_BEGIN, V_BEGIN) > 0) return null;
  const key = recoverKey(digest, bytes.subarray(0, V_BEGIN), v === 27 ? 0 : 1);
  return key === null ? null : `0x${Buffer.from(keccak(key).subarray(ADDRESS_BEGIN)).toString('hex')}`;
}
