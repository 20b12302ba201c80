import type { ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from 'zod-openapi';
import { COMMON_PROBLEMS, type Endpoint, soldAt } from '#api/endpoints';
import { ERROR_TEXTS } from '#api/error-texts';
import { STATUS_OF } from '#api/errors';
import { MCP_PATH } from '#api/mcp-facts';
import type { PaymentTerms } from '#api/operations';
import { PaymentRequiredBodySchema } from '#api/payment-required';
import type { ProblemCode } from '#domain/errors';
import { BUT_WHILE_UNCLEAR } from '../payment-texts.js';
import { errorExample, paymentRequiredExample, RPC_EXAMPLES } from './examples.js';
import { type HeaderName, headersRef, RECEIPTS } from './headers.js';
import { refTo, type SchemaName } from './schemas.js';
import { successOf } from './successes.js';

const JSON_MEDIA = 'application/json';
/** Codes that may come with a Retry-After header. */
const WITH_RETRY: readonly ProblemCode[] = [
  'rate_limited',
  'venue_unavailable',
  'ratings_unavailable',
  'payment_unavailable',
  'settlement_pending',
  'store_unavailable',
  'overloaded',
];

/** Returns every answer of an endpoint, by status. */
export function responsesOf(endpoint: Endpoint, terms: PaymentTerms): ZodOpenApiResponsesObject {
  const sold = soldAt(endpoint);
  const demand = sold === null ? {} : { 402: demandOf(paymentRequiredExample(sold, terms)) };
  const refusals = endpoint.path === MCP_PATH ? rpcRefusals() : {};
  return { ...successOf(endpoint.operationId), ...demand, ...errorsOf(endpoint), ...refusals };
}

/** The 402 in both x402 forms: v2 in the header, v1 in the body. */
function demandOf(example: object): ZodOpenApiResponseObject {
  const codes = PaymentRequiredBodySchema.shape.code.options;
  return {
    description: `Payment is required: x402 v2 terms in the header PAYMENT-REQUIRED, v1 terms in the body. Codes: ${toList(codes)}.`,
    headers: headersRef('X-API-Version', 'X-Request-Id', 'PAYMENT-REQUIRED', ...RECEIPTS),
    content: {
      [JSON_MEDIA]: { schema: refTo('PaymentRequired'), examples: { payment_required: { value: example } } },
    },
  };
}

function errorsOf(endpoint: Endpoint): ZodOpenApiResponsesObject {
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of new Set([...endpoint.problems, ...COMMON_PROBLEMS])) {
    byStatus.set(STATUS_OF[code], [...(byStatus.get(STATUS_OF[code]) ?? []), code]);
  }
  const statuses = [...byStatus].sort(([a], [b]) => a - b);
  return Object.fromEntries(statuses.map(([status, codes]) => [status, errorOf(codes, otherForms(endpoint, status))]));
}

/** Forms that an error may have beside the common one. */
function otherForms({ operationId, path }: Endpoint, status: number): readonly SchemaName[] {
  if (operationId === 'getHealth' && status === STATUS_OF.internal_error) return ['Health'];
  // What is wrong with a message is reported in the protocol's own form of an error.
  return path === MCP_PATH ? ['RpcMessage'] : [];
}

/** An error of these codes, or in these other forms. */
function errorOf(codes: readonly ProblemCode[], other: readonly SchemaName[]): ZodOpenApiResponseObject {
  const schemas = [...other, 'Error' as const].map(refTo);
  return {
    description: `${chargeOf(codes)} Codes: ${toList(codes)}.`,
    headers: headersRef('X-API-Version', 'X-Request-Id', ...headersWith(codes)),
    content: {
      [JSON_MEDIA]: {
        schema: schemas.length === 1 ? schemas[0]! : { anyOf: schemas },
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
  };
}

function chargeOf(codes: readonly ProblemCode[]): string {
  return codes.includes('settlement_pending') ? `Not charged, ${BUT_WHILE_UNCLEAR}.` : 'Not charged.';
}

function headersWith(codes: readonly ProblemCode[]): readonly HeaderName[] {
  const retry = codes.some((code) => WITH_RETRY.includes(code)) ? (['Retry-After'] as const) : [];
  // A payment whose outcome is not known has a receipt that says so.
  return codes.includes('settlement_pending') ? [...retry, ...RECEIPTS] : retry;
}

/**
 * What the MCP server refuses with statuses of its own protocol; the body is always an error of
 * JSON-RPC.
 */
function rpcRefusals(): ZodOpenApiResponsesObject {
  const refusal = (description: string): ZodOpenApiResponseObject => ({
    description,
    headers: headersRef('X-API-Version', 'X-Request-Id'),
    content: {
      [JSON_MEDIA]: { schema: refTo('RpcMessage'), examples: { refused: { value: RPC_EXAMPLES.refusal } } },
    },
  });
  return {
    403: refusal(
      'The request was meant for another host; of a service on loopback, or came from a page of another origin.',
    ),
    404: refusal('There is no such method in the protocol revision of the request.'),
    406: refusal('The client accepts neither JSON nor event streams.'),
  };
}

function toList(codes: readonly ProblemCode[]): string {
  return codes.map((code) => `\`${code}\``).join(', ');
}

/**
 * Returns an example of every error that an endpoint may answer with; errors refer to them by code.
 */
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
