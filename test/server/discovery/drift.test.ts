import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { PACK_TERMS } from '#api/credits';
import { ENDPOINTS } from '#api/endpoints';
import { ERROR_TEXTS } from '#api/error-texts';
import { docOf, ProblemCodeSchema } from '#api/errors';
import { MCP_FACTS, PRODUCT_VERSION } from '#api/mcp-facts';
import { OPERATIONS, type PaidProduct, paymentOffer } from '#api/operations';
import { VerdictSchema } from '#api/order-numbers';
import { CHANGES, PLAN_MEMBERS } from '#api/order-plan';
import { OrderVerdictSchema } from '#api/order-verdict';
import { CREDIT_PACK, GUARDRAILS } from '#api/prices';
import { SANDBOX_INPUTS } from '#api/sandbox/sandbox-inputs';
import { FREE_TOOLS, TOOL_TEXTS } from '#api/tool-texts';
import { inputSchemaOf } from '#api/tools/input-schema';
import { API_VERSION, INTERFACE_VERSION } from '#api/version';
import { CopyVerdictSchema } from '#api/wallets/wallet-parts';
import { sandboxTable } from '#discovery/agent-texts';
import { endpointTable, errorActions, errorTable, priceTable } from '#discovery/tables';
import { REASON_CODES } from '#domain/order/reasons';
import { LIMIT_REASONS } from '#domain/plan/limit-order';
import { PLAN_REASONS } from '#domain/plan/planned';
import { RECEIPT_META } from '#mcp/tool-result';
import { readLlmsTxt } from '#test/agents/support/llms-txt';
import { CONFIG, OPENAPI, OPERATION_ROWS, textOf } from '#test/support/discovery';
import { markdownPages, ROOT } from '#test/support/source-tree';
import { PAYMENT_META } from '#wire/x402/x402-payment';

/**
 * What the interface says, written down here by hand: every door is compared with this and so with
 * every other door.
 */
const PROMISED: Readonly<
  Record<PaidProduct, { usdc: string; micros: bigint; credits: number | null; paths: string[] }>
> = {
  preflight_trade: {
    usdc: '0.02',
    micros: 20_000n,
    credits: 1,
    paths: ['GET /api/preflight_trade', 'POST /api/preflight_trade'],
  },
  leaderboard: { usdc: '0.02', micros: 20_000n, credits: 1, paths: ['GET /api/leaderboard'] },
  red_list: { usdc: '0.02', micros: 20_000n, credits: 1, paths: ['GET /api/red_list'] },
  preflight_copy: { usdc: '0.10', micros: 100_000n, credits: 5, paths: ['GET /api/preflight_copy'] },
  credits: { usdc: '5.00', micros: 5_000_000n, credits: null, paths: ['POST /api/credits'] },
};
const FREE_PATHS = [
  'POST /api/evaluate',
  'GET /api/credits',
  'POST /api/credits/token',
  'POST /api/redeem',
  'POST /mcp',
  'GET /demo/markets',
  'GET /demo/books/{token_id}/events',
  'GET /healthz',
  'GET /status.json',
  'GET /status/history.json',
  'GET /scoreboard.json',
];
const PACK = { usd: 5, credits: 500, valid_days: 365 };

const sold = Object.entries(PROMISED) as [PaidProduct, (typeof PROMISED)[PaidProduct]][];
const tools = sold.filter(([, { credits }]) => credits !== null);
const agent = JSON.parse(textOf('/agent.json'));
const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
const interfacePage = readFileSync(join(ROOT, 'docs/interface.md'), 'utf8');
const PLAN_FIELDS = Object.keys(PLAN_MEMBERS.plan.unwrap().unwrap().shape);
const packageJson = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

/** Rows of the Markdown tables of a text, by their first cell without code marks. */
/** The first cells of the tables between two headings of the interface; one that names several is as many. */
function cellsBetween(from: string, to: string): string[] {
  const section = interfacePage.slice(interfacePage.indexOf(from), interfacePage.indexOf(to));
  return [...new Set([...rowsOf(section).keys()].flatMap((cell) => cell.split(', ')))];
}

function rowsOf(text: string): ReadonlyMap<string, readonly string[]> {
  const lines = text.split('\n').filter((line) => /^\| /.test(line));
  const rows = lines.map((line) =>
    line
      .slice(2, -2)
      .split(' | ')
      .map((cell) => cell.replaceAll('`', '').trim()),
  );
  return new Map(rows.map(([first, ...rest]) => [first!, rest]));
}

