import { z } from 'zod';

/** A schema and the JSON Schema that is being made of it. */
interface Conversion {
  readonly zodSchema: z.core.$ZodTypes;
  readonly jsonSchema: z.core.JSONSchema.BaseSchema;
}

/**
 * Says in a JSON Schema what the converter leaves out, or says in a form that some readers lack: an
 * override for it.
 */
export function describePlainly({ zodSchema, jsonSchema }: Conversion): void {
  const { def } = zodSchema._zod;
  // zod leaves a default out where text is also accepted, because it is not what would be sent.
  if (def.type === 'default') jsonSchema.default = def.defaultValue as never;
  // The same of examples.
  const { examples } = z.globalRegistry.get(zodSchema) ?? {};
  if (Array.isArray(examples)) jsonSchema.examples = examples;
  if (def.type === 'tuple') describeAsList(jsonSchema);
}

/** A tuple of members of one kind is a list of that length. */
function describeAsList(jsonSchema: Conversion['jsonSchema']): void {
  const members = jsonSchema.prefixItems ?? [];
  const [first] = members;
  if (first === undefined || members.some((each) => JSON.stringify(each) !== JSON.stringify(first))) return;
  delete jsonSchema.prefixItems;
  Object.assign(jsonSchema, { items: first, minItems: members.length, maxItems: members.length });
}
