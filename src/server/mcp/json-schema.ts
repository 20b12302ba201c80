import { fromJsonSchema, type JsonSchemaType } from '@modelcontextprotocol/server';
import type { ObjectSchema } from '#api/tools/json-schema';

/**
 * Returns a schema that is shown to clients and checks nothing. What comes in is checked by the
 * gate, after it has looked for a payment; what goes out was made by code that the compiler
 * checked.
 */
export function shownSchema(schema: ObjectSchema) {
  return fromJsonSchema<Record<string, unknown>>(schema as JsonSchemaType, {
    getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
  });
}
