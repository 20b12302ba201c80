import { getAddress } from 'viem/utils';
import type { WalletAddress } from '#domain/ids';

/** Returns an address in the spelling that is shown: with the checksum of EIP-55. */
export function toChecksum(address: WalletAddress): string {
  return getAddress(address);
}
