import { isLongToken, parseWallet, type WalletAddress } from '../ids.js';

/** What was given as a wallet. */
export type GivenWallet =
  | { readonly kind: 'none' }
  | { readonly kind: 'address'; readonly address: WalletAddress }
  /** What it is instead, and what to do. */
  | { readonly kind: 'bad'; readonly problem: string };

const DIGITS = 40;
/** Longest text that is looked at: the address of a profile is far shorter. */
const CHARS_MAX = 500;
const TAKE_IT = "Take the address from the address bar of the user's profile page: 0x and 40 hexadecimal digits.";

/**
 * Reads a wallet as people give it: an address in any case, alone or inside the URL of a profile.
 * What is something else is named.
 */
export function readWallet(text: string): GivenWallet {
  const given = text.trim();
  if (given === '') return { kind: 'none' };
  if (given.length > CHARS_MAX) return bad('This is far longer than an address.');
  const found = [...new Set(given.match(/0x[0-9a-f]+(?![0-9a-z])/gi)?.map((one) => one.toLowerCase()) ?? [])];
  const [address, second] = found.filter((one) => one.length === DIGITS + 2);
  if (second !== undefined) return bad('There are two addresses in it: give one of them.');
  const parsed = address === undefined ? null : parseWallet(address);
  return parsed === null ? bad(problemOf(given, found[0])) : { kind: 'address', address: parsed };
}

function problemOf(given: string, hex: string | undefined): string {
  const digits = hex === undefined ? 0 : hex.length - 2;
  if (digits === 64) return 'This is the hash of a transaction or a market, not the address of a wallet.';
  if (digits > 0) return `This has ${digits} digits after 0x, and an address has ${DIGITS}.`;
  if (/^[0-9a-f]{40}$/i.test(given)) return `This lacks the 0x of an address: 0x${given}.`;
  if (/\.eth$/i.test(given)) return 'Names are not looked up here, because their owner can point them elsewhere.';
  if (isLongToken(given)) return 'This is the token id of an outcome, not the address of a wallet.';
  return 'This is no address; user names are not accepted.';
}

function bad(problem: string): GivenWallet {
  return { kind: 'bad', problem: `${problem} ${TAKE_IT}` };
}
