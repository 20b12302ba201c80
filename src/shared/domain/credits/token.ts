import type { WalletAddress } from '../ids.js';
import { anyLot, type Lot, type LotFilter } from './credits.js';

/**
 * How far a token reaches. A promo code is redeemed without a signature, so anyone can have a token
 * for anyone's wallet: such a `promo` token spends and sees the credits of its own redemption and
 * no others. A `purchase` token came from the wallet's own payment or from the operator; it spends
 * and sees all credits of the wallet.
 */
export const TOKEN_SCOPES = ['purchase', 'promo'] as const;
type TokenScope = (typeof TOKEN_SCOPES)[number];

/**
 * The last so many tokens of a wallet stay valid (docs/interface-paying.md, "Tokens"); older ones
 * lapse. Counted for each scope by itself, so that redeeming codes for a wallet cannot push out the
 * tokens that it paid for.
 */
export const TOKENS_PER_SCOPE = 5;
/** The most tokens that one wallet can have. */
export const TOKENS_PER_WALLET = TOKENS_PER_SCOPE * TOKEN_SCOPES.length;

/** Random bytes in a token's secret. */
export const SECRET_BYTES = 32;

/**
 * What is kept of a token: never the secret, only its SHA-256 (64 lower-case hexadecimal digits).
 */
export interface TokenRecord {
  readonly secretHash: string;
  readonly issuedAtMs: number;
  readonly scope: TokenScope;
  /**
   * The code whose redemption a promo token came from, as its promo is named; null for a purchase
   * token.
   */
  readonly code: string | null;
}

/** Who calls with a valid token, and how far the token reaches. */
export interface Bearer {
  readonly wallet: WalletAddress;
  readonly scope: TokenScope;
  /** The code whose credits a promo token spends; null for a purchase token. */
  readonly code: string | null;
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

/** Returns the parts of a bearer token, or null if the text has not the form of one. */
export function parseToken(text: string): { readonly wallet: WalletAddress; readonly secret: string } | null {
  const match = TOKEN.exec(text);
  if (match?.[1] === undefined || match[2] === undefined) return null;
  return { wallet: match[1] as WalletAddress, secret: match[2] };
}

/**
 * Returns which lots a token may spend: a wallet redeems a code once, so the code names one lot.
 */
export function spendableBy({ scope, code }: Pick<Bearer, 'scope' | 'code'>): LotFilter {
  return scope === 'purchase' ? anyLot : (lot: Lot) => lot.kind === 'promo' && lot.source === code;
}

/**
 * Returns the wallet's tokens with one more; the oldest of the same scope lapse beyond the limit.
 */
export function addToken(wallet: WalletAddress, set: TokenSet | null, token: TokenRecord): TokenSet {
  const tokens = [...(set?.tokens ?? []), token];
  const lapsed = tokens.filter(({ scope }) => scope === token.scope).slice(0, -TOKENS_PER_SCOPE);
  return { wallet, tokens: tokens.filter((one) => !lapsed.includes(one)) };
}
