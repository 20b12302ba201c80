import type { WalletAddress } from '#domain/ids';
import type { PaymentDemand, SignedPayment } from '#domain/payment/payment';
import type { TransferPosition } from '#domain/payment/proof';
import type { UpstreamHealth } from './venue.js';

export type VerifyOutcome =
  | { readonly kind: 'valid' }
  /** The facilitator answered that this payment will not do; its reason is passed on. */
  | { readonly kind: 'invalid'; readonly reason: string }
  /** Nobody answered; verification is read-only, so another facilitator may be asked. */
  | { readonly kind: 'unavailable'; readonly reason: string };

/**
 * What an attempt to settle means. Only `rejected` and `not_sent` are certain to have moved nothing
 * by themselves.
 */
export type SettleOutcome =
  | { readonly kind: 'settled'; readonly transaction: string }
  /** A reason of the definitive list, with nothing broadcast. The chain still has the last word. */
  | { readonly kind: 'rejected'; readonly reason: string }
  /**
   * The facilitator was never reached (connection refused, DNS, TLS): another one may be tried at
   * once.
   */
  | { readonly kind: 'not_sent'; readonly reason: string }
  /** Anything else: pending, timeout, 5xx, garbage, reset. The transfer may have happened. */
  | { readonly kind: 'unknown'; readonly reason: string; readonly transaction: string | null };

/**
 * Who signed a payment, as far as it is known without I/O: the payer's own key, or else a contract
 * at its address, which anybody can claim.
 */
export type Signer = 'key' | 'contract';

/** One x402 facilitator. Its methods never reject. */
export interface Facilitator {
  readonly name: string;
  /** Whether it failed so often of late that another one is asked, if there is one. */
  isResting(signer: Signer): boolean;
  verify(payment: SignedPayment, demand: PaymentDemand, signer: Signer): Promise<VerifyOutcome>;
  settle(payment: SignedPayment, demand: PaymentDemand, signer: Signer): Promise<SettleOutcome>;
  health(): UpstreamHealth;
}

/** What the chain shows of an authorization. */
export type Resolution =
  /**
   * AuthorizationUsed(from, nonce) directly followed by Transfer(from, payTo, value), at or after
   * the block asked from.
   */
  | ({ readonly kind: 'paid' } & TransferPosition)
  | { readonly kind: 'unused'; readonly chainTimeS: number }
  /**
   * Never used, and by chain time it never can be, read deep enough that no reorganization changes
   * it.
   */
  | { readonly kind: 'expired' }
  | { readonly kind: 'cancelled' }
  /**
   * Used, but not to pay this payee this amount since that block: another use is listed, or it was
   * spent before. A use that is not listed is no proof.
   */
  | { readonly kind: 'consumed_elsewhere' }
  /**
   * The chain cannot be asked, lags behind, or its endpoints disagree. Never a reason to fail a
   * payment.
   */
  | { readonly kind: 'unknown'; readonly reason: string };

/**
 * Whether an address has code, as a smart wallet has; `unknown`: the chain cannot be asked about it
 * now.
 */
export type CodePresence = 'code' | 'no_code' | 'unknown';

/**
 * What a smart wallet itself says of a signature (EIP-1271); `unknown`: the chain cannot be asked
 * about it now.
 */
export type WalletWord = 'signed' | 'not_signed' | 'unknown';

/**
 * What the receipt of one transaction shows of a payment. Only `paid` is more than a look at the
 * moment.
 */
export type ReceiptReading =
  | ({ readonly kind: 'paid' } & TransferPosition)
  /** The transaction is in a block, and did not pay this: it failed, or is about something else. */
  | { readonly kind: 'other' }
  /** There is no such transaction, or it is in no block yet. */
  | { readonly kind: 'missing' }
  | { readonly kind: 'unknown'; readonly reason: string };

/** Base, read only. Its methods never reject. */
export interface ChainReader {
  /** The newest block, or null if the chain cannot be asked. */
  head(): Promise<{ readonly blockNumber: number; readonly timestampS: number } | null>;
  /**
   * The newest block, and whether the authorization is spent by it; null: the chain cannot be asked,
   * `isSpent` null: but for the block. One wait, as for `head`.
   */
  stateAtHead(
    payment: SignedPayment,
    demand: PaymentDemand,
  ): Promise<{ readonly blockNumber: number; readonly isSpent: boolean | null } | null>;
  /** Looks from `fromBlock` on. */
  resolve(payment: SignedPayment, demand: PaymentDemand, fromBlock: number): Promise<Resolution>;
  /**
   * Looks whether this transaction is the payment: AuthorizationUsed(from, nonce), once, directly
   * followed by Transfer(from, payTo, value) of the token.
   */
  receipt(transaction: string, payment: SignedPayment, demand: PaymentDemand): Promise<ReceiptReading>;
  /**
   * Whether an address has code: without it no signature is good but that of the address's own key.
   * Answers are kept for a while.
   */
  hasCode(address: WalletAddress): Promise<CodePresence>;
  /** Whether the contract at the payer's address takes the signature for its own, as the token will ask. */
  isSignedByWallet(payment: SignedPayment): Promise<WalletWord>;
  /** Whether the payer holds what the payment is over; false also where the chain cannot be asked. */
  holds(payment: SignedPayment): Promise<boolean>;
  /**
   * Transfers of a token to an address in the last hour, the oldest first, each by its own log; null:
   * the chain cannot be asked.
   */
  transfersTo(payTo: WalletAddress, asset: WalletAddress): Promise<readonly TransferPosition[] | null>;
  health(): UpstreamHealth;
}

/**
 * A first look at a signature, before any I/O. `mismatch` is not yet a refusal: a smart wallet's
 * signature is not its address's. `malformed` is one: no wallet could have made it, or it is an
 * ERC-6492 one with no signature inside.
 */
export interface SignatureCheck {
  check(payment: SignedPayment): 'matches' | 'mismatch' | 'malformed';
}
