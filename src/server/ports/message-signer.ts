import type { WalletAddress } from '#domain/ids';

/** Finds out whose key signed a text. */
export interface MessageSigner {
  /**
   * Returns the address of the key that signed the text by EIP-191; null if no key can have made
   * the signature.
   */
  signerOf(text: string, signature: string): WalletAddress | null;
}
