import type { ToolFlag } from '#api/tool-flags';
import { Problem } from '#domain/errors';

/** One call of a tool, as a door read it. */
export interface GateCall {
  readonly requestId: string;
  /** The free switches (interface, "Common to the four tools"). */
  readonly sandbox: ToolFlag;
  readonly x402Probe: ToolFlag;
  /** The bearer token; an empty text where credentials of another form were given; null where none were. */
  readonly bearer: string | null;
  /** Whether an x402 payment came with the call. */
  readonly paymentGiven: boolean;
  readonly idempotencyKey: string | null;
  /** The raw parameters, or what the door found wrong in reading them: told only to a caller who could be charged. */
  readonly args: unknown;
}

/** Why payment is asked for. */
export type PaymentCode = 'payment_required' | 'payment_not_supported' | 'invalid_token' | 'insufficient_credits';

export type GateResult =
  | { readonly kind: 'example'; readonly body: string }
  | {
      readonly kind: 'payment_required';
      readonly code: PaymentCode;
      readonly reason: string;
      /** Credits, where there were too few of them. */
      readonly credits?: { readonly balance: number; readonly required: number };
    }
  | { readonly kind: 'bad_request'; readonly problem: Problem }
  | { readonly kind: 'answered'; readonly body: string; readonly replayed: boolean }
  | { readonly kind: 'failed'; readonly problem: Problem };

/** What a caller is told of a fault of ours. Whether a debit was written just before it may be unknown, so no word on that. */
export function internalError(requestId: string): Problem {
  const text =
    'the server failed: try again (with the same Idempotency-Key a call is charged at most once), ' +
    `and quote request ${requestId} if it persists`;
  return new Problem('internal_error', text);
}
