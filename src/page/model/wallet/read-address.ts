import { type GivenWallet, readWallet } from '#domain/inputs/wallet-text';

/** What was given as a wallet. */
export type GivenAddress = GivenWallet;

/** Reads an address as people give it: alone, or inside the URL of a profile. */
export function readAddress(text: string | null): GivenAddress {
  return readWallet(text ?? '');
}

/** Whether this is a wallet whose answers are documented examples, which are free. */
export function isExample(address: string): boolean {
  return /^0x0{39}[1-5]$/.test(address);
}
