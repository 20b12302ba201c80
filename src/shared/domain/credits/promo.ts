import type { WalletAddress } from '../ids.js';

/** A promotional code: free credits for the first so many wallets, until it expires. */
export interface Promo {
  /**
   * What rows name it by: a keyed hash of the code in its one spelling (upper case); of older codes
   * the code itself.
   */
  readonly code: string;
  /**
   * The code so that the operator can read it, with the store's key alone. Absent: `code` is it.
   */
  readonly sealed?: string;
  /** What each wallet gets. */
  readonly credits: number;
  readonly walletsMax: number;
  /** How many wallets have redeemed it. */
  readonly redeemed: number;
  readonly createdAtMs: number;
  /** The first moment at which it can no longer be redeemed. The credits it gave live on. */
  readonly expiresAtMs: number;
  /** When an operator took it back, or null. */
  readonly revokedAtMs: number | null;
}

/** The fact that a wallet has redeemed a code; there is at most one per wallet and code. */
export interface Redemption {
  /** As its promo is named. */
  readonly code: string;
  readonly wallet: WalletAddress;
  readonly atMs: number;
}

/** Bounds of what an operator may set. */
export const PROMO_WALLETS_MAX = 1_000_000;
export const VALID_DAYS_MAX = 3_650;

const CODE = /^[A-Z0-9_-]{3,64}$/;

/**
 * Returns the code in its one spelling (trimmed, upper case), or null if the text cannot be a code.
 */
export function parsePromoCode(text: string): string | null {
  const code = text.trim().toUpperCase();
  return CODE.test(code) ? code : null;
}

export type RedemptionDecision =
  | { readonly kind: 'ok'; readonly promo: Promo }
  | { readonly kind: 'unknown_code' | 'already_redeemed' | 'expired' | 'exhausted' };

export type PromoState = 'active' | 'revoked' | 'expired' | 'exhausted';

/** Returns whether a code can still be redeemed by anybody, or why it cannot. */
export function promoState(promo: Promo, nowMs: number): PromoState {
  if (promo.revokedAtMs !== null) return 'revoked';
  if (promo.expiresAtMs <= nowMs) return 'expired';
  return promo.redeemed < promo.walletsMax ? 'active' : 'exhausted';
}

/**
 * Whether a wallet may redeem a code. That the wallet has had it already is reported first: it
 * stays true for that wallet after the code has run out. A revoked code counts as expired.
 */
export function decideRedemption(
  promo: Promo | null,
  redemption: Redemption | null,
  nowMs: number,
): RedemptionDecision {
  if (promo === null) return { kind: 'unknown_code' };
  if (redemption !== null) return { kind: 'already_redeemed' };
  const state = promoState(promo, nowMs);
  if (state === 'active') return { kind: 'ok', promo };
  return { kind: state === 'revoked' ? 'expired' : state };
}
