import { shown } from '#client/text';

/** What was given as a wallet. */
export type GivenAddress =
  | { readonly kind: 'none' }
  /** Lower case. */
  | { readonly kind: 'address'; readonly address: string }
  /** What is the matter with it, and what to do. */
  | { readonly kind: 'bad'; readonly problem: string };

const DIGITS = 40;
/** Longest text that is looked at: the address of a profile is far shorter. */
const CHARS_MAX = 500;
const TAKE_IT = "Take the address from the address bar of the user's profile page: 0x and 40 hexadecimal digits.";

/** Reads an address as people give it: alone, or inside the URL of a profile. */
export function readAddress(text: string | null): GivenAddress {
  const given = (text ?? '').trim();
  if (given === '') return { kind: 'none' };
  if (given.length > CHARS_MAX) return bad('This is far longer than an address.');
  const found = [...new Set(given.match(/0x[0-9a-f]+(?![0-9a-z])/gi)?.map((one) => one.toLowerCase()) ?? [])];
  const [address, second] = found.filter((one) => one.length === DIGITS + 2);
  if (second !== undefined) return bad('There are two addresses in it: give one of them.');
  if (address !== undefined) return { kind: 'address', address };
  return bad(problemOf(given, found[0]));
}

/** Whether this is a wallet whose answers are documented examples, which are free. */
export function isExample(address: string): boolean {
  return /^0x0{39}[1-5]$/.test(address);
}

function problemOf(given: string, hex: string | undefined): string {
  const digits = hex === undefined ? 0 : hex.length - 2;
  if (digits === 64) return 'This is the hash of a transaction or a market, not the address of a wallet.';
  if (digits > 0) return `This has ${digits} digits after 0x, and an address has ${DIGITS}.`;
  if (/^[0-9a-f]{40}$/i.test(given)) return `This lacks the 0x of an address: 0x${given}.`;
  if (/\.eth$/i.test(given)) return 'Names are not looked up here, because their owner can point them elsewhere.';
  return `${shown(given).slice(0, 60)} is no address; user names are not accepted.`;
}

function bad(problem: string): GivenAddress {
  return { kind: 'bad', problem: `${problem} ${TAKE_IT}` };
}
