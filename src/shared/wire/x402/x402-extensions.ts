/**
 * What the v2 terms hold beside the price: how the operation is called (extension "bazaar", from
 * which facilitators make their catalogs) and that a client may name its payment (extension
 * "payment-identifier"). Written by hand and short, because clients send all of it back in the
 * payment's header.
 */

const JSON_SCHEMA = 'https://json-schema.org/draft/2020-12/schema';

/**
 * How one operation is called: an example, and a JSON Schema of each parameter; and what its answer
 * looks like, in short.
 */
interface CallForm {
  readonly method: 'GET' | 'POST';
  readonly example: Readonly<Record<string, string | number>>;
  readonly properties: Readonly<Record<string, object>>;
  readonly required: readonly string[];
  readonly answer: AnswerForm;
}

/** An answer cut down to what distinguishes it from others; the whole form is in /openapi.json. */
interface AnswerForm {
  readonly example: Readonly<Record<string, unknown>>;
  readonly properties: Readonly<Record<string, object>>;
}

const TEXT = { type: 'string' };
const CENTS = { type: 'number', minimum: 0, maximum: 100 };
const NUMBER = { type: 'number' };
const SANDBOX_ON = { const: 1 };
/** 1 in a query, and true by MCP. */
const ADDITION = {};
const SANDBOX = { sandbox: SANDBOX_ON };
const OK = { type: 'boolean' };
const LIST: AnswerForm = { example: { ok: true, wallets: [] }, properties: { ok: OK, wallets: { type: 'array' } } };
/** The tools whose only parameters are the free switches. */
const NO_PARAMETERS: CallForm = { method: 'GET', example: {}, properties: SANDBOX, required: [], answer: LIST };

/** Returns the form of an answer that has a verdict. */
function verdict(...verdicts: readonly string[]): AnswerForm {
  return { example: { ok: true, verdict: verdicts[0] }, properties: { ok: OK, verdict: { enum: verdicts } } };
}

const CALLS = {
  preflight_trade: {
    method: 'GET',
    example: { slug: 'will-it-rain-tomorrow', outcome: 'Yes', side: 'BUY', usd: 100 },
    properties: {
      slug: TEXT,
      outcome: TEXT,
      token_id: { type: 'string', pattern: '^[0-9]+$' },
      side: { enum: ['BUY', 'SELL'] },
      usd: NUMBER,
      max_slippage_c: CENTS,
      veto_slippage_c: CENTS,
      max_book_age_s: NUMBER,
      limit_price: NUMBER,
      post_only: ADDITION,
      plan: ADDITION,
      exit: ADDITION,
      evidence: ADDITION,
      ...SANDBOX,
    },
    required: [],
    answer: verdict('OK', 'CAUTION', 'VETO'),
  },
  leaderboard: NO_PARAMETERS,
  red_list: NO_PARAMETERS,
  preflight_copy: {
    method: 'GET',
    example: { wallet: '0x0000000000000000000000000000000000000001' },
    properties: { wallet: { type: 'string', pattern: '^0x[0-9a-fA-F]{40}$' }, evidence: ADDITION, ...SANDBOX },
    required: ['wallet'],
    answer: verdict('COPY', 'WATCH', 'VETO', 'NO_COVERAGE', 'QUEUED'),
  },
  credits: {
    method: 'POST',
    example: {},
    properties: {},
    required: [],
    answer: { example: { ok: true, credits_added: 500 }, properties: { ok: OK, credits_added: { type: 'integer' } } },
  },
} as const satisfies Readonly<Record<string, CallForm>>;

/** The operations that are described in their terms: the four tools, and buying the credit pack. */
export type DiscoverableOperation = keyof typeof CALLS;

/** `payment-identifier` as its specification prints it, with the allowed characters added. */
const PAYMENT_IDENTIFIER = {
  info: { required: false },
  schema: {
    $schema: JSON_SCHEMA,
    type: 'object',
    properties: {
      required: { type: 'boolean' },
      id: { type: 'string', minLength: 16, maxLength: 128, pattern: '^[A-Za-z0-9_-]+$' },
    },
    required: ['required'],
  },
} as const;

