import { parseWallet, type WalletAddress } from '#domain/ids';

/** Returns the n-th wallet of a test. */
export function walletNumber(n: number): WalletAddress {
  return parseWallet(`0x${n.toString(16).padStart(40, '0')}`) as WalletAddress;
}
