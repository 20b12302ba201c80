import { type ObjectSchema, toJsonSchema } from './json-schema.js';
import { type McpTool, schemasOf } from './tool-schemas.js';

const SANDBOX = {
  type: 'boolean',
  default: false,
  description: 'true: a free example of the answer.',
};

/** An agent sees one name of the wallet. The alias is for those who write URLs by hand. */
const HIDDEN = new Set(['user']);

/** Shown as what they are. Other doors take 1 and "1" too, and so does this one. */
const SWITCHES: ReadonlySet<string> = new Set(['plan', 'exit', 'post_only', 'evidence']);

/**
 * Returns the parameters of a tool as JSON Schema: those of the REST door, and `sandbox`. In the
 * words that all models' APIs read: some refuse a whole list of tools for one that they do not.
 */
export function inputSchemaOf(tool: McpTool): ObjectSchema {
  const { properties = {}, ...schema } = toJsonSchema(schemasOf(tool).request, 'input');
  const shown = Object.entries(properties).filter(([name]) => !HIDDEN.has(name));
  const plain = shown.map(([name, part]) => [name, inCommonWords(name, part as Part)] as const);
  return { ...schema, properties: { ...Object.fromEntries(plain), sandbox: SANDBOX }, additionalProperties: false };
}

type Part = Readonly<Record<string, unknown>>;

/** That a bound itself is not taken is told in the description. */
function inCommonWords(name: string, { examples: _, exclusiveMinimum, ...part }: Part): Part {
  if (SWITCHES.has(name)) return { type: 'boolean', default: false, description: part.description };
  return exclusiveMinimum === undefined ? part : { ...part, minimum: exclusiveMinimum };
}