/**
 * Returns `extensions` of the v2 terms; with a secret also the extension that clients send it back
 * in.
 */
export function extensionsOf(operation: DiscoverableOperation, purchaseSecret?: string): Record<string, unknown> {
  const extensions = { bazaar: bazaarOf(operation), 'payment-identifier': PAYMENT_IDENTIFIER };
  if (purchaseSecret === undefined) return extensions;
  return { ...extensions, 'purchase-secret': { info: { value: purchaseSecret }, schema: PURCHASE_SECRET } };
}

/**
 * A fresh value of each 402: the payment that echoes it can prove later who bought.
 */
const PURCHASE_SECRET = {
  type: 'object',
  properties: { value: TEXT },
  required: ['value'],
} as const;

/**
 * Returns the catalog entry of an operation: `info`, and the JSON Schema that facilitators check
 * it with before they list it.
 */
export function bazaarOf(operation: DiscoverableOperation) {
  const { method, example, properties, required, answer }: CallForm = CALLS[operation];
  const parameters = {
    type: 'object',
    properties,
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  };
  const input =
    method === 'GET'
      ? { info: { queryParams: example }, schema: { queryParams: parameters } }
      : { info: { bodyType: 'json', body: example }, schema: { bodyType: { const: 'json' }, body: parameters } };
  return entryOf(
    answer,
    { type: 'http', method, ...input.info },
    {
      properties: { type: { const: 'http' }, method: { enum: [method] }, ...input.schema },
      required: ['type', 'method', ...Object.keys(input.schema)],
    },
  );
}

/** The operations that are tools of the MCP server too. */
export type DiscoverableTool = Exclude<DiscoverableOperation, 'credits'>;

/**
 * Returns the catalog entry of a tool as it is called by MCP (extension "bazaar", type "mcp"),
 * for the terms that the MCP server gives. Short as the other one, since a client may send it back
 * in a header.
 */
export function mcpBazaarOf(tool: DiscoverableTool) {
  const { example, properties, required, answer }: CallForm = CALLS[tool];
  const isSwitch = (form: object) => form === SANDBOX_ON || form === ADDITION;
  const parameters = Object.entries(properties).map(([name, form]) => [name, isSwitch(form) ? OK : form] as const);
  const inputSchema = {
    type: 'object',
    properties: Object.fromEntries(parameters),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  };
  return entryOf(
    answer,
    { type: 'mcp', toolName: tool, transport: 'streamable-http', inputSchema, example },
    {
      properties: {
        type: { const: 'mcp' },
        toolName: { const: tool },
        transport: { enum: ['streamable-http', 'sse'] },
        inputSchema: { type: 'object' },
        example: inputSchema,
      },
      required: ['type', 'toolName', 'inputSchema'],
    },
  );
}

/** Returns an entry: what is put in and what comes out, as an example and as the schema of both. */
function entryOf<Input extends object>(
  answer: CallForm['answer'],
  input: Input,
  schema: { readonly properties: Readonly<Record<string, unknown>>; readonly required: readonly string[] },
) {
  return {
    info: { input, output: { type: 'json', example: answer.example } },
    schema: {
      $schema: JSON_SCHEMA,
      type: 'object',
      properties: {
        input: { type: 'object', ...schema, additionalProperties: false },
        output: {
          type: 'object',
          properties: { type: { const: 'json' }, example: { type: 'object', properties: answer.properties } },
          required: ['type', 'example'],
        },
      },
      required: ['input'],
      additionalProperties: false,
    },
  };
}

/**
 * Returns the operation that a resource URL stands for, or null: the last part of its path is the
 * name.
 */
export function operationAt(resourceUrl: string): DiscoverableOperation | null {
  const name = resourceUrl.slice(resourceUrl.lastIndexOf('/') + 1);
  return Object.hasOwn(CALLS, name) ? (name as DiscoverableOperation) : null;
}
