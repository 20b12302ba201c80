import { recover } from 'tiny-secp256k1';
import type { Hex } from 'viem';
import { hexToBytes, keccak256 } from 'viem/utils';

/**
 * Half the order of the curve. Of the two s that fit a signature only the one up to it is accepted.
 */
const S_MAX = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

/**
 * Returns the address whose key signed, or null if none can have. `signature`: 0x and 130
 * hexadecimal digits; v is 27 or 28.
 */
export function signerOf(digest: Hex, signature: string): string | null {
  const v = Number.parseInt(signature.slice(130), 16);
  if (v !== 27 && v !== 28) return null;
  if (BigInt(`0x${signature.slice(66, 130)}`) > S_MAX) return null;
  try {
    const compact = hexToBytes(`0x${signature.slice(2, 130)}`);
    const key = recover(hexToBytes(digest), compact, v === 27 ? 0 : 1, false);
    return key === null ? null : `0x${keccak256(key.subarray(1)).slice(-40)}`;
  } catch {
    // r or s is zero or out of range.
    return null;
  }
}
