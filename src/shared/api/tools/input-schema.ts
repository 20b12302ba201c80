import { type ObjectSchema, toJsonSchema } from './json-schema.js';
import { type McpTool, schemasOf } from './tool-schemas.js';

const SANDBOX = {
  type: 'boolean',
  default: false,
  description:
    'true returns a deterministic example instead of a live answer: free, and the other parameters are not looked at.',
  examples: [true],
};

/** An agent sees one name of the wallet. The alias is for those who write URLs by hand. */
const HIDDEN = new Set(['user']);

/** Returns the parameters of a tool as JSON Schema: those of the REST door, and `sandbox`. */
export function inputSchemaOf(tool: McpTool): ObjectSchema {
  const { properties = {}, ...schema } = toJsonSchema(schemasOf(tool).request, 'input');
  const shown = Object.entries(properties).filter(([name]) => !HIDDEN.has(name));
  return { ...schema, properties: { ...Object.fromEntries(shown), sandbox: SANDBOX }, additionalProperties: false };
}
