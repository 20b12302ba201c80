import type { PaymentKey } from '#domain/payment/payment';
import type { SettlementEvidence, TransferPosition } from '#domain/payment/proof';
import type { Step, StepFailed } from './step.js';

/** Paid and durable. */
export interface PaymentAnswered {
  readonly kind: 'answered';
  /** The exact body; null: it is repeated to nobody any more, and is not kept. */
  readonly body: string | null;
  readonly transaction: string;
  /** Whether it was settled before this request came. */
  readonly replayed: boolean;
  /**
   * Whether the request that is answered began the payment; absent for copies that joined it and
   * for repeats, which anybody can send who saw the authorization.
   */
  readonly began?: true;
  /**
   * The payment that bought it, where the payer signed another one under the same name of the
   * purchase, which then pays nothing.
   */
  readonly boughtBy?: PaymentKey;
  /**
   * What the buyer alone knows, as it is kept; null: the payment came without anything of the kind.
   */
  readonly secret: string | null;
  readonly settledAtMs: number;
}

/** What a buyer calls one purchase, so that it is paid for once whatever it is signed with. */
export interface PurchaseName {
  /** The Idempotency-Key of the request, or the v2 extension `payment-identifier`. */
  readonly kind: 'idempotency_key' | 'payment_identifier';
  readonly name: string;
}

/** It is certain that this authorization did not and will not pay for this request. */
export interface PaymentRefused {
  readonly kind: 'refused';
  readonly reason: string;
}

/**
 * How a payment ended, for those who wait for it. Nothing was sent to settle where it was declined
 * or unavailable.
 */
export type PaymentEnd =
  | PaymentAnswered
  | PaymentRefused
  /** Another request was made under this name of the purchase. Nothing was sent for this one. */
  | { readonly kind: 'conflict'; readonly by: PurchaseName['kind'] }
  /** The answer is not to be had; `cause` is what computing it was rejected with. */
  | { readonly kind: 'declined'; readonly cause: unknown }
  /** The payment could not be looked at. */
  | { readonly kind: 'unavailable'; readonly reason: string }
  /**
   * What becomes of it is not known here: another process owns it, or whether this one does is not
   * certain.
   */
  | { readonly kind: 'left' };

/**
 * What happened to a payment, as past facts. All but the first two are what the machine's steps
 * came to.
 */
export type PaymentEvent =
  /** A client waits for the outcome (again): attempts to settle are allowed. */
  | { readonly type: 'client.waiting' }
  /**
   * No client waits any more: from here on the chain is only asked, so that no client is charged
   * for an answer that it does not wait for.
   */
  | { readonly type: 'clients.gone' }
  /** It is ours, and nothing was sent yet. `epoch` counts its owners. */
  | { readonly type: 'payment.claimed'; readonly epoch: number }
  /** It is ours, and an earlier owner has recorded the intent: something may have been sent. */
  | { readonly type: 'payment.taken'; readonly epoch: number }
  /** Another process is at work on it, or another authorization was signed for its purchase. */
  | { readonly type: 'payment.busy' }
  /** The name of its purchase is that of another request. */
  | { readonly type: 'purchase.conflict'; readonly by: PurchaseName['kind'] }
  /** It was ours, and another process has taken it over. */
  | { readonly type: 'payment.lost' }
  /** The process that was at work on it has given it up, or died. */
  | { readonly type: 'owner.gone' }
  /** It is nobody's: nothing was sent for it. `end`: because of what. */
  | { readonly type: 'claim.released'; readonly end: PaymentEnd }
  /**
   * Verified, and the answer is made: JSON text of an object without `paid`, or nothing for a
   * credit pack.
   */
  | { readonly type: 'payment.prepared'; readonly answer: string }
  | { readonly type: 'payment.refused'; readonly reason: string }
  /** A facilitator or the chain could not be asked. */
  | { readonly type: 'payment.unavailable'; readonly reason: string }
  | { readonly type: 'answer.declined'; readonly cause: unknown }
  | { readonly type: 'intent.recorded' }
  /** A facilitator reported success, which is its word and no proof. */
  | { readonly type: 'attempt.settled'; readonly transaction: string; readonly facilitator: string }
  /** A facilitator's definitive no, to this attempt and not to earlier ones. */
  | { readonly type: 'attempt.rejected'; readonly reason: string }
  /** The facilitator was never reached. */
  | { readonly type: 'attempt.not_sent'; readonly reason: string }
  | {
      readonly type: 'attempt.unknown';
      readonly reason: string;
      readonly transaction: string | null;
      /** The facilitator reports that it is at it: the next attempt goes to the same one. */
      readonly isPending: boolean;
    }
  | ({ readonly type: 'chain.paid' } & TransferPosition)
  | { readonly type: 'chain.unused'; readonly chainTimeS: number }
  /** Proof that this authorization did not and cannot pay us. */
  | { readonly type: 'chain.never'; readonly reason: string }
  | { readonly type: 'chain.unknown'; readonly reason: string }
  /** The chain shows the transfer, as deep as this payment needs it. */
  | ({ readonly type: 'proof.seen' } & TransferPosition)
  /** What was reported as the settlement is none. The authorization may still be unused. */
  | { readonly type: 'proof.refuted'; readonly reason: string }
  /** The chain does not show it yet, or cannot be asked. */
  | { readonly type: 'proof.unknown'; readonly reason: string }
  /** Too much is unproven already: this payment is settled when the chain shows it. */
  | { readonly type: 'proof.required' }
  /** The transfer that the chain shows is where another payment is noted: that one has moved. */
  | { readonly type: 'transfer.taken' }
  | { readonly type: 'pause.ended' }
  /** The row is SETTLED, which also wins over a failure that was to be recorded. */
  | { readonly type: 'settlement.recorded'; readonly answered: PaymentAnswered }
  /** The row is FAILED; `reason` is the first one. */
  | { readonly type: 'failure.recorded'; readonly reason: string }
  | StepFailed;

