import { z } from 'zod';
import { describePlainly } from '../describe-plainly.js';

/** A JSON Schema, or any part of one. */
type Part = Record<string, unknown>;

/** A JSON Schema of an object. */
export interface ObjectSchema extends Part {
  readonly type: 'object';
  readonly properties?: Part;
}

/**
 * Returns a zod schema as JSON Schema. Without `$schema`: clients of the 2025 revisions check
 * results with a validator of an older draft, which refuses a schema that names a draft it does not
 * have; what we use means the same in both.
 */
export function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): ObjectSchema {
  const { $schema: _, ...bare } = z.toJSONSchema(schema, { io, override: describePlainly });
  return { ...(simplify(bare) as Part), type: 'object' };
}

/**
 * Returns the same without what is of no use to an agent, and without what some clients cannot read
 * although it is legal.
 */
function simplify(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(simplify);
  if (typeof value !== 'object' || value === null) return value;
  const part: Part = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, simplify(inner)]));
  if (typeof part.format === 'string' && part.format.startsWith('date')) delete part.pattern;
  if (part.maximum === Number.MAX_SAFE_INTEGER) delete part.maximum;
  if (part.minimum === Number.MIN_SAFE_INTEGER) delete part.minimum;
  if (isEmpty(part.additionalProperties)) delete part.additionalProperties;
  return Array.isArray(part.type) ? splitTypes(part, part.type) : plainNumber(part);
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/**
 * A value of one type or null, where the types stand in a list: some clients read a single type
 * only.
 */
function splitTypes({ description, ...rest }: Part, types: readonly string[]): Part {
  const anyOf = types.map((type) => (type === 'null' ? { type } : { ...rest, type }));
  return description === undefined ? { anyOf } : { description, anyOf };
}

/**
 * A query string has no numbers, so a number may come as text there. An agent has them: it is shown
 * the number alone.
 */
function plainNumber(part: Part): Part {
  const { anyOf, ...rest } = part;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return part;
  const [number, text] = anyOf as Part[];
  return number?.type === 'number' && text?.type === 'string' ? { ...rest, ...number } : part;
}
