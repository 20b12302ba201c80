import type { z } from 'zod';

/** A schema and the JSON Schema that is being made of it. */
interface Conversion {
  readonly zodSchema: z.core.$ZodTypes;
  readonly jsonSchema: z.core.JSONSchema.BaseSchema;
}

/**
 * Puts the default of a schema into its JSON Schema: an override for the converter. zod leaves it
 * out where text is also accepted, because the default is not what would be sent.
 */
export function tellDefault({ zodSchema, jsonSchema }: Conversion): void {
  const { def } = zodSchema._zod;
  if (def.type === 'default') jsonSchema.default = def.defaultValue as never;
}
