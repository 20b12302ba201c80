import type { TypedDataToSign } from '../terms/authorization.js';
import type { DamagedPurchase } from './damaged-purchase.js';
import type { Purchase } from './purchase.js';

/**
 * What the guardrails need from outside. Stable: adapters for files lie in node/, for a page in
 * memory.ts. Each rejects when it cannot do its work, and then nothing is signed.
 */

/** Whoever signs: a viem account, a viem wallet client, or `fromEip1193(provider)`. */
export interface PayerAccount {
  readonly address: string;
  signTypedData(data: TypedDataToSign): Promise<string>;
  /** By EIP-191: for a new token alone. */
  signMessage?(data: { readonly message: string }): Promise<string>;
}

/** Two budgets that never mix: cents for calls, and whole credit packs. */
export type Budget = 'cents' | 'packs';

/** What a purchase takes of a budget before it signs anything. */
export interface Claim {
  /** Lower case. All that share a payer share its budget. */
  readonly payer: string;
  readonly budget: Budget;
  readonly count: number;
  /** Most of the budget that may be claimed in any 24 hours. */
  readonly cap: number;
  /** A purchase claims once, however often it is resumed. */
  readonly purchaseId: string;
}

export type ClaimResult = { readonly kind: 'claimed' } | { readonly kind: 'over'; readonly spent: number };

/** What was spent. A claim is on disk when it resolves, and is never given back. */
export interface SpendLedger {
  claim(claim: Claim): Promise<ClaimResult>;
  /** Returns how much of a budget was claimed in the last 24 hours. */
  spent(payer: string, budget: Budget): Promise<number>;
}

/** Purchases that are under way. What it was told is on disk when it resolves. */
export interface PurchaseJournal {
  /** Returns the unfinished purchase of the same request; null if there is none. */
  find(payer: string, request: string): Promise<Purchase | null>;
  /**
   * Begins a purchase unless one of the same request is unfinished; returns the one that stands.
   */
  begin(purchase: Purchase): Promise<Purchase>;
  /** Puts a later state of an unfinished purchase in the place of the earlier one. */
  save(purchase: Purchase): Promise<void>;
  /** Ends a purchase: what is kept of it has no signature, no key and no token. */
  finish(purchase: Purchase, outcome: PurchaseOutcome): Promise<void>;
  /**
   * Takes an unfinished purchase out of the way of a new one of the same request; it stays in the
   * list.
   */
  setAside(purchase: Purchase): Promise<void>;
  list(payer: string): Promise<readonly Purchase[]>;
  /** Returns what cannot be read as a purchase and so is not in the list. */
  damaged?(payer: string): Promise<readonly DamagedPurchase[]>;
}

export type PurchaseOutcome = 'answered' | 'refused' | 'expired' | 'not_signed';

/** The payee of each origin, as it was when the origin was first paid. */
export interface PayeePins {
  /** Returns the pinned payee; pins the given one if there is none yet. */
  pin(payer: string, origin: string, payee: string): Promise<string>;
}

/** Answers that stay true until a known moment. */
export interface KeptAnswers {
  find(request: string, nowMs: number): Promise<string | null>;
  keep(request: string, body: string, untilMs: number): Promise<void>;
}

/** All that outlives a process. */
export interface ClientState {
  readonly ledger: SpendLedger;
  readonly journal: PurchaseJournal;
  readonly pins: PayeePins;
  readonly kept: KeptAnswers;
}
