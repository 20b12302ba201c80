import type { WalletAddress } from './ids.js';

/** The last so many tokens of a wallet stay valid (interface, "Limits"); older ones lapse. */
export const TOKENS_PER_WALLET = 5;

/** Random bytes in a token's secret. */
export const SECRET_BYTES = 32;

/** What is kept of a token: never the secret, only its SHA-256 (64 lower-case hexadecimal digits). */
export interface TokenRecord {
  readonly secretHash: string;
  readonly issuedAtMs: number;
}

/** The valid tokens of one wallet, oldest first. */
export interface TokenSet {
  readonly wallet: WalletAddress;
  readonly tokens: readonly TokenRecord[];
}

// 32 bytes are 43 characters of base64url.
const TOKEN = /^tk_(0x[0-9a-f]{40})_([A-Za-z0-9_-]{43})$/;

/** Returns the bearer token in the form of the interface: `tk_<wallet>_<secret>`. */
export function formatToken(wallet: WalletAddress, secret: string): string {
  return `tk_${wallet}_${secret}`;
}

/** Returns the parts of a bearer token, or null where the text has not the form of one. */
export function parseToken(text: string): { readonly wallet: WalletAddress; readonly secret: string } | null {
  const match = TOKEN.exec(text);
  if (match?.[1] === undefined || match[2] === undefined) return null;
  return { wallet: match[1] as WalletAddress, secret: match[2] };
}

/** Returns the wallet's tokens with one more; the oldest lapse beyond the limit. */
export function addToken(wallet: WalletAddress, set: TokenSet | null, token: TokenRecord): TokenSet {
  return { wallet, tokens: [...(set?.tokens ?? []), token].slice(-TOKENS_PER_WALLET) };
}
