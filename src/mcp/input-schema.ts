import { BOOK_AGE_S_MAX, DEFAULT_THRESHOLDS, DEFAULT_USD, SLIPPAGE_CENTS_MAX, USD_MAX } from '#domain/thresholds';
import { type ObjectSchema, toJsonSchema } from './json-schema.js';
import { type McpTool, schemasOf } from './tool-schemas.js';

const CENTS = { minimum: 0, maximum: SLIPPAGE_CENTS_MAX };

/** Bounds and defaults that the request schemas apply in code, where no JSON Schema shows them. */
const BOUNDS: Readonly<Record<string, object>> = {
  usd: { default: DEFAULT_USD, exclusiveMinimum: 0, maximum: USD_MAX },
  max_slippage_c: { default: DEFAULT_THRESHOLDS.slippageCautionCents, ...CENTS },
  veto_slippage_c: { default: DEFAULT_THRESHOLDS.slippageVetoCents, ...CENTS },
  max_book_age_s: { default: DEFAULT_THRESHOLDS.bookStaleVetoS, exclusiveMinimum: 0, maximum: BOOK_AGE_S_MAX },
};

const SANDBOX = {
  type: 'boolean',
  default: false,
  description:
    'true returns a deterministic example instead of a live answer: free, and no other parameter is looked at.',
};

/** An agent is told one name of the wallet. The alias is for those who write URLs by hand. */
const HIDDEN = new Set(['user']);

/** Returns the parameters of a tool as JSON Schema: those of the REST door, and `sandbox`. */
export function inputSchemaOf(tool: McpTool): ObjectSchema {
  const { properties = {}, ...schema } = toJsonSchema(schemasOf(tool).request, 'input');
  const shown = Object.entries(properties).filter(([name]) => !HIDDEN.has(name));
  const bounded = shown.map(([name, property]) => [name, { ...(property as object), ...BOUNDS[name] }]);
  return { ...schema, properties: { ...Object.fromEntries(bounded), sandbox: SANDBOX }, additionalProperties: false };
}
