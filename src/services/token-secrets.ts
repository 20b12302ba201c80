import { createHash, timingSafeEqual } from 'node:crypto';
import type { WalletAddress } from '#domain/ids';
import {
  formatToken,
  parseToken,
  SECRET_BYTES,
  TOKENS_PER_WALLET,
  type TokenRecord,
  type TokenSet,
} from '#domain/token';
import type { Random } from '#ports/random';

/** Stands in for the tokens that a wallet does not have, so that each check costs the same. Nothing hashes to it. */
const NO_TOKEN = new Uint8Array(32);

/** Makes a new bearer token. `token` is shown once and not kept; `record` is what is stored. */
export function mintToken(
  random: Random,
  wallet: WalletAddress,
  nowMs: number,
): { readonly token: string; readonly record: TokenRecord } {
  const secret = Buffer.from(random.bytes(SECRET_BYTES)).toString('base64url');
  const record = { secretHash: hash(secret).toString('hex'), issuedAtMs: nowMs };
  return { token: formatToken(wallet, secret), record };
}

/**
 * Returns the record of a valid token's secret, or null. Always hashes once and compares as many times as a wallet
 * can have tokens, each in constant time, so that the duration tells nothing of secret or wallet.
 */
export function findToken(set: TokenSet | null, secret: string): TokenRecord | null {
  const given = new Uint8Array(hash(secret));
  let found: TokenRecord | null = null;
  for (let i = 0; i < TOKENS_PER_WALLET; i++) {
    const record = set?.tokens[i];
    const kept = record === undefined ? NO_TOKEN : new Uint8Array(Buffer.from(record.secretHash, 'hex'));
    if (kept.length === given.length && timingSafeEqual(kept, given)) found = record ?? null;
  }
  return found;
}

/** Returns the valid tokens that are left once this one is taken away, or null where it is not among them. */
export function withoutToken(set: TokenSet | null, token: string): TokenSet | null {
  const secret = parseToken(token)?.secret;
  const found = secret === undefined ? null : findToken(set, secret);
  if (set === null || found === null) return null;
  return { ...set, tokens: set.tokens.filter((record) => record !== found) };
}

function hash(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
