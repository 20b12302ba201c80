import type { Promo, Redemption } from '#domain/credits/promo';
import type { TokenSet } from '#domain/credits/token';
import type { WalletAddress } from '#domain/ids';
import type { Cursor } from '#ports/store';
import { type AccountRow, decodeAccount, decodePromo, decodeRedemption, decodeTokens } from '../../rows/credit-rows.js';
import { CachedRows, page, type Rows, rangeOf, readRaw } from '../raw.js';
import { accountKey, PROMOS, promoKey, redemptionKey, redemptionsOf, tokensKey } from './keys.js';

// Each reader works inside a write transaction as well: there it sees what has been written so far.

/**
 * Returns a wallet's account and where its ledger ends, or null. Throws the OutsideError that names
 * a malformed row.
 */
export function readAccount(db: Rows, wallet: WalletAddress): AccountRow | null {
  const key = accountKey(wallet);
  const raw = readRaw(db, key);
  return raw === undefined ? null : decodeAccount(key, raw, wallet);
}

/** Returns a wallet's valid tokens, or null. */
export function readTokens(db: Rows, wallet: WalletAddress): TokenSet | null {
  const key = tokensKey(wallet);
  const raw = readRaw(db, key);
  return raw === undefined ? null : decodeTokens(key, raw, wallet);
}

/** Wallets whose tokens are kept as they were last understood: a few hundred bytes each. */
const TOKENS_CACHED_MAX = 10_000;

/** Returns `readTokens` for a question that comes with every call. Not for transactions. */
export function cachedTokens(db: Rows): (wallet: WalletAddress) => TokenSet | null {
  const cached = new CachedRows<TokenSet>(db, TOKENS_CACHED_MAX);
  return (wallet) => cached.read(tokensKey(wallet), (key, raw) => decodeTokens(key, raw, wallet));
}

/** Returns a promo code by its name, or null. */
export function readPromo(db: Rows, code: string): Promo | null {
  const key = promoKey(code);
  const raw = readRaw(db, key);
  return raw === undefined ? null : decodePromo(key, raw, code);
}

/** Returns the fact that this wallet redeemed this code, or null. */
export function readRedemption(db: Rows, code: string, wallet: WalletAddress): Redemption | null {
  const key = redemptionKey(code, wallet);
  const raw = readRaw(db, key);
  return raw === undefined ? null : decodeRedemption(key, raw, code, wallet);
}

/** Returns all promo codes, by code. */
export function readPromos(db: Rows): readonly Promo[] {
  const promos: Promo[] = [];
  for (const key of db.getKeys(rangeOf(PROMOS))) {
    const promo = readPromo(db, key.slice(PROMOS.length));
    if (promo !== null) promos.push(promo);
  }
  return promos;
}

/** Returns a page of the wallets that redeemed a code. */
export function readRedemptions(
  db: Rows,
  code: string,
  from: Cursor,
  limit: number,
): { readonly items: readonly Redemption[]; readonly next: Cursor } {
  const prefix = redemptionsOf(code);
  const { keys, next } = page(db, prefix, from, limit);
  const items: Redemption[] = [];
  for (const key of keys) {
    const redemption = readRedemption(db, code, key.slice(prefix.length) as WalletAddress);
    if (redemption !== null) items.push(redemption);
  }
  return { items, next };
}
