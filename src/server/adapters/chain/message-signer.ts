import { hashMessage, hexToBytes } from 'viem/utils';
import { parseWallet } from '#domain/ids';
import type { MessageSigner } from '#ports/message-signer';
import { signerOf } from './recover-signer.js';

/** Some wallets count v from 0. */
const V_FROM_ZERO = /^(0x[0-9a-f]{128})0([01])$/;
const KEY_SIGNATURE = /^0x[0-9a-f]{130}$/;

/**
 * Texts that wallets sign with their key (EIP-191). What a contract signs for itself is not looked
 * at.
 */
export const messageSigner: MessageSigner = {
  signerOf(text, given) {
    const signature = given
      .toLowerCase()
      .replace(V_FROM_ZERO, (_, rest: string, v: string) => `${rest}${v === '0' ? '1b' : '1c'}`);
    if (!KEY_SIGNATURE.test(signature)) return null;
    const signer = signerOf(hexToBytes(hashMessage(text)), signature);
    return signer === null ? null : parseWallet(signer);
  },
};
