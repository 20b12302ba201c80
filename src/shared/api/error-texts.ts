import type { ProblemCode } from '#domain/errors';

/**
 * What each code means and what to do, for the documents; the message of an answer says it for the
 * case at hand.
 */
export const ERROR_TEXTS: Readonly<Record<ProblemCode, string>> = {
  invalid_parameter: 'A parameter is missing, malformed or unknown: correct it.',
  unknown_market: 'No market has this slug, URL or token id: check it.',
  outcome_required: 'The event has several outcomes: choose one of the candidates.',
  idempotency_conflict: 'This Idempotency-Key was used for another request: use a new key.',
  malformed_request: 'The request is not valid HTTP, or its body is not one JSON object: correct it.',
  headers_too_large: 'Request line and headers are too long: shorten them.',
  invalid_token:
    'The bearer token is invalid, expired or revoked, or was not sent as Bearer tk_... in Authorization: correct it, buy credits, redeem a code, or leave it out.',
  insufficient_credits: 'The credits do not cover this call: buy a pack, redeem a code, or pay per call.',
  payment_required:
    'Live calls must be paid for: repeat the request with a payment on these terms, or send a bearer token.',
  payment_refused: 'This payment gets no answer to this request: see error, and reason for the code of the scheme.',
  unknown_promo_code: 'There is no such promotional code: check its spelling.',
  not_found: 'There is nothing at this path: see /llms.txt.',
  method_not_allowed: 'The path accepts other methods: see the Allow header.',
  payment_identifier_conflict: 'This payment-identifier was used for another request: use a new one for a new request.',
  promo_already_redeemed: 'This wallet has already redeemed this code: use another code, or buy credits.',
  promo_gone: 'The code has expired or is used up: use another code, or buy credits.',
  body_too_large: 'The body is too long: shorten it.',
  unsupported_media_type: 'Send the body as uncompressed application/json in UTF-8.',
  rate_limited: 'Too many attempts: wait for Retry-After seconds.',
  venue_unavailable: 'The venue could not be reached: try again after Retry-After seconds.',
  ratings_unavailable: 'There are no ratings yet: try again after Retry-After seconds.',
  evidence_unavailable: 'The rating cannot be computed again now: ask without evidence.',
  payment_unavailable: 'No payment can be settled now: try again after Retry-After seconds.',
  settlement_pending: 'The outcome of this payment is not known yet: repeat with the same payment, never a new one.',
  store_unavailable:
    'Credits and payments cannot be read or written now: after Retry-After seconds repeat with the same payment or Idempotency-Key; a debit without a key is given back.',
  overloaded: 'There is too much to do: nothing was run or charged; try again after Retry-After seconds.',
  shutting_down: 'The service is restarting: try again in a few seconds.',
  internal_error: 'The service failed: repeat with the same payment or Idempotency-Key.',
};
