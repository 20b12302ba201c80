import type { PaymentDemand } from '#domain/payment/payment';
import type { PaidOperation } from '#domain/payment/payment-row';
import type { PaymentEnd, PurchaseName } from '#machines/payment-events';
import type { Log } from '#ports/log';
import type { Meter } from '#ports/meter';
import type { ChainReader, Facilitator, SignatureCheck } from '#ports/settlement';
import type { Store } from '#ports/store';
import type { Clock } from '#system/clock';
import type { Random } from '#system/random';
import type { Timers } from '#system/timers';
import type { PackTokens } from './pack-token.js';
import type { RefusedPayments } from './refused-payments.js';

interface PaidRequest {
  readonly requestId: string;
  /** Network address of who sent it. */
  readonly caller: string;
  /** Names the request: the same authorization pays for this one and no other. */
  readonly fingerprint: string;
  readonly demand: PaymentDemand;
  /**
   * What the buyer alone knows (the SHA-256 of each secret, with blanks between them), so that a
   * repeat can prove whose the answer is; null: nothing.
   */
  readonly secret: string | null;
  /** Under each of these its payer pays once, whatever authorizations it signs. */
  readonly names: readonly PurchaseName[];
  /** Whether the request proves to be the buyer's of a payment, by the secrets that are kept with it. */
  readonly isBuyer: (secret: string | null) => boolean;
}

/** A call of a paid tool: its answer is computed, frozen, and then settled. */
export interface AnswerWork extends PaidRequest {
  readonly kind: 'answer';
  /** The tool, by its name. */
  readonly operation: PaidOperation;
  /**
   * Makes the answer: JSON text of an object without `paid`. When it rejects (with a Problem, or
   * with an answer that is free) nothing is settled.
   */
  readonly compute: () => Promise<string>;
  /** Whether `compute`, begun at once, would need nothing from outside of this process. */
  readonly isCached: () => boolean;
}

/** A purchase of the credit pack: its answer is made when it is settled, with the credits. */
export interface PackWork extends PaidRequest {
  readonly kind: 'pack';
}

/** One request that is paid for by itself. */
export type PaidWork = AnswerWork | PackWork;

export type PaymentOutcome =
  | Exclude<PaymentEnd, { readonly kind: 'left' | 'unavailable' }>
  | (Extract<PaymentEnd, { readonly kind: 'unavailable' }> & {
      /**
       * Whether anybody without money can bring it about: the payer's key did not sign, or the payment
       * was not begun because of how many others there are.
       */
      readonly isUnproven?: true;
    })
  /**
   * It may have paid. The chain is being asked; a repeat with the same payment gets the answer or
   * the refusal.
   */
  | {
      readonly kind: 'unknown';
      readonly transaction: string | null;
      readonly retryAfterS: number;
      /** Whether anybody can bring it about. */
      readonly isUnproven?: true;
    }
  /** Nobody could look whether there is such a payment; nothing was done for it. */
  | { readonly kind: 'not_looked_up'; readonly cause: unknown }
  /** Too many payments like it were refused of late; nothing was done for it. */
  | { readonly kind: 'limited'; readonly retryAfterS: number };

/** This process as an owner of payments. */
interface Ownership {
  /** Names this life of the process. */
  readonly id: string;
  /** Whether it may decide anything now; if not, the others may soon take it for dead. */
  isHeld(): boolean;
  /** Whether no other process was at work on the store when the lease was last renewed. */
  readonly isAlone: boolean;
  /** Changes whenever the others may have taken over what this process owned. */
  readonly term: number;
}

/** What payments need from others, and their limits. */
export interface PaymentDeps {
  readonly store: Store;
  readonly lease: Ownership;
  /** In the order in which they are tried; may be empty: then every payment is `unavailable`. */
  readonly facilitators: readonly Facilitator[];
  readonly chain: ChainReader;
  readonly signatures: SignatureCheck;
  readonly refused: RefusedPayments;
  readonly packTokens: PackTokens;
  /** Where a person can look a settlement up, under /tx/. */
  readonly explorerUrl: string;
  readonly clock: Clock;
  /** A name of a purchase lapses by it; absent: by `clock`. */
  readonly lapses?: Pick<Clock, 'nowMs'>;
  readonly timers: Timers;
  readonly random: Random;
  readonly log: Log;
  /** Absent: nobody counts. */
  readonly meter?: Pick<Meter, 'paymentSettled' | 'contradicted'> | null;
}
