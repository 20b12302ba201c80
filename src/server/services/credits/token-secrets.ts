import { hash as oneShotHash } from 'node:crypto';
import {
  type Bearer,
  formatToken,
  parseToken,
  SECRET_BYTES,
  TOKENS_PER_WALLET,
  type TokenRecord,
  type TokenSet,
} from '#domain/credits/token';
import type { WalletAddress } from '#domain/ids';

/**
 * Stands in for the tokens that a wallet does not have, so that each check costs the same. Nothing
 * hashes to it.
 */
const NO_TOKEN = '0'.repeat(64);

/** 64 hexadecimal digits, four in a word. */
const HASH_WORDS = 16;

/**
 * The hashes of all tokens that a wallet can have, one behind the other, as long as its tokens are
 * kept.
 */
const hashesOfSets = new WeakMap<TokenSet, Uint32Array>();
const NO_HASHES = hashesOf(null);

/**
 * What a bearer token says: whose it is, and the SHA-256 of its secret in the form in which it is
 * looked for.
 */
export interface PresentedToken {
  readonly wallet: WalletAddress;
  readonly secretHash: Uint32Array;
}

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

/** Returns what a token says, or null if the text has not the form of one. */
export function presentToken(text: string): PresentedToken | null {
  const parts = parseToken(text);
  if (parts === null) return null;
  const secretHash = new Uint32Array(HASH_WORDS);
  Buffer.from(secretHash.buffer).write(oneShotHash('sha256', parts.secret, 'hex'), 'latin1');
  return { wallet: parts.wallet, secretHash };
}

/**
 * Returns the record of a valid token's secret, or null. Always compares as many times as a wallet
 * can have tokens, each in constant time, so that the duration reveals nothing of secret or wallet.
 */
export function findToken(set: TokenSet | null, secretHash: Uint32Array): TokenRecord | null {
  const hashes = set === null ? NO_HASHES : cachedHashesOf(set);
  let found: TokenRecord | null = null;
  for (let i = 0; i < TOKENS_PER_WALLET; i++) {
    if (differenceAt(hashes, i * HASH_WORDS, secretHash) === 0) found = set?.tokens[i] ?? null;
  }
  return found;
}

/**
 * 0: they are the same. Always looks at every word, which a call out of JavaScript for each hash
 * does slower.
 */
function differenceAt(hashes: Uint32Array, from: number, secretHash: Uint32Array): number {
  let difference = 0;
  for (let i = 0; i < HASH_WORDS; i++) difference |= hashes[from + i]! ^ secretHash[i]!;
  return difference;
}

function cachedHashesOf(set: TokenSet): Uint32Array {
  const cached = hashesOfSets.get(set);
  if (cached !== undefined) return cached;
  const hashes = hashesOf(set);
  hashesOfSets.set(set, hashes);
  return hashes;
}

function hashesOf(set: TokenSet | null): Uint32Array {
  const hashes = new Uint32Array(TOKENS_PER_WALLET * HASH_WORDS);
  const bytes = Buffer.from(hashes.buffer);
  for (let i = 0; i < TOKENS_PER_WALLET; i++) {
    const digits = set?.tokens[i]?.secretHash ?? NO_TOKEN;
    bytes.write(digits.length === NO_TOKEN.length ? digits : NO_TOKEN, i * NO_TOKEN.length, 'latin1');
  }
  return hashes;
}

/**
 * Returns the valid tokens that are left once this one is taken away, or null if it is not among
 * them.
 */
export function withoutToken(set: TokenSet | null, token: string): TokenSet | null {
  const presented = presentToken(token);
  const found = presented === null ? null : findToken(set, presented.secretHash);
  if (set === null || found === null) return null;
  return { ...set, tokens: set.tokens.filter((record) => record !== found) };
}

function hash(secret: string): Buffer {
  return oneShotHash('sha256', secret, 'buffer');
}
