import { z } from 'zod';
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
    // As x402 has them; what they hold is in `_meta.x402` of the tool.
    accepts: z.array(z.looseObject({})).min(1),
    balance: count.optional().describe('Credits on the wallet, if they were not enough.'),
    credits_required: count.optional().describe('Credits that the call costs, if those on the wallet were not enough.'),
  })
  .describe('Payment terms (x402 v2); error says what to do.');

/** An error as the result of a tool. A tool result has no headers, so the time to wait is in it. */
const ToolErrorSchema = ErrorBodySchema.extend({
  retry: z.literal('same_payment').optional().describe('Repeat with the same payment, never a new one.'),
  retry_after_seconds: z.int().min(0).optional(),
}).describe('Not answered, and not charged unless retry is same_payment.');

export type ToolError = z.infer<typeof ToolErrorSchema>;

/**
 * Returns everything that a tool may put into `structuredContent`. Clients of the 2025 revisions
 * check it against this schema also where the result is an error, so errors and payment terms
 * belong to it.
 */
export function outputSchemaOf(tool: McpTool): ObjectSchema {
  const isPaid = tool !== 'credits';
  const short = (schema: z.ZodType) => inShort(toJsonSchema(schema, 'output'));
  const [answer, ...others] = schemasOf(tool).answers.map(short);
  const refusals = [...(isPaid ? [PaymentTermsSchema] : []), ToolErrorSchema].map(short);
  return { type: 'object', anyOf: [answer, ...others.map((other) => withoutKnown(other, answer!)), ...refusals] };
}

/** Without the members that the answer has in the same form: they are stated once. */
function withoutKnown({ properties, ...other }: Part, { properties: known }: Part): Part {
  const text = (part: unknown) => JSON.stringify(part);
  const news = Object.entries(properties as Part).filter(([name, part]) => text(part) !== text((known as Part)[name]));
  return { ...other, properties: Object.fromEntries(news) };
}

type Part = Readonly<Record<string, unknown>>;

/**
 * Longer lists of values stand in /openapi.json alone: every conversation of an agent pays for each
 * word of its tools.
 */
const ENUM_LENGTH_MAX = 4;

/**
 * Returns a looser schema: whatever fits the given one fits it. It tells the names and types of
 * members, those of the rows of a list too, and verdicts; the whole form is in /openapi.json.
 */
function inShort(schema: Part): Part {
  const { type, description, required, properties = {} } = schema;
  const named = required as readonly string[] | undefined;
  const members = Object.entries(properties as Part)
    .filter(([name, part]) => !(named?.includes(name) && isNullable(part as Part)))
    .map(([name, part]) => [name, NAMED.has(name) ? rowInShort(part as Part) : memberInShort(part as Part)]);
  const received = { type, description, required, properties: Object.fromEntries(members) };
  // As it is when it was sent: clients compare the two.
  return Object.fromEntries(Object.entries(received).filter(([, value]) => value !== undefined));
}

/**
 * What may be null is stated by its name alone, where that stands among the required ones, and not at
 * all in rows: a type or null takes more words than all else of a member.
 */
function isNullable({ anyOf }: Part): boolean {
  return (anyOf as readonly Part[] | undefined)?.some(({ type }) => type === 'null') === true;
}

/** Members that an agent acts on are named; of all others the type is stated. */
const NAMED = new Set(['numbers']);

function memberInShort({ type, const: only, enum: values, anyOf, items }: Part): Part {
  const types = new Set((anyOf as readonly Part[] | undefined)?.map((part) => part.type));
  if (types.size === 1) return { type: [...types][0] };
  const oneOf = Array.isArray(values) && values.length <= ENUM_LENGTH_MAX ? { enum: values } : {};
  return {
    ...(type === undefined ? {} : { type }),
    // Some readers take texts and truth values only.
    ...(only === undefined || typeof only === 'number' ? oneOf : { const: only }),
    ...(anyOf === undefined ? {} : { anyOf: (anyOf as readonly Part[]).map(memberInShort) }),
    ...(items === undefined ? {} : { items: rowInShort(items as Part) }),
  };
}

function rowInShort({ type, properties = {} }: Part): Part {
  const typed = type === undefined ? {} : { type };
  const stated = Object.entries(properties as Part).filter(([, part]) => !isNullable(part as Part));
  if (stated.length === 0) return typed;
  return {
    ...typed,
    properties: Object.fromEntries(stated.map(([name, part]) => [name, memberInShort(part as Part)])),
  };
}