/** A parameter of REST as an agent is shown it: in words that the APIs of all models read. */
function inCommonWords({
  examples: _,
  exclusiveMinimum: above,
  exclusiveMaximum: below,
  ...part
}: Record<string, unknown>) {
  if (part.type === 'boolean') return { ...part, default: false };
  return {
    ...part,
    ...(above === undefined ? {} : { minimum: above }),
    ...(below === undefined ? {} : { maximum: below }),
  };
}

describe('one source of facts', () => {
  it('has the prices of the interface in the 402, the gate and the balance', () => {
    for (const [product, { micros }] of sold)
      expect(paymentOffer(product, CONFIG).amountMicros, product).to.equal(micros);
    expect(CREDIT_PACK).to.deep.equal(PACK);
    expect(PACK_TERMS.pack).to.deep.equal(PACK);
    expect(PACK_TERMS.costs).to.deep.equal(Object.fromEntries(tools.map(([tool, { credits }]) => [tool, credits])));
    expect(Object.keys(OPERATIONS)).to.have.members(tools.map(([tool]) => tool));
  });

  it('has the same prices and paths in /openapi.json', () => {
    const priced = OPERATION_ROWS.map(({ path, method, operation }) => [
      `${method} ${path}`,
      operation['x-payment-info']?.price ?? null,
    ]);
    const expected = [
      ...sold.flatMap(([, { usdc, paths }]) =>
        paths.map((path) => [path, { mode: 'fixed', currency: 'USD', amount: usdc }]),
      ),
      ...FREE_PATHS.map((path) => [path, null]),
    ];
    expect(Object.fromEntries(priced)).to.deep.equal(Object.fromEntries(expected));
  });

  it('has the same prices and paths in /agent.json', () => {
    const priced = agent.endpoints.map((one: Record<string, string>) => [
      `${one.method} ${one.url!.slice(CONFIG.baseUrl.length)}`,
      [one.price_usdc, one.credits],
    ]);
    const expected = [
      ...sold.flatMap(([, { usdc, credits, paths }]) => paths.map((path) => [path, [usdc, credits]])),
      ...FREE_PATHS.map((path) => [path, [null, null]]),
    ];
    expect(Object.fromEntries(priced)).to.deep.equal(Object.fromEntries(expected));
    expect(agent.credits.pack).to.deep.equal(PACK);
    expect(agent.payment).to.include({ payTo: CONFIG.payeeAddress, asset: CONFIG.usdcAddress, network: 'eip155:8453' });
    expect(GUARDRAILS).to.deep.equal({ usd_per_call_max: 0.1, usd_per_day_max: 2 });
  });

  for (const path of ['/llms.txt', '/pricing.md'] as const) {
    it(`has the same prices in ${path}`, () => {
      const rows = rowsOf(textOf(path));
      for (const [tool, { usdc, credits }] of tools)
        expect(rows.get(tool), tool).to.deep.equal([usdc, String(credits)]);
      expect(rows.get('credit pack')).to.deep.equal(['5.00', 'buys 500']);
    });
  }

  it('has the same paths in /llms.txt and /.well-known/x402', () => {
    const listed = readLlmsTxt(textOf('/llms.txt')).endpoints.map(({ method, path }) => `${method} ${path}`);
    const all = [...sold.flatMap(([, { paths }]) => paths), ...FREE_PATHS];
    expect(ENDPOINTS.map(({ method, path }) => `${method} ${path}`)).to.have.members(all);
    expect(listed).to.have.members(all);
    const { resources } = JSON.parse(textOf('/.well-known/x402'));
    const paid = new Set(sold.flatMap(([, { paths }]) => paths.map((path) => CONFIG.baseUrl + path.split(' ')[1])));
    expect(resources).to.have.members([...paid]);
  });

  it('tells an agent that reads nothing but /llms.txt every parameter, how to pay in each lane, and where MCP is', () => {
    const facts = readLlmsTxt(textOf('/llms.txt'));
    const received = facts.parameters.map(({ name, tool }) => `${tool} ${name}`);
    const taken = tools.flatMap(([tool, { paths }]) => {
      const { parameters = [] } = OPENAPI.paths[paths[0]!.split(' ')[1]!]!.get!;
      const own = parameters.filter(({ name, in: where }) => where === 'query' && !SWITCHES.has(name));
      return own.map(({ name }) => `${tool} ${name}`);
    });
    expect(received).to.have.members(taken);
    expect(facts.parameters.every(({ meaning }) => meaning.length > 10)).to.equal(true);
    expect([facts.sandboxQuery, facts.probeQuery]).to.deep.equal(['sandbox=1', 'x402_probe=1']);
    expect(facts.redeemMembers).to.have.members(
      Object.keys((OPENAPI.components.schemas.RedeemRequest as { properties: object }).properties),
    );
    expect(facts).to.include({ asset: CONFIG.usdcAddress, payTo: CONFIG.payeeAddress, network: 'eip155:8453' });
    expect(facts.mcp.url).to.equal(JSON.parse(textOf('/mcp/server-card')).remotes[0].url);
    expect([facts.mcp.payment, facts.mcp.receipt]).to.deep.equal([PAYMENT_META, RECEIPT_META]);
    for (const header of ['PAYMENT-SIGNATURE', 'X-PAYMENT', 'Idempotency-Key', 'Authorization: Bearer'])
      expect(textOf('/llms.txt')).to.include(header);
  });

  it('names payee and asset in every document that speaks of payment', () => {
    for (const path of ['/llms.txt', '/agent.json', '/auth.md', '/pricing.md', '/openapi.json']) {
      expect(textOf(path), path).to.include(CONFIG.payeeAddress).and.to.include(CONFIG.usdcAddress);
    }
  });

  it('has the same prices in the texts of the MCP tools', () => {
    expect(Object.keys(TOOL_TEXTS)).to.have.members([...tools.map(([tool]) => tool), ...FREE_TOOLS]);
    for (const [tool, { usdc, credits }] of tools) {
      expect(TOOL_TEXTS[tool].description, tool).to.match(new RegExp(`\\b${usdc} USDC .* ${credits} credit`));
    }
  });

  it('has the same parameters, bounds and defaults in MCP and REST', () => {
    for (const [tool, { paths }] of tools) {
      const { parameters = [] } = OPENAPI.paths[paths[0]!.split(' ')[1]!]!.get!;
      // Free switches and the alias for those who write URLs by hand are not shown to an agent.
      const shown = parameters.filter(({ name, in: where }) => where === 'query' && !HIDDEN.has(name));
      const rest = Object.fromEntries(
        shown.map(({ name, schema, description }) => [name, inCommonWords({ ...schema, description })]),
      );
      const { sandbox: _sandbox, ...mcp } = inputSchemaOf(tool as keyof typeof OPERATIONS).properties as object & {
        sandbox: object;
      };
      expect(mcp, tool).to.deep.equal(rest);
    }
  });

  it('takes for an evaluation the same parameters by MCP as by REST, with the same defaults', () => {
    const { properties, required } = OPENAPI.components.schemas.EvaluateRequest as {
      readonly properties: Readonly<Record<string, { readonly default?: unknown; readonly description?: string }>>;
      readonly required: readonly string[];
    };
    const schema = inputSchemaOf('evaluate');
    const { sandbox: _sandbox, ...mcp } = schema.properties as typeof properties;
    const added = new Set(['plan', 'exit', 'post_only']);
    const shown = Object.entries(properties).map(([name, part]) => [name, added.has(name) ? false : part.default]);
    expect(Object.fromEntries(Object.entries(mcp).map(([name, part]) => [name, part.default]))).to.deep.equal(
      Object.fromEntries(shown),
    );
    // By MCP `sandbox` alone is a call, so that what REST requires is told in words.
    expect(schema.required).to.equal(undefined);
    expect(required).to.deep.equal(['book']);
    expect(mcp.book!.description).to.match(/Required unless sandbox is true\.$/);
  });

  it('explains every error code in every list of them', () => {
    const codes = [...ProblemCodeSchema.options];
    expect(Object.keys(ERROR_TEXTS)).to.have.members(codes);
    expect(errorTable().split('\n')).to.have.length(codes.length + 2);
    expect(textOf('/llms.txt')).to.include(errorActions());
    expect(readLlmsTxt(textOf('/llms.txt')).anchors).to.have.members(codes);
    expect(codes).to.include.members(Object.keys(OPENAPI.components.examples));
  });

  it('has a place in /llms.txt for the doc of every error code', () => {
    const { anchors } = readLlmsTxt(textOf('/llms.txt'));
    expect(new Set(anchors).size).to.equal(anchors.length);
    for (const code of ProblemCodeSchema.options) {
      const { pathname, hash } = new URL(docOf(code), CONFIG.baseUrl);
      expect([pathname, anchors.includes(hash.slice(1))], code).to.deep.equal(['/llms.txt', true]);
    }
  });

  it('shows in /llms.txt the fields of a verdict, what to do on every verdict, and every rehearsal', () => {
    const { verdicts, rehearsals } = readLlmsTxt(textOf('/llms.txt'));
    const [, fields = ''] = /^\*\*Answer\*\* of preflight_trade: (.*)$/m.exec(textOf('/llms.txt')) ?? [];
    const named = [...fields.matchAll(/\b[a-z]+(?:_[a-z]+)*\b/g)].map(([name]) => name);
    const { numbers, ...members } = JSON.parse(OPERATIONS.preflight_trade.exampleBody);
    expect(named).to.include.members(Object.keys(members).filter((name) => !['ok', 'sandbox', 'note'].includes(name)));
    expect(named.filter((name) => name in numbers)).to.have.length.above(7);
    const received = (subject: string) => verdicts.filter(({ of }) => of === subject).map(({ verdict }) => verdict);
    expect(received('order')).to.have.members([...VerdictSchema.options]);
    expect(received('wallet')).to.have.members([...CopyVerdictSchema.options, 'NO_COVERAGE', 'QUEUED']);
    expect(verdicts.find(({ verdict }) => verdict === 'CAUTION')!.what).to.include('safe_size_usd');
    expect(rehearsals).to.have.length(SANDBOX_INPUTS.length);
  });

  it('fits into 4,000 tokens of a model, with curl first', () => {
    const text = textOf('/llms.txt');
    // By the tokenizer o200k: measured, and rounded down.
    expect(Buffer.byteLength(text) / 3.55).to.be.below(4_000);
    expect(text.indexOf('curl ')).to.be.within(0, 800);
  });

  it('tells the limits of the interface', () => {
    const text = textOf('/llms.txt');
    for (const limit of [
      'default 100',
      'above 1c per share is CAUTION',
      'at 3c VETO',
      'older than 60 s is VETO',
      '10 first entries in 90 days',
      '04:30 UTC',
      '$5 per first entry, 2 cents',
      'fills of 5 or more shares',
      '0.10 USD per call',
      '(2 USD)',
    ]) {
      expect(text, limit).to.include(limit);
    }
  });

  it('tells in /llms.txt every reason for a CAUTION and a VETO, with the bounds that are in force', () => {
    const limits = textOf('/llms.txt').split('**Limits and defaults**')[1]!.split('**Errors**')[0]!;
    expect(Object.keys(REASONS_TOLD)).to.have.members(REASON_CODES.filter((code) => !NO_REASON.has(code)));
    for (const [code, words] of Object.entries(REASONS_TOLD)) expect(limits, code).to.match(words);
  });

  it('tells in /llms.txt what an evaluation takes in the place of a market', () => {
    const [said = ''] = /^`POST \/api\/evaluate` takes .*$/m.exec(textOf('/llms.txt')) ?? [];
    const order = Object.keys(OPERATIONS.preflight_trade.request.shape);
    const taken = Object.keys((OPENAPI.components.schemas.EvaluateRequest as { properties: object }).properties);
    const named = [...said.matchAll(/`(\w+)`/g)].map(([, name]) => name);
    expect(named).to.have.members(['book', ...order.filter((name) => !taken.includes(name))]);
  });

  it('tells every field of an exit and of a resting order, and every reason why there is none', () => {
    const { exit, limit } = OrderVerdictSchema.shape;
    const [exitFields, limitFields] = [exit.unwrap().unwrap(), limit.unwrap()].map(({ shape }) => Object.keys(shape));
    expect(cellsBetween('## Exit', '## Limit')).to.have.members(['Field', '---', ...exitFields!]);
    expect(cellsBetween('## Limit', '## Remedies')).to.have.members([
      ...['Field', '---', ...limitFields!],
      ...LIMIT_REASONS,
    ]);
  });

  it('tells every field of a plan, every reason why there is none, and every remedy', () => {
    const rows = [...cellsBetween('## Plan', '## Exit'), ...cellsBetween('## Remedies', '## Evidence')];
    expect([...new Set(rows)]).to.have.members([
      'Field',
      '---',
      ...PLAN_FIELDS,
      'plan_reason',
      ...PLAN_REASONS,
      'change',
      ...CHANGES,
    ]);
  });

  it('has one version of the interface and one of the software', () => {
    expect(API_VERSION).to.equal('2026-07-14');
    expect(INTERFACE_VERSION).to.equal('1.0.0');
    expect(OPENAPI.info.version).to.equal(INTERFACE_VERSION);
    expect(textOf('/llms.txt')).to.include(`X-API-Version: ${API_VERSION}`);
    expect(agent).to.include({ api_version: API_VERSION, interface_version: INTERFACE_VERSION });
    expect(packageJson.version).to.equal(PRODUCT_VERSION).and.to.equal(MCP_FACTS.version);
  });
});

