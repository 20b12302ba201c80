import { z } from 'zod';
import type { Problem, ProblemCode } from '#domain/errors';

/**
 * The status of each code, for every door. Only statuses of the interface are used, so a header
 * overflow is a plain 400 and an unreachable venue a 500.
 */
export const STATUS_OF: Readonly<Record<ProblemCode, number>> = {
  invalid_parameter: 400,
  unknown_market: 400,
  outcome_required: 400,
  idempotency_conflict: 400,
  malformed_request: 400,
  headers_too_large: 400,
  invalid_token: 401,
  insufficient_credits: 402,
  payment_required: 402,
  payment_refused: 402,
  unknown_promo_code: 404,
  not_found: 404,
  method_not_allowed: 405,
  payment_identifier_conflict: 409,
  promo_already_redeemed: 409,
  promo_gone: 410,
  body_too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  venue_unavailable: 500,
  ratings_unavailable: 500,
  evidence_unavailable: 500,
  payment_unavailable: 500,
  settlement_pending: 500,
  store_unavailable: 500,
  shutting_down: 500,
  overloaded: 500,
  internal_error: 500,
};

export const ProblemCodeSchema = z.enum(Object.keys(STATUS_OF) as [ProblemCode, ...ProblemCode[]]);

/**
 * Where a code is explained, relative to the address of the service: its row in /llms.txt.
 *
 * @example docOf('rate_limited'); // '/llms.txt#rate_limited'
 */
export function docOf(code: ProblemCode): string {
  return `/llms.txt#${code}`;
}

export const DocSchema = z
  .string()
  .min(1)
  .meta({ format: 'uri-reference' })
  .describe('Where the code is explained, relative to the address of the service.');

/**
 * The body of every answer that is not a success, except 402 (docs/interface.md, "Error object").
 */
export const ErrorBodySchema = z.strictObject({
  error: z.string().min(1).describe('What is wrong and what to do next.'),
  code: ProblemCodeSchema.describe('Stable name of the error.'),
  doc: DocSchema,
  candidates: z.array(z.string()).optional().describe('What would have been accepted, if that is a short list.'),
  retry: z
    .literal('same_payment')
    .optional()
    .describe('Present if it may have been charged: repeat with the same payment or key, never a new one.'),
});

export type ErrorBody = z.infer<typeof ErrorBodySchema>;

/** Returns the body of a problem. */
export function toErrorBody({ message, code, candidates }: Problem): ErrorBody {
  const body = { error: message, code, doc: docOf(code) };
  return candidates === undefined ? body : { ...body, candidates: [...candidates] };
}
