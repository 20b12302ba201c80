import type { ZodOpenApiHeaderObject } from 'zod-openapi';
import { API_VERSION } from '#api/version';
import { refTo, type SchemaName } from './schemas.js';

/** A header whose text is base64 of JSON. */
function encoded(name: SchemaName, description: string, required = false): ZodOpenApiHeaderObject {
  const schema = {
    type: 'string' as const,
    contentEncoding: 'base64',
    contentMediaType: 'application/json',
    contentSchema: refTo(name),
  };
  return { description, ...(required ? { required } : {}), schema };
}

export type HeaderName =
  | 'X-API-Version'
  | 'X-Request-Id'
  | 'Retry-After'
  | 'Idempotent-Replayed'
  | 'Age'
  | 'Vary'
  | 'ETag'
  | 'PAYMENT-REQUIRED'
  | 'PAYMENT-RESPONSE'
  | 'X-PAYMENT-RESPONSE';

/** How a payment ended, in the header of the version that it came in. */
export const RECEIPTS = ['PAYMENT-RESPONSE', 'X-PAYMENT-RESPONSE'] as const;

/** How an answer is marked that was made for an earlier request. */
export const REPLAYS = ['Idempotent-Replayed', 'Age'] as const;

/** Every header of an answer that means something to a caller. */
export const HEADERS: Readonly<Record<HeaderName, ZodOpenApiHeaderObject>> = {
  'X-API-Version': {
    description: 'Version of the interface, by date. A breaking change bumps it.',
    required: true,
    schema: { type: 'string', format: 'date', examples: [API_VERSION] },
  },
  'X-Request-Id': { description: 'Quote it to support.', required: true, schema: { type: 'string' } },
  'Retry-After': { description: 'Seconds to wait before the same request.', schema: { type: 'integer', minimum: 0 } },
  'Idempotent-Replayed': {
    description:
      'Present if this is a repeat: the old answer, made for an earlier request with the same payment or Idempotency-Key. ' +
      'Send no order on an old verdict.',
    schema: { type: 'string', enum: ['true'] },
  },
  Age: { description: 'Seconds since a repeated answer was made.', schema: { type: 'integer', minimum: 0 } },
  Vary: {
    description: 'Whose answer it is, if it may be kept (Cache-Control: private, max-age=...).',
    schema: { type: 'string' },
  },
  ETag: {
    description: 'Send it back in If-None-Match: the answer is 304 while nothing has changed.',
    schema: { type: 'string' },
  },
  'PAYMENT-REQUIRED': encoded('PaymentTerms', 'The terms in x402 v2 form.', true),
  'PAYMENT-RESPONSE': encoded(
    'PaymentReceipt',
    'How the payment ended, if one of version 2 or in PAYMENT-SIGNATURE came.',
  ),
  'X-PAYMENT-RESPONSE': encoded('PaymentReceiptV1', 'How the payment ended, if one of version 1 or in X-PAYMENT came.'),
};

/** Returns references to headers of answers. */
export function headersRef(...names: readonly HeaderName[]) {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Returns a header that is there in every answer of its kind, and in others only sometimes. */
export function headerAlways(name: HeaderName) {
  return { [name]: { ...HEADERS[name], required: true } };
}
