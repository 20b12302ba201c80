import type { ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from 'zod-openapi';
import { COMMON_PROBLEMS, type Endpoint, soldAt } from '#api/endpoints';
import { ERROR_TEXTS } from '#api/error-texts';
import { STATUS_OF } from '#api/errors';
import type { PaymentTerms } from '#api/operations';
import { PaymentRequiredBodySchema } from '#api/payment-required';
import type { ProblemCode } from '#domain/errors';
import { errorExample, paymentRequiredExample } from './openapi-examples.js';
import { headersRef } from './openapi-headers.js';
import { refTo } from './openapi-schemas.js';
import { successOf } from './openapi-successes.js';

const JSON_MEDIA = 'application/json';
/** Codes that may come with a Retry-After header. */
const WITH_RETRY: readonly ProblemCode[] = [
  'rate_limited',
  'venue_unavailable',
  'payment_unavailable',
  'settlement_pending',
];

/** Returns every answer of an endpoint, by status. */
export function responsesOf(endpoint: Endpoint, terms: PaymentTerms): ZodOpenApiResponsesObject {
  const sold = soldAt(endpoint);
  const demand = sold === null ? {} : { 402: demandOf(paymentRequiredExample(sold, terms)) };
  return { ...successOf(endpoint.operationId), ...demand, ...errorsOf(endpoint) };
}

/** The 402 in both x402 forms: v2 in the header, v1 in the body. */
function demandOf(example: object): ZodOpenApiResponseObject {
  const codes = PaymentRequiredBodySchema.shape.code.options;
  return {
    description: `Payment is asked for: x402 v2 terms in the header PAYMENT-REQUIRED, v1 terms in the body. Codes: ${toList(codes)}.`,
    headers: headersRef('X-API-Version', 'X-Request-Id', 'PAYMENT-REQUIRED', 'PAYMENT-RESPONSE'),
    content: {
      [JSON_MEDIA]: { schema: refTo('PaymentRequired'), examples: { payment_required: { value: example } } },
    },
  };
}

function errorsOf({ problems, operationId }: Endpoint): ZodOpenApiResponsesObject {
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of new Set([...problems, ...COMMON_PROBLEMS])) {
    byStatus.set(STATUS_OF[code], [...(byStatus.get(STATUS_OF[code]) ?? []), code]);
  }
  const statuses = [...byStatus].sort(([a], [b]) => a - b);
  return Object.fromEntries(statuses.map(([status, codes]) => [status, errorOf(codes, operationId)]));
}

function errorOf(codes: readonly ProblemCode[], operationId: string): ZodOpenApiResponseObject {
  const retry = codes.some((code) => WITH_RETRY.includes(code)) ? (['Retry-After'] as const) : [];
  const isHealth = operationId === 'getHealth' && codes.includes('internal_error');
  const schema = isHealth ? { anyOf: [refTo('Health'), refTo('Error')] } : refTo('Error');
  return {
    description: `Not charged. Codes: ${toList(codes)}.`,
    headers: headersRef('X-API-Version', 'X-Request-Id', ...retry),
    content: {
      [JSON_MEDIA]: {
        schema,
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
  };
}

function toList(codes: readonly ProblemCode[]): string {
  return codes.map((code) => `\`${code}\``).join(', ');
}

/** Returns an example of every error that an endpoint may answer with; errors refer to them by code. */
export function errorExamples(endpoints: readonly Endpoint[]): Record<string, ExampleObject> {
  const codes = new Set([...COMMON_PROBLEMS, ...endpoints.flatMap(({ problems }) => problems)]);
  return Object.fromEntries(
    [...codes].map((code) => [code, { summary: ERROR_TEXTS[code], value: errorExample(code) }]),
  );
}

interface ExampleObject {
  readonly summary: string;
  readonly value: object;
}
