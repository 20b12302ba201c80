import { OPERATIONS } from '../operations.js';
import { type ObjectSchema, toJsonSchema } from './json-schema.js';
import { type McpTool, schemasOf } from './tool-schemas.js';

const SANDBOX = {
  type: 'boolean',
  default: false,
  description: 'true: a free example.',
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
  // What is required is said in words: with `sandbox` alone, nothing else is.
  const { properties = {}, required: _, ...schema } = toJsonSchema(schemasOf(tool).request, 'input');
  const shown = Object.entries(properties).filter(([name]) => !HIDDEN.has(name));
  const inWords = tool === 'evaluate' ? inFewWords : inCommonWords;
  const plain = shown.map(([name, part]) => [name, inWords(name, part as Part)] as const);
  return { ...schema, properties: { ...Object.fromEntries(plain), sandbox: SANDBOX }, additionalProperties: false };
}

type Part = Readonly<Record<string, unknown>>;

/** That a bound itself is not taken is told in the description. */
function inCommonWords(name: string, given: Part): Part {
  if (SWITCHES.has(name)) return { type: 'boolean', default: false, description: given.description };
  const { examples: _, exclusiveMinimum: above, exclusiveMaximum: below, ...part } = given;
  const bounds = {
    ...(above === undefined ? {} : { minimum: above }),
    ...(below === undefined ? {} : { maximum: below }),
  };
  return { ...part, ...bounds };
}

/** What an order has at `preflight_trade` too is explained there, and told here where it must be chosen. */
const EXPLAINED = new Set(Object.keys(OPERATIONS.preflight_trade.request.shape));
for (const name of ['side', 'limit_price']) EXPLAINED.delete(name);

/**
 * One level of a book, in the two forms that the description names: some clients send nothing that
 * the schema does not have.
 */
const LEVEL = {
  anyOf: [{ type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'number' }] } }, { type: 'object' }],
};

/** The two usual forms. That of Kalshi has other members, which are not refused here. */
const BOOK = { bids: { type: 'array', items: LEVEL }, asks: { type: 'array', items: LEVEL } };

/** A parameter of an evaluation: its type, default and meaning. Its bounds are told when they are passed. */
function inFewWords(name: string, part: Part): Part {
  const { anyOf = [], description: meaning, default: left, enum: values, properties } = part;
  const [first] = anyOf as readonly Part[];
  const description = EXPLAINED.has(name) ? 'As in preflight_trade.' : meaning;
  if (name === 'book')
    return { type: 'object', description: `${description} Required unless sandbox is true.`, properties: BOOK };
  if (SWITCHES.has(name)) return { type: 'boolean', default: false, description };
  return {
    type: part.type ?? first?.type,
    ...(values === undefined ? {} : { enum: values }),
    ...(left === undefined ? {} : { default: left }),
    description,
    ...(properties === undefined ? {} : { properties: typesOf(properties as Readonly<Record<string, Part>>) }),
  };
}

function typesOf(members: Readonly<Record<string, Part>>): Part {
  return Object.fromEntries(Object.entries(members).map(([name, { type }]) => [name, { type }]));
}