/** Codes of what is OK, of remarks, and of evidence of the first rules. */
const NO_REASON: ReadonlySet<string> = new Set(['PASSED', 'FEE_UNKNOWN', 'BELOW_MINIMUM_SHARES']);

/** What leads to each of the other verdicts, as /llms.txt has it. */
const REASONS_TOLD: Readonly<Record<string, RegExp>> = {
  MARKET_CLOSED: /a market that is closed, .* is VETO/,
  UNDER_RESOLUTION: /a market that is .*under resolution, .* is VETO/,
  NOT_ACCEPTING_ORDERS: /a market that is .*not taking orders is VETO/,
  NO_BOOK: /a market that is .*without a book .* is VETO/,
  BOOK_STALE: /older than 60 s is VETO/,
  BOOK_CROSSED: /a book that is crossed, .* is VETO/,
  SIDE_EMPTY: /a book that .*has nothing to take .* is VETO/,
  BEYOND_DEPTH: /the visible depth is CAUTION, above all of it VETO/,
  SLIPPAGE_VETO: /at 3c VETO/,
  BELOW_MINIMUM_NOTIONAL: /a BUY below 1 USD is VETO/,
  GAME_OVER: /due over 48 h ago that still takes orders is CAUTION/,
  SLIPPAGE_CAUTION: /slippage above 1c per share is CAUTION/,
  DEPTH_CAUTION: /above 0\.25 of the visible depth is CAUTION/,
  PRICE_EXTREME: /a best price of 0\.97 or more, or 0\.03 or less, is CAUTION/,
};

