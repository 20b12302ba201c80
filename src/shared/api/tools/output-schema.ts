import { z } from 'zod';
import { BASE_NETWORK } from '#domain/payment/payment';
import { DocSchema, ErrorBodySchema, ProblemCodeSchema } from '../errors.js';
import { REFUSAL } from '../payment-required.js';
import { type ObjectSchema, toJsonSchema } from './json-schema.js';
import { type McpTool, schemasOf } from './tool-schemas.js';

const count = z.int().min(0);

/**
 * The x402 v2 terms as the result of a tool that was not paid for, with our own code beside them.
 */
const PaymentTermsSchema = z
  .looseObject({
    x402Version: z.literal(2),
    error: z.string().describe('Why payment is required and what to do next.'),
    code: ProblemCodeSchema.extract(['payment_required', 'payment_refused', 'insufficient_credits', 'invalid_token']),
    doc: DocSchema,
    reason: REFUSAL.optional(),
    resource: z.looseObject({ url: z.url(), description: z.string(), mimeType: z.string() }),
    accepts: z
      .array(
        z.object({
          scheme: z.literal('exact'),
          network: z.literal(BASE_NETWORK),
          amount: z.string().describe('Amount in the smallest unit of the asset.'),
          asset: z.string().describe('USDC contract on Base.'),
          payTo: z.string(),
          maxTimeoutSeconds: z.int(),
          extra: z.object({ name: z.string(), version: z.string() }),
        }),
      )
      .min(1),
    balance: count.optional().describe('Credits on the wallet, if they were not enough.'),
    credits_required: count.optional().describe('Credits that the call costs, if those on the wallet were not enough.'),
  })
  .describe(
    'Payment terms (x402 v2): repeat the call with a payment in _meta["x402/payment"], or with a bearer token.',
  );

/** An error as the result of a tool. A tool result has no headers, so the time to wait is in it. */
const ToolErrorSchema = ErrorBodySchema.extend({
  retry: z.literal('same_payment').optional().describe('Repeat with the same payment, never a new one.'),
  retry_after_seconds: z.int().min(0).optional(),
}).describe('The call was not answered, and was not charged unless retry is same_payment.');

export type ToolError = z.infer<typeof ToolErrorSchema>;

/**
 * Returns everything that a tool may put into `structuredContent`. Clients of the 2025 revisions
 * check it against this schema also where the result is an error, so errors and payment terms
 * belong to it.
 */
export function outputSchemaOf(tool: McpTool): ObjectSchema {
  const isPaid = tool !== 'credits';
  const schemas = [...schemasOf(tool).answers, ...(isPaid ? [PaymentTermsSchema] : []), ToolErrorSchema];
  return { type: 'object', anyOf: schemas.map((schema) => inShort(toJsonSchema(schema, 'output'))) };
}

type Part = Readonly<Record<string, unknown>>;

/**
 * Longer lists of values stand in /openapi.json alone: every conversation of an agent pays for each
 * word of its tools.
 */
const ENUM_LENGTH_MAX = 8;

/**
 * Returns a looser schema: whatever fits the given one fits it. It tells the names and types of
 * members, those of the rows of a list too, and verdicts; the whole form is in /openapi.json.
 */
function inShort(schema: Part): Part {
  const { type, description, required, properties = {} } = schema;
  const received = { type, description, required, properties: mapValues(properties as Part, memberInShort) };
  // As it is when it was sent: clients compare the two.
  return Object.fromEntries(Object.entries(received).filter(([, value]) => value !== undefined));
}

function memberInShort({ type, const: only, enum: values, anyOf, items }: Part): Part {
  const oneOf = Array.isArray(values) && values.length <= ENUM_LENGTH_MAX ? { enum: values } : {};
  return {
    ...(type === undefined ? {} : { type }),
    ...(only === undefined ? oneOf : { const: only }),
    ...(anyOf === undefined ? {} : { anyOf: (anyOf as readonly Part[]).map(memberInShort) }),
    ...(items === undefined ? {} : { items: rowInShort(items as Part) }),
  };
}

function rowInShort({ type, properties }: Part): Part {
  const typed = type === undefined ? {} : { type };
  return properties === undefined ? typed : { ...typed, properties: mapValues(properties as Part, memberInShort) };
}

function mapValues(parts: Part, change: (part: Part) => Part): Part {
  return Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, change(part as Part)]));
}
