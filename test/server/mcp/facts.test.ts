import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { parseEvaluation } from '#api/evaluate/evaluate-request';
import { MCP_FACTS, mcpServerName } from '#api/mcp-facts';
import { OPERATIONS } from '#api/operations';
import { OrderNumbersSchema } from '#api/order-numbers';
import { CREDIT_PACK, PRICES, TOOLS } from '#api/prices';
import { SANDBOX_INPUTS } from '#api/sandbox/sandbox-inputs';
import { FREE_TOOLS, SERVER_INSTRUCTIONS, TOOL_TEXTS } from '#api/tool-texts';
import { inputSchemaOf } from '#api/tools/input-schema';
import { outputSchemaOf } from '#api/tools/output-schema';
import type { McpTool } from '#api/tools/tool-schemas';
import { EVALUATED_BOOK, PARAMETER_EXAMPLES, RPC_EXAMPLES } from '#discovery/openapi/examples';
import { ROOT } from '#test/support/source-tree';

/** Longer descriptions cost every conversation of an agent; directories mark them down. */
const DESCRIPTION_LENGTH_MAX = 1_000;
/** Of both schemas of a tool, as JSON. */
const SCHEMA_LENGTH_MAX = 20_000;

/** One level of a book, in the two forms that the text names. */
const LEVEL = {
  anyOf: [{ type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'number' }] } }, { type: 'object' }],
};

/** The forms of a book that docs/interface.md names under "Evaluate". */
const BOOKS = [
  EVALUATED_BOOK,
  { bids: [[0.47, 300]], asks: [[0.48, 250]] },
  { bids: [{ price: '0.47', size: '300' }], asks: [{ price: 0.48, size: 250 }] },
  {
    market: '0x1',
    asset_id: '7',
    bids: [{ price: '0.47', size: '300' }],
    asks: [],
    tick_size: '0.01',
    neg_risk: false,
  },
  { orderbook_fp: { yes_dollars: [['0.47', '300']], no_dollars: [['0.52', '250']] } },
  { orderbook: { yes: [[47, 300]], no: null } },
];

/** What the documents show that a tool is called with. */
const EXAMPLES: readonly (readonly [tool: McpTool, args: object])[] = [
  ...SANDBOX_INPUTS.map(({ tool, parameter, value }) => [tool, { [parameter]: value, sandbox: true }] as const),
  ['preflight_trade', RPC_EXAMPLES.request.params.arguments],
  ['preflight_trade', { slug: 'will-it-rain', side: 'BUY', usd: 250, plan: true, exit: true, evidence: true }],
  ['preflight_trade', { token_id: '1234567890', limit_price: 0.42, post_only: true }],
  ['preflight_copy', { wallet: PARAMETER_EXAMPLES.wallet, evidence: true }],
  ...BOOKS.map((book) => ['evaluate', { book, side: 'BUY', usd: 100 }] as const),
];

const EVERY_TOOL = [...TOOLS, ...FREE_TOOLS] as const;

const hasNumber = (values: unknown[]) => values.some((value) => typeof value === 'number');

