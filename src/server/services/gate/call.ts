import type { ToolFlag } from '#api/arguments';
import { OutsideError, Problem } from '#domain/errors';
import type { SignedPayment } from '#domain/payment/payment';

/**
 * The x402 payment of a call, as a door read it. `malformed`: there was one, and it cannot be
 * understood.
 */
export type CallPayment =
  | { readonly kind: 'none' }
  | { readonly kind: 'payment'; readonly payment: SignedPayment }
  | { readonly kind: 'malformed'; readonly reason: string };

/** One call of a tool, as a door read it. */
export interface GateCall {
  readonly requestId: string;
  /**
   * Network address of the caller. Some free work is limited for each, unless a token says whose it
   * is.
   */
  readonly caller: string;
  /**
   * Whether the client has left: then nothing is charged that it could not get again. Absent: that
   * is not known.
   */
  readonly isGone?: () => boolean;
  /** The free switches (docs/interface.md, "Free switches"). */
  readonly sandbox: ToolFlag;
  readonly x402Probe: ToolFlag;
  /**
   * The bearer token; an empty text where credentials of another form were given; null if none
   * were.
   */
  readonly bearer: string | null;
  readonly payment: CallPayment;
  readonly idempotencyKey: string | null;
  /**
   * The raw parameters, or what the door found wrong in reading them: reported only to a caller who
   * could be charged.
   */
  readonly args: unknown;
}

/** Why payment is asked for. */
export type PaymentCode = 'payment_required' | 'payment_refused' | 'invalid_token' | 'insufficient_credits';

/** An answer that a tool made. */
interface MadeAnswer {
  /** JSON text. */
  readonly body: string;
  /** When it will be made anew, in seconds since the epoch; null: it does not give one. */
  readonly nextRefreshS: number | null;
}

/** An answer that was paid for. */
interface SoldAnswer extends MadeAnswer {
  /** Whether it was made for an earlier request: then it is old, and goes out marked as such. */
  readonly replayed: boolean;
  readonly madeAtMs: number;
}

export type GateResult =
  | { readonly kind: 'example'; readonly body: string }
  | {
      readonly kind: 'payment_required';
      readonly code: PaymentCode;
      readonly reason: string;
      /** Credits, where there were too few of them. */
      readonly credits?: { readonly balance: number; readonly required: number };
      /** Why this request would be refused even if it were paid for, where that is known already. */
      readonly fault?: Problem;
    }
  | { readonly kind: 'bad_request'; readonly problem: Problem }
  /** Answered, and free: nothing was or will be charged. */
  | (MadeAnswer & { readonly kind: 'free'; readonly status: 200 | 202; readonly retryAfterS: number | null })
  /** Answered and paid from credits. */
  | (SoldAnswer & { readonly kind: 'answered' })
  /** Answered and settled on the chain. */
  | (SoldAnswer & {
      readonly kind: 'paid';
      readonly payment: SignedPayment;
      readonly transaction: string;
    })
  /** It is certain that this payment gets no answer: it never pays for this request, or did before. */
  | {
      readonly kind: 'payment_refused';
      readonly reason: string;
      readonly payment: SignedPayment;
      /** The transaction of a payment that was settled and answered, too long ago for a repeat. */
      readonly transaction?: string;
    }
  /** It may have paid: never a reason to ask for another payment. */
  | {
      readonly kind: 'payment_unknown';
      readonly transaction: string | null;
      readonly retryAfterS: number;
      readonly payment: SignedPayment;
      /** Whether anybody without money can bring it about, as often as they like. */
      readonly isUnproven?: true;
    }
  | {
      readonly kind: 'failed';
      readonly problem: Problem;
      /** Whether anybody without money can bring it about, as often as they like. */
      readonly isUnproven?: true;
    };

/** All kinds of results, for those who count them. */
export const RESULT_KINDS = [
  'example',
  'payment_required',
  'bad_request',
  'free',
  'answered',
  'paid',
  'payment_refused',
  'payment_unknown',
  'failed',
] as const satisfies readonly GateResult['kind'][];

const STORE_RETRY_AFTER_S = 5;

/**
 * Returns what a caller learns of an error: a Problem as it is, that the store is away, or that the
 * fault is ours.
 */
export function failureOf(error: unknown, requestId: string): Problem {
  if (error instanceof Problem) return error;
  const isStoreAway = error instanceof OutsideError && error.upstream === 'store' && error.failure !== 'final';
  return isStoreAway ? storeUnavailable(error) : internalError(requestId);
}

/**
 * A change may yet be made: nothing is promised but that the same key or payment is charged once,
 * and that a debit without its answer is given back.
 */
function storeUnavailable(cause: OutsideError): Problem {
  const text =
    `credits and payments cannot be read or written now: repeat the request in ${STORE_RETRY_AFTER_S} seconds ` +
    'with the same payment or Idempotency-Key, which is charged at most once; ' +
    'credits that were debited for a call without a key are given back';
  return new Problem('store_unavailable', text, { retryAfterS: STORE_RETRY_AFTER_S, cause });
}

/**
 * What a caller learns of a fault of ours. Whether a debit was written just before it may be
 * unknown, so no word on that.
 */
function internalError(requestId: string): Problem {
  const text =
    'the server failed: try again (with the same Idempotency-Key a call is charged at most once), ' +
    `and quote request ${requestId} if it persists`;
  return new Problem('internal_error', text);
}
