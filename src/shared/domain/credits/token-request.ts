import type { WalletAddress } from '../ids.js';

/** How old a signed request for a token may be, and how far ahead of our clock. */
export const TOKEN_REQUEST_AGE_MAX_MS = 600_000;
export const TOKEN_REQUEST_AHEAD_MAX_MS = 60_000;

/** What a wallet says when it asks for a token. */
export interface TokenRequest {
  /**
   * Host of the service, with its port if it has one: a message for another service is no good
   * here.
   */
  readonly domain: string;
  readonly wallet: WalletAddress;
  /** Chosen by the caller; good once. */
  readonly nonce: string;
  /** RFC 3339, as the caller wrote it. */
  readonly issuedAt: string;
}

/**
 * Returns the text that the wallet signs (EIP-191, `personal_sign`). Lines end with a line feed,
 * the last without.
 */
export function tokenRequestText({ domain, wallet, nonce, issuedAt }: TokenRequest): string {
  return [
    `${domain} issues a new token for the credits of this wallet. This costs nothing and moves no funds.`,
    '',
    `Wallet: ${wallet}`,
    `Nonce: ${nonce}`,
    `Issued At: ${issuedAt}`,
  ].join('\n');
}
