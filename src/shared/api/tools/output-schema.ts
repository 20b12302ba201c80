import type { z } from 'zod';
import type { ErrorBody } from '../errors.js';
import { isFreeTool } from '../tool-texts.js';
import { type ObjectSchema, toJsonSchema } from './json-schema.js';
import { type McpTool, schemasOf } from './tool-schemas.js';

/**
 * The x402 v2 terms as the result of a tool that was not paid for, with our own code beside them. What
 * to sign is in the result itself and in `_meta.x402` of the tool, so here is what tells it apart.
 */
const PAYMENT_TERMS: ObjectSchema = {
  type: 'object',
  description: 'Payment terms (x402 v2): pay one of accepts, or do as error says.',
  required: ['x402Version', 'error', 'code', 'accepts'],
};

/** An error as the result of a tool. A tool result has no headers, so the time to wait is in it. */
export interface ToolError extends ErrorBody {
  readonly retry_after_seconds?: number;
}

const TOOL_ERROR: ObjectSchema = {
  type: 'object',
  description: 'Do as error says. Not charged unless retry is same_payment.',
  required: ['error', 'code'],
};

/**
 * Returns everything that a tool may put into `structuredContent`. Clients of the 2025 revisions
 * check it against this schema also where the result is an error, so errors and payment terms
 * belong to it.
 */
export function outputSchemaOf(tool: McpTool): ObjectSchema {
  const short = (schema: z.ZodType) => inShort(toJsonSchema(schema, 'output'));
  const [answer, ...others] = schemasOf(tool).answers.map(short);
  const refusals = isFreeTool(tool) ? [TOOL_ERROR] : [PAYMENT_TERMS, TOOL_ERROR];
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
    .filter(([name, part]) => !(named?.includes(name) && isNamedAlone(part as Part)))
    .map(([name, part]) => [name, NAMED.has(name) ? rowInShort(part as Part) : memberInShort(part as Part)]);
  const received = { type, description, required, properties: Object.fromEntries(members) };
  // As it is when it was sent: clients compare the two.
  return Object.fromEntries(Object.entries(received).filter(([, value]) => value !== undefined));
}

/** Numbers and texts of any value: where the name stands among the required ones, it says as much. */
function isNamedAlone(part: Part): boolean {
  const { type, const: only, enum: values } = part;
  const isPlain = type === 'string' || type === 'number' || type === 'integer';
  return isNullable(part) || (isPlain && only === undefined && values === undefined);
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
