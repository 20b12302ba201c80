import { parseWallet } from '#domain/ids';
import type { Payer } from '../purchase/context.js';
import type { PayerAccount } from '../state/ports.js';

/** A viem wallet client has its address inside its account. */
export interface WalletClientLike {
  readonly account?: { readonly address: string } | undefined;
  signTypedData(data: never): Promise<string>;
  signMessage?(data: never): Promise<string>;
}

/** Returns an account as the one that pays. Throws a TypeError if it has no EVM address. */
export function payerOf(account: PayerAccount | WalletClientLike): Payer {
  const given = 'address' in account ? account.address : account.account?.address;
  const address = parseWallet(given ?? '');
  if (address === null) throw new TypeError('the account has no EVM address');
  return { address, signTypedData: (data) => account.signTypedData(data as never) };
}
