import type { WalletAddress } from '../ids.js';

/**
 * Credits live this long from the moment they are given (docs/interface-paying.md, "Credit
 * resources").
 */
export const CREDIT_VALID_DAYS = 365;

/** The most credits one grant may give, so that sums stay far inside the safe integers. */
export const CREDITS_PER_GRANT_MAX = 1_000_000_000;

/** Where credits came from: paid for, redeemed with a promo code, or given by an operator. */
export const LOT_KINDS = ['purchase', 'promo', 'grant'] as const;
type LotKind = (typeof LOT_KINDS)[number];

/** Chooses lots: those that may be spent or taken. */
export type LotFilter = (lot: Lot) => boolean;

/** Chooses every lot. */
export const anyLot: LotFilter = () => true;

/** Credits that were given together and expire together. All counts are whole credits. */
export interface Lot {
  /** Number of the ledger entry that gave them; unique within the wallet. */
  readonly id: number;
  readonly kind: LotKind;
  readonly credits: number;
  /**
   * What is left, from 1 to `credits`: a lot with nothing left is dropped, the ledger remembers it.
   */
  readonly remaining: number;
  readonly grantedAtMs: number;
  /** The first moment at which they can no longer be spent. */
  readonly expiresAtMs: number;
  /** What they were given for: a promo code, an operator's note, a transaction. */
  readonly source: string;
}

/**
 * The credits of one wallet. Lots stand in the order in which they are spent: earliest expiry
 * first, then oldest.
 */
export interface Account {
  readonly wallet: WalletAddress;
  /** Number of the wallet's newest ledger entry; 0 before the first. */
  readonly lastEntry: number;
  readonly lots: readonly Lot[];
  /** Debits that are given back unless their answers went out, oldest first. */
  readonly unanswered: readonly UnansweredDebit[];
}

/**
 * A debit that nobody can repeat, written in the same moment as the debit itself: whoever finds it
 * and cannot know that its answer went out gives the credits back.
 */
export interface UnansweredDebit {
  /** Unique; it names the process that debited as well. */
  readonly id: string;
  /** The paid tool. */
  readonly operation: string;
  readonly requestId: string;
  readonly atMs: number;
  /** What was taken: `remaining` is what was taken of the lot. */
  readonly lots: readonly Lot[];
}

/** Why credits came or went. Stored: names stay. */
export const LEDGER_KINDS = ['grant', 'debit', 'expire', 'revoke', 'refund'] as const;
export type LedgerKind = (typeof LEDGER_KINDS)[number];

/** How many credits of which lot an entry moved. */
export interface LotShare {
  readonly lotId: number;
  readonly credits: number;
}

/**
 * One movement of a wallet's credits. Entries are only ever appended, numbered from 1 without gaps,
 * and grants - debits + refunds - expired - revoked = balance at every entry.
 */
export interface LedgerEntry {
  readonly wallet: WalletAddress;
  readonly number: number;
  readonly kind: LedgerKind;
  /** Always above zero; the kind gives the direction. */
  readonly credits: number;
  readonly balanceAfter: number;
  readonly atMs: number;
  /** The paid tool, or what was done ("redeem hmac:…", "expiry"). */
  readonly operation: string;
  /** The request that caused it; null for expiry and operators. */
  readonly requestId: string | null;
  readonly lots: readonly LotShare[];
}

/** Returns the account of a wallet that has never had credits. */
export function emptyAccount(wallet: WalletAddress): Account {
  return { wallet, lastEntry: 0, lots: [], unanswered: [] };
}

/**
 * Returns the credits that can be spent at this moment, of all lots or of those that `only`
 * chooses.
 */
export function balanceAt(account: Account, nowMs: number, only = anyLot): number {
  return sumRemaining(account.lots, (lot) => lot.expiresAtMs > nowMs && only(lot));
}

/** Returns when the next of these credits expire, or null if there are none to expire. */
export function firstExpiryMs(account: Account, nowMs: number, only = anyLot): number | null {
  return account.lots.find((lot) => lot.expiresAtMs > nowMs && only(lot))?.expiresAtMs ?? null;
}

/** Returns the sum of what is left in the lots, expired or not. */
export function sumRemaining(lots: readonly Lot[], only = anyLot): number {
  let sum = 0;
  for (const lot of lots) if (only(lot)) sum += lot.remaining;
  return sum;
}
