import { hash as oneShotHash, timingSafeEqual } from 'node:crypto';
import {
  type Bearer,
  formatToken,
  parseToken,
  SECRET_BYTES,
  TOKENS_PER_WALLET,
  type TokenRecord,
  type TokenSet,
} from '#domain/credits/token';

/**
 * Stands in for the tokens that a wallet does not have, so that each check costs the same. Nothing
 * hashes to it.
 */
const NO_TOKEN = '0'.repeat(64);

/** Where two hashes are compared, as hexadecimal digits; used by one check from its beginning to its end. */
const given = Buffer.alloc(64);
const kept = Buffer.alloc(64);

/** A new bearer token. */
export interface MintedToken {
  /** Shown once and not kept. */
  readonly token: string;
  /** What is stored. */
  readonly record: TokenRecord;
}

/**
 * Makes a bearer token out of 32 random bytes. Pure: bytes that are drawn before a transaction make
 * the same token however often the transaction runs. Throws a RangeError where the bytes are not
 * 32.
 */
export function mintToken(
  secretBytes: Uint8Array,
  { wallet, scope, code, nowMs }: Bearer & { readonly nowMs: number },
): MintedToken {
  if (secretBytes.length !== SECRET_BYTES) throw new RangeError(`a token's secret has ${SECRET_BYTES} bytes`);
  const secret = Buffer.from(secretBytes).toString('base64url');
  const record = { secretHash: hash(secret).toString('hex'), issuedAtMs: nowMs, scope, code };
  return { token: formatToken(wallet, secret), record };
}

/**
 * Returns the record of a valid token's secret, or null. Always hashes once and compares as many
 * times as a wallet can have tokens, each in constant time, so that the duration reveals nothing of
 * secret or wallet.
 */
export function findToken(set: TokenSet | null, secret: string): TokenRecord | null {
  given.write(oneShotHash('sha256', secret, 'hex'), 'latin1');
  let found: TokenRecord | null = null;
  for (let i = 0; i < TOKENS_PER_WALLET; i++) {
    const record = set?.tokens[i];
    const digits = record?.secretHash ?? NO_TOKEN;
    kept.write(digits, 'latin1');
    if (timingSafeEqual(kept, given) && digits.length === kept.length) found = record ?? null;
  }
  return found;
}

/**
 * Returns the valid tokens that are left once this one is taken away, or null if it is not among
 * them.
 */
export function withoutToken(set: TokenSet | null, token: string): TokenSet | null {
  const secret = parseToken(token)?.secret;
  const found = secret === undefined ? null : findToken(set, secret);
  if (set === null || found === null) return null;
  return { ...set, tokens: set.tokens.filter((record) => record !== found) };
}

function hash(secret: string): Buffer {
  return oneShotHash('sha256', secret, 'buffer');
}
