import { parseWallet, type WalletAddress } from '#domain/ids';
import type { PayerAccount } from '../state/ports.js';
import { payerOf, type WalletClientLike } from './paying-account.js';

/** A wallet that signs texts (EIP-191). */
export interface MessageSigner {
  readonly wallet: WalletAddress;
  signMessage(data: { readonly message: string }): Promise<string>;
}

/** Returns an account as one that signs texts; null if it signs payments alone. */
export function messageSignerOf(account: PayerAccount | WalletClientLike): MessageSigner | null {
  if (account.signMessage === undefined) return null;
  const wallet = parseWallet(payerOf(account).address)!;
  return { wallet, signMessage: (data) => account.signMessage!(data as never) };
}
