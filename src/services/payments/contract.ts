import type { PaymentDemand } from '#domain/payment/payment';
import type { PaidOperation } from '#domain/payment/payment-row';
import type { Clock } from '#ports/clock';
import type { CrashPoints } from '#ports/crash-point';
import type { Log } from '#ports/log';
import type { Random } from '#ports/random';
import type { ChainReader, Facilitator, SignatureCheck } from '#ports/settlement';
import type { Store } from '#ports/store';

/** One request that is paid for by itself. */
export interface PaidWork {
  readonly operation: PaidOperation;
  readonly requestId: string;
  /** Names the request: the same authorization pays for this one and no other. */
  readonly fingerprint: string;
  readonly demand: PaymentDemand;
  /**
   * Makes the answer: JSON text of an object without `paid`. Where it rejects (with a Problem, or with an answer that is free)
   * nothing is settled.
   */
  readonly compute: () => Promise<string>;
}

export type PaymentOutcome =
  /** Paid and durable. `replayed`: it was before this request came. */
  | {
      readonly kind: 'answered';
      readonly body: string;
      readonly transaction: string;
      readonly replayed: boolean;
      /** What `compute` made, before the payment settled. */
      readonly computed: string;
      readonly settledAtMs: number;
    }
  /** It is certain that this authorization did not and will not pay for this request. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** `compute` rejected with `cause`; nothing was sent to settle. */
  | { readonly kind: 'declined'; readonly cause: unknown }
  /** The payment could not be looked at; nothing was sent to settle. */
  | { readonly kind: 'unavailable'; readonly reason: string }
  /** It may have paid. The chain is being asked; a repeat with the same payment gets the answer or the refusal. */
  | { readonly kind: 'unknown'; readonly transaction: string | null; readonly retryAfterS: number };

export interface PaymentDeps {
  readonly store: Store;
  /** In the order in which they are tried; may be empty: then every payment is `unavailable`. */
  readonly facilitators: readonly Facilitator[];
  readonly chain: ChainReader;
  readonly signatures: SignatureCheck;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly crash: CrashPoints;
}
