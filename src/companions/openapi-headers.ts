import type { ZodOpenApiHeaderObject } from 'zod-openapi';
import { API_VERSION } from '#api/version';
import { refTo, type SchemaName } from './openapi-schemas.js';

/** A header whose text is base64 of JSON. */
function encoded(name: SchemaName, description: string): ZodOpenApiHeaderObject {
  const schema = {
    type: 'string' as const,
    contentEncoding: 'base64',
    contentMediaType: 'application/json',
    contentSchema: refTo(name),
  };
  return { description, schema };
}

export type HeaderName = 'X-API-Version' | 'X-Request-Id' | 'Retry-After' | 'PAYMENT-REQUIRED' | 'PAYMENT-RESPONSE';

/** Every header of an answer that means something to a caller. */
export const HEADERS: Readonly<Record<HeaderName, ZodOpenApiHeaderObject>> = {
  'X-API-Version': {
    description: 'Version of the interface, by date. A breaking change bumps it.',
    schema: { type: 'string', format: 'date', examples: [API_VERSION] },
  },
  'X-Request-Id': { description: 'Quote it to support.', schema: { type: 'string' } },
  'Retry-After': { description: 'Seconds to wait before the same request.', schema: { type: 'integer', minimum: 0 } },
  'PAYMENT-REQUIRED': encoded('PaymentTerms', 'The terms in x402 v2 form.'),
  'PAYMENT-RESPONSE': encoded(
    'PaymentReceipt',
    'How the payment ended; X-PAYMENT-RESPONSE where it came in X-PAYMENT. Only where a payment came with the request.',
  ),
};

/** Returns references to headers of answers. */
export function headersRef(...names: readonly HeaderName[]) {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
