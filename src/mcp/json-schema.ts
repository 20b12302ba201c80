import { fromJsonSchema, type JsonSchemaType } from '@modelcontextprotocol/server';
import { z } from 'zod';

/** A JSON Schema of an object. */
export type ObjectSchema = JsonSchemaType & { readonly type: 'object' };

/**
 * Returns a zod schema as JSON Schema. Without `$schema`: clients of the 2025 revisions check results with a validator of an older
 * draft, which refuses a schema that names a draft it does not have; what we use means the same in both.
 */
export function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): ObjectSchema {
  const { $schema: _, ...bare } = z.toJSONSchema(schema, { io, override: ({ jsonSchema }) => shorten(jsonSchema) });
  return { ...(bare as Readonly<Record<string, unknown>>), type: 'object' };
}

/** Takes out what is long and tells an agent nothing: the pattern behind a format, the limit of every integer. */
function shorten(jsonSchema: z.core.JSONSchema.BaseSchema): void {
  if (jsonSchema.format?.startsWith('date') === true) delete jsonSchema.pattern;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  plainNumber(jsonSchema);
}

/** A query string has no numbers, so a number may come as text there. An agent has them: it is shown the number alone. */
function plainNumber(jsonSchema: z.core.JSONSchema.BaseSchema): void {
  const { anyOf } = jsonSchema;
  if (anyOf?.length !== 2) return;
  const [number, text] = anyOf as z.core.JSONSchema.BaseSchema[];
  if (number?.type !== 'number' || text?.type !== 'string') return;
  delete jsonSchema.anyOf;
  Object.assign(jsonSchema, number);
}

/**
 * Returns a schema that is shown to clients and checks nothing. What comes in is checked by the gate, after it has looked for a
 * payment; what goes out was made by code that the compiler checked.
 */
export function shownSchema(schema: ObjectSchema) {
  return fromJsonSchema<Record<string, unknown>>(schema, {
    getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
  });
}