describe('what the MCP server says of itself', () => {
  it('has the version of the package, and a description that directories do not cut', () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    expect(MCP_FACTS.version).to.equal(version);
    expect(MCP_FACTS.description.length).to.be.at.most(100);
  });

  it('is named after its public address: the host backwards, one slash, the product', () => {
    const names = {
      'https://preflight.example': 'example.preflight/preflight',
      'https://api.preflight.example:8443/base': 'example.preflight.api/preflight',
      'http://localhost:4021': 'localhost/preflight',
      'http://127.0.0.1:4021': 'localhost/preflight',
      'http://[::1]:4021': 'localhost/preflight',
    };
    for (const [url, name] of Object.entries(names)) expect(mcpServerName(url)).to.equal(name);
  });

  it('tells of every tool when to use it, when not and what to use then, and its price', () => {
    for (const tool of TOOLS) {
      const { description } = TOOL_TEXTS[tool];
      expect(description).to.match(/^\w+ [^.]*\. ?/);
      expect(description).to.match(/Use when .*\. .*Not .*→ use `\w+`/);
      expect(description).to.include(`${Number(PRICES[tool].amountMicros) / 1e6}`);
      expect(description).to.match(new RegExp(`or ${PRICES[tool].credits} credits? `));
      expect(description).to.match(/never charged/);
    }
    expect(TOOL_TEXTS.credits.description).to.include(`${CREDIT_PACK.credits} credits for ${CREDIT_PACK.usd} USDC`);
  });

  it('names in its texts only tools that exist', () => {
    const names = new Set<string>([...Object.keys(OPERATIONS), ...FREE_TOOLS]);
    const texts = [SERVER_INSTRUCTIONS, ...Object.values(TOOL_TEXTS).map(({ description }) => description)];
    const mentioned = texts.flatMap((said) => Array.from(said.matchAll(/use `(\w+)`|^`(\w+)`/g), (m) => m[1] ?? m[2]!));
    expect(mentioned.length).to.be.above(3);
    expect(mentioned.filter((name) => !names.has(name))).to.deep.equal([]);
  });

  it('shows schemas that every client can read, and no word too many', () => {
    for (const tool of EVERY_TOOL) {
      const shown = JSON.stringify([inputSchemaOf(tool), outputSchemaOf(tool)]);
      expect(shown.length, tool).to.be.below(SCHEMA_LENGTH_MAX);
      for (const unread of [
        '"$schema"',
        '"type":[',
        ':{}',
        '"items":false',
        '"prefixItems"',
        String(Number.MAX_SAFE_INTEGER),
      ]) {
        expect(shown, tool).to.not.include(unread);
      }
      expect(shown, tool).to.not.match(/"format":"date[^{}]*"pattern"/);
    }
  });

  it('shows parameters in the words that the APIs of all models read, and no others', () => {
    const read = ['description', 'type', 'default', 'enum', 'minimum', 'maximum', 'minLength', 'maxLength', 'pattern'];
    for (const tool of EVERY_TOOL) {
      const { properties, ...schema } = inputSchemaOf(tool);
      expect(schema, tool).to.deep.equal({ type: 'object', additionalProperties: false });
      for (const [name, part] of Object.entries(properties as Record<string, Record<string, unknown>>)) {
        const { properties: members, ...words } = part;
        expect(
          Object.keys(words).filter((word) => !read.includes(word)),
          name,
        ).to.deep.equal([]);
        expect(part.type, name).to.be.oneOf([
          'string',
          'number',
          'boolean',
          ...(members === undefined ? [] : ['object']),
        ]);
        for (const [member, inner] of Object.entries((members ?? {}) as Record<string, { type: string }>)) {
          const list = { type: 'array', items: LEVEL };
          expect(inner, `${name}.${member}`).to.deep.equal(inner.type === 'array' ? list : { type: inner.type });
        }
        if ('enum' in part) expect(part, name).to.include({ type: 'string' });
      }
    }
  });

  it('takes by its schemas what the documents show, and sandbox alone', () => {
    const ajv = new Ajv2020();
    const faults = [...EVERY_TOOL.map((tool) => [tool, { sandbox: true }] as const), ...EXAMPLES].map(
      ([tool, args]) => {
        const isTaken = ajv.validate(inputSchemaOf(tool), args);
        return isTaken ? null : `${tool} ${JSON.stringify(args)}: ${ajv.errorsText(ajv.errors)}`;
      },
    );
    expect(faults.filter((fault) => fault !== null)).to.deep.equal([]);
    for (const book of BOOKS) expect(parseEvaluation({ book }), JSON.stringify(book)).to.include({ kind: 'parsed' });
  });

  it('shows answers in few words, none of them of a kind that some readers lack', () => {
    const read = new Set(['type', 'description', 'required', 'properties', 'items', 'enum', 'const', 'anyOf']);
    const look = (part: Record<string, unknown>, where: string): void => {
      for (const [word, value] of Object.entries(part)) {
        expect(read.has(word), `${where}.${word}`).to.equal(true);
        if (word === 'const' || word === 'enum') expect([value].flat(), where).to.not.satisfy(hasNumber);
        if (word === 'anyOf') for (const each of value as Record<string, unknown>[]) look(each, where);
        if (word === 'items') look(value as Record<string, unknown>, `${where}[]`);
        if (word !== 'properties') continue;
        for (const [name, each] of Object.entries(value as Record<string, Record<string, unknown>>)) {
          look(each, `${where}.${name}`);
        }
      }
    };
    for (const tool of EVERY_TOOL) look(outputSchemaOf(tool), tool);
  });

  it('names in the schema of an order verdict what is to be acted upon', () => {
    const [answer] = outputSchemaOf('preflight_trade').anyOf as [
      { properties: Record<string, { properties: object }> },
    ];
    expect(Object.keys(answer.properties.numbers!.properties)).to.deep.equal(Object.keys(OrderNumbersSchema.shape));
    expect(answer.properties).to.have.property('reason_codes');
  });

  it('says what to do on each verdict', () => {
    const { preflight_trade: order, preflight_copy: copy } = TOOL_TEXTS;
    expect(order.description).to.match(/OK: send before `meta\.valid_until`/);
    expect(order.description).to.match(/CAUTION: send at most `numbers\.safe_size_usd`\. VETO: do not send/);
    for (const verdict of ['COPY', 'WATCH', 'VETO', 'QUEUED', 'NO_COVERAGE']) {
      expect(copy.description).to.match(new RegExp(`${verdict}: \\w+,? `));
    }
    expect(copy.description).to.match(/QUEUED: .*repeat after retry_after_seconds/);
  });

  it('shows the bounds and defaults of an order', () => {
    const { properties } = inputSchemaOf('preflight_trade') as { properties: Record<string, object> };
    expect(properties.usd).to.include({ type: 'number', default: 100, minimum: 0, maximum: 10_000_000 });
    expect(properties.evidence).to.include({ type: 'boolean', default: false });
    expect(properties.plan).to.include({ type: 'boolean', default: false });
    expect(properties.max_slippage_c).to.include({ type: 'number', default: 1, minimum: 0, maximum: 100 });
    expect(properties.veto_slippage_c).to.include({ type: 'number', default: 3 });
    expect(properties.max_book_age_s).to.include({ type: 'number', default: 60, maximum: 86_400 });
    expect(properties.limit_price).to.include({ type: 'number', minimum: 0, maximum: 1 });
    expect(properties.limit_price)
      .to.have.property('description')
      .that.includes('above 0, below 1, at most 4 decimals');
    expect(properties.side).to.deep.include({ type: 'string', enum: ['BUY', 'SELL'], default: 'BUY' });
  });

  it('is brief', () => {
    for (const { title, description } of Object.values(TOOL_TEXTS)) {
      expect(description.length, title).to.be.at.most(DESCRIPTION_LENGTH_MAX);
    }
  });
});