const SWITCHES = new Set(['sandbox', 'x402_probe']);
const HIDDEN = new Set([...SWITCHES, 'user']);

describe('README.md', () => {
  it('tells no price that is not one', () => {
    const received = [...readme.matchAll(/(\d+(?:\.\d+)?) USDC/g)].map(([, amount]) => Number(amount));
    const prices = sold.map(([, { usdc }]) => Number(usdc));
    // The demo wallet's money before and after its one call.
    const others = received.filter((amount) => !prices.includes(amount) && ![99.98, 100].includes(amount));
    expect(received.length).to.be.above(0);
    expect(others).to.deep.equal([]);
    expect(readme).to.include(`${PACK.credits} credits`).and.to.include(`${PACK.valid_days} days`);
  });

  it('promises an example of each tool and terms of whatever is paid, as there are', () => {
    const takers = (name: string) =>
      new Set(
        OPERATION_ROWS.filter(({ operation }) => operation.parameters?.some((one) => one.name === name)).map(
          ({ path }) => path,
        ),
      );
    expect([...takers('sandbox')]).to.have.members(Object.values(OPERATIONS).map(({ path }) => path));
    expect([...takers('x402_probe')]).to.have.members([...takers('sandbox'), '/api/credits']);
    expect(readme.replaceAll('\n', ' ')).to.include(
      '`?sandbox=1` returns a free example of each tool, `?x402_probe=1` the terms of whatever is paid.',
    );
  });

  it('names only endpoints that exist', () => {
    const named = [...readme.matchAll(/\/api\/\w+/g)].map(([path]) => path);
    const served = ENDPOINTS.map(({ path }) => path);
    expect(named.length).to.be.above(0);
    expect(named.filter((path) => !served.includes(path))).to.deep.equal([]);
  });
});

describe('Markdown pages', () => {
  it('have their tables of prices, endpoints and errors from the one source', () => {
    const tables = [priceTable(), endpointTable(), errorTable(), sandboxTable()];
    const shown = markdownPages().flatMap(({ path, text }) =>
      tables.filter((table) => text.includes(table.split('\n')[0]!)).map((table) => ({ path, text, table })),
    );
    expect(shown.map(({ path }) => path)).to.include('README.md');
    for (const { path, text, table } of shown) expect(text, path).to.include(table);
  });
});