/** Names the payment that a step is for. */
interface OfPayment {
  readonly key: PaymentKey;
}

/** Names it for a step that its owner alone may take. */
interface OfOwner extends OfPayment {
  readonly epoch: number;
}

/** What each step has to know, by its name. */
export interface PaymentStepInputs {
  readonly claim: OfPayment;
  readonly awaitOwner: OfPayment;
  readonly release: OfOwner & { readonly end: PaymentEnd };
  readonly prepare: OfPayment;
  readonly recordIntent: OfOwner & { readonly answer: string };
  /** `facilitator` counts from 0 without end. */
  readonly settle: OfOwner & { readonly facilitator: number };
  readonly resolve: OfPayment;
  readonly pause: OfOwner & { readonly attempts: number; readonly clientWaiting: boolean };
  /** `facilitator` is whose word is looked into; null: nobody's, the chain showed the payment. */
  readonly prove: OfPayment & { readonly transaction: string; readonly facilitator: string | null };
  readonly recordSettled: OfPayment & { readonly evidence: SettlementEvidence };
  /** `open`: a late transfer is still possible. */
  readonly recordFailed: OfOwner & { readonly reason: string; readonly open: boolean };
}

type PaymentStep<Name extends keyof PaymentStepInputs, Outcome extends PaymentEvent['type']> = Step<
  PaymentStepInputs[Name],
  Extract<PaymentEvent, { type: Outcome }>
>;

/** What the machine has done for it. Every step may run twice. */
export interface PaymentSteps {
  /** Makes this process its owner, if no other is. */
  readonly claim: PaymentStep<
    'claim',
    | 'payment.claimed'
    | 'payment.taken'
    | 'payment.busy'
    | 'purchase.conflict'
    | 'settlement.recorded'
    | 'failure.recorded'
    | 'payment.refused'
    | 'payment.unavailable'
  >;
  /** Waits for what the process makes of it that owns it. */
  readonly awaitOwner: PaymentStep<'awaitOwner', 'settlement.recorded' | 'failure.recorded' | 'owner.gone'>;
  /** Gives the claim up, with nothing sent. */
  readonly release: PaymentStep<'release', 'claim.released' | 'payment.lost'>;
  /** Verifies the payment and makes the answer. */
  readonly prepare: PaymentStep<
    'prepare',
    'payment.prepared' | 'payment.refused' | 'payment.unavailable' | 'answer.declined'
  >;
  /** Durable: the frozen answer and the intent to settle. */
  readonly recordIntent: PaymentStep<'recordIntent', 'intent.recorded' | 'payment.unavailable' | 'payment.lost'>;
  /** Sends the authorization to a facilitator. */
  readonly settle: PaymentStep<
    'settle',
    'attempt.settled' | 'attempt.rejected' | 'attempt.not_sent' | 'attempt.unknown' | 'payment.lost'
  >;
  /** Asks the chain. */
  readonly resolve: PaymentStep<'resolve', 'chain.paid' | 'chain.unused' | 'chain.never' | 'chain.unknown'>;
  /** Looks for the receipt of what was reported. */
  readonly prove: PaymentStep<'prove', 'proof.seen' | 'proof.refuted' | 'proof.unknown'>;
  /** Lets time pass before the chain is asked again. */
  readonly pause: PaymentStep<'pause', 'pause.ended'>;
  /** Durable: the transaction and the exact answer. */
  readonly recordSettled: PaymentStep<'recordSettled', 'settlement.recorded' | 'proof.required' | 'transfer.taken'>;
  /** Durable: the proof of failure. */
  readonly recordFailed: PaymentStep<'recordFailed', 'failure.recorded' | 'settlement.recorded' | 'payment.lost'>;
}

/**
 * Returns how a payment ends with an event that leads to a final state, or to the end of its claim.
 */
export function endWith(event: PaymentEvent): PaymentEnd {
  switch (event.type) {
    case 'settlement.recorded':
      return event.answered;
    case 'failure.recorded':
    case 'payment.refused':
      return { kind: 'refused', reason: event.reason };
    case 'purchase.conflict':
      return { kind: 'conflict', by: event.by };
    case 'claim.released':
      return event.end;
    case 'answer.declined':
      return { kind: 'declined', cause: event.cause };
    case 'payment.unavailable':
      return { kind: 'unavailable', reason: event.reason };
    default:
      return { kind: 'unavailable', reason: 'the store cannot be written' };
  }
}

/** XState hands on what a final state put out as `unknown`. */
export function isEnd(output: unknown): output is PaymentEnd {
  return typeof output === 'object' && output !== null && 'kind' in output;
}
