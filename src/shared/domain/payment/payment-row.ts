import type { PaymentDemand, PaymentKey, SignedPayment } from './payment.js';
import type { SettlementProof } from './proof.js';

/**
 * What the row of a payment says. CLAIMED: a process is at work on it, and nothing was sent. Before
 * SETTLING nothing is owed.
 */
export const PAYMENT_STATES = ['SETTLING', 'SETTLED', 'FAILED', 'CLAIMED'] as const;
type PaymentState = (typeof PAYMENT_STATES)[number];

/**
 * Who decides about a payment: one life of a process, and how often the payment has had an owner. A
 * process that was taken for dead finds a later epoch in the row, and leaves the payment alone.
 */
export interface PaymentOwner {
  /** Names one life of a process; null: the row is from before payments had owners. */
  readonly owner: string | null;
  /** From 1. From 2 on an earlier owner may have sent something whose outcome nobody knows. */
  readonly epoch: number;
}

/** What can be bought: a call of a paid tool, by its name, or the credit pack. */
export type PaidOperation = string;

/**
 * The row of one authorization (docs/payments.md, "Two durable steps"). It is on disk before
 * anything is sent to a facilitator and holds all that is needed to finish the payment after a
 * crash, with no client and no memory.
 */
export interface PaymentRow extends PaymentOwner {
  readonly key: PaymentKey;
  readonly state: PaymentState;
  /** Names the request that is paid for; another request with the same authorization is refused. */
  readonly fingerprint: string;
  readonly operation: PaidOperation;
  readonly requestId: string;
  readonly payment: SignedPayment;
  readonly demand: PaymentDemand;
  /**
   * The frozen answer: JSON text of an object without `paid`. "" for the credit pack, whose answer
   * is made when it is settled, and once no repeat gets it any more.
   */
  readonly answer: string;
  /** Base block from which on the transfer is looked for. */
  readonly intentBlock: number;
  /**
   * What the buyer alone knows: the SHA-256 of each secret, with blanks between them; of one alone
   * in earlier rows. Absent: the payment came without anything of the kind.
   */
  readonly buyerSecret?: string;
  /**
   * The exact body that was or will be sent, once SETTLED, and null again once no repeat gets it
   * any more. That of a credit pack has no token: its place is marked.
   */
  readonly body: string | null;
  readonly transaction: string | null;
  readonly failReason: string | null;
  /**
   * Whether somebody has to be at work on it: while CLAIMED and SETTLING, and after an early FAILED
   * until the authorization is dead.
   */
  readonly open: boolean;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  /**
   * What the chain says of a settled payment; null before it is settled, and in rows that were
   * settled before receipts were looked at: those are not looked at any more.
   */
  readonly proof: SettlementProof | null;
  /** Whether the payer's own key signed: anybody can write another's address into a payment. */
  readonly isSignedByKey: boolean;
  /**
   * true: no client waits at its owner, which therefore only watches the chain; a process with a
   * client may take it over. Absent: its owner is at work on it.
   */
  readonly isUnattended?: boolean;
  /** When an operator gave its price back in credits, which can be done once. */
  readonly refundedAtMs?: number;
}

/** Whether somebody is at work on a payment, as the row and the lease of its owner say. */
export function isAttended({ isUnattended }: Pick<PaymentRow, 'isUnattended'>, isOwnerAlive: boolean): boolean {
  return isOwnerAlive && isUnattended !== true;
}

/**
 * Returns when a payment was settled whose answer may be removed some time later; null: there is
 * nothing to remove, or what is not settled for good needs it.
 */
export function answeredAtMs({ state, open, body, updatedAtMs }: PaymentRow): number | null {
  return state === 'SETTLED' && !open && body !== null ? updatedAtMs : null;
}
