/**
 * Why a request was not answered. Doors map each code to a status in one table; the names are part
 * of what we promise.
 */
export type ProblemCode =
  | 'invalid_parameter'
  | 'unknown_market'
  | 'outcome_required'
  | 'idempotency_conflict'
  | 'payment_identifier_conflict'
  | 'invalid_token'
  | 'insufficient_credits'
  | 'payment_required'
  | 'payment_refused'
  | 'payment_unavailable'
  | 'settlement_pending'
  | 'unknown_promo_code'
  | 'promo_already_redeemed'
  | 'promo_gone'
  | 'malformed_request'
  | 'not_found'
  | 'method_not_allowed'
  | 'body_too_large'
  | 'headers_too_large'
  | 'unsupported_media_type'
  | 'rate_limited'
  | 'venue_unavailable'
  | 'ratings_unavailable'
  | 'evidence_unavailable'
  | 'store_unavailable'
  | 'shutting_down'
  | 'overloaded'
  | 'internal_error';

/**
 * An expected "no", in words for the caller: what is wrong and what to do next. `candidates` lists
 * what would have been accepted (docs/interface.md, "Error object").
 */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: ProblemCode;
  readonly candidates: readonly string[] | undefined;
  readonly retryAfterS: number | undefined;

  constructor(
    code: ProblemCode,
    message: string,
    facts: { candidates?: readonly string[]; retryAfterS?: number; cause?: unknown } = {},
  ) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.code = code;
    this.candidates = facts.candidates;
    this.retryAfterS = facts.retryAfterS;
  }
}

/**
 * What a failed call to the outside means for the caller: try again, give up, or find out first
 * what happened.
 */
export type OutsideFailure = 'retryable' | 'final' | 'unknown';

/**
 * A call to the venue (or another service) failed. The text names who, what and how; never a
 * payload.
 */
export class OutsideError extends Error {
  override readonly name = 'OutsideError';
  readonly failure: OutsideFailure;
  readonly status: number | undefined;

  constructor(
    readonly upstream: string,
    message: string,
    facts: { failure: OutsideFailure; status?: number; cause?: unknown },
  ) {
    super(`${upstream}: ${message}`, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.failure = facts.failure;
    this.status = facts.status;
  }
}

/**
 * The venue (or another service) answered, and said something that is not understood: what it said
 * before may no longer hold.
 */
export class UnreadableAnswer extends OutsideError {
  constructor(upstream: string, message: string) {
    super(upstream, message, { failure: 'final' });
  }
}
