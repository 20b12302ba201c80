import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'chai';
import { MCP_FACTS, mcpServerName } from '#api/mcp-facts';
import { OPERATIONS, type ServedTool } from '#api/operations';
import { Problem } from '#domain/errors';
import { FreeAnswer } from '#services/gate/tool';
import { type Connected, type ListedTool, MCP_CLIENTS, type ToolAnswer } from './support/mcp-clients.js';
import { liveAnswer, type McpDoor, openMcpDoor, TERMS } from './support/mcp-door.js';

const WALLET = `0x${'cd'.repeat(20)}`;
/** GET /book of the venue, in short. */
const BOOK = { bids: [{ price: '0.47', size: '300' }], asks: [{ price: '0.48', size: '900' }], tick_size: '0.01' };
const QUEUED = {
  ok: true,
  verdict: 'QUEUED',
  wallet: WALLET,
  reasons: ['the profile is being computed'],
  retry_after_seconds: 90,
  note: 'Ask again then.',
};

/** Arguments that each paid tool understands. */
const ARGUMENTS: Readonly<Record<ServedTool, Record<string, unknown>>> = {
  preflight_trade: { slug: 'will-it-rain', usd: 25 },
  leaderboard: {},
  red_list: {},
  preflight_copy: { wallet: `0x${'ab'.repeat(20)}` },
};
const PAID_TOOLS = Object.keys(ARGUMENTS) as ServedTool[];

const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);
const compiled = new Map<string, ValidateFunction>();

/** Returns what the tool's own schema finds wrong with an answer; null: nothing. */
function faultOf(listed: readonly ListedTool[], name: string, { structuredContent }: ToolAnswer): string | null {
  const schema = listed.find((tool) => tool.name === name)!.outputSchema!;
  const key = JSON.stringify(schema);
  const validate = compiled.get(key) ?? ajv.compile(schema);
  compiled.set(key, validate);
  return validate(structuredContent) ? null : `${name}: ${ajv.errorsText(validate.errors)}`;
}

describe('MCP, with the official clients', () => {
  let door: McpDoor;
  before(async () => {
    const run = (tool: ServedTool, args: unknown) =>
      tool === 'preflight_copy' && (args as { wallet: string }).wallet === WALLET
        ? Promise.resolve(new FreeAnswer(202, QUEUED, 90))
        : undefined;
    door = await openMcpDoor({ run, credits: 500 });
  });
  after(() => door.stop());

  for (const client of MCP_CLIENTS) {
    describe(client.name, () => {
      let anonymous: Connected;
      let paying: Connected;
      let listed: readonly ListedTool[];
      before(async () => {
        anonymous = await client.connect(door.url);
        paying = await client.connect(door.url, { Authorization: `Bearer ${door.token}` });
        listed = await anonymous.tools();
        await paying.tools();
      });
      after(async () => {
        await anonymous?.close();
        await paying?.close();
      });

      /** The same object as text and as structure, and what the schema of the tool promised. */
      function expectValid(name: string, answer: ToolAnswer): void {
        const [content, ...others] = answer.content;
        expect(others).to.deep.equal([]);
        expect(JSON.parse(content!.text)).to.deep.equal(answer.structuredContent);
        expect(faultOf(listed, name, answer)).to.equal(null);
      }

      it('speaks its revision and learns who answers', () => {
        expect(anonymous.protocolVersion).to.equal(client.protocolVersion);
        expect(anonymous.server).to.include({ name: mcpServerName(TERMS.baseUrl), version: MCP_FACTS.version });
      });

      it('lists the six tools, in words and types', () => {
        const names = ['preflight_trade', 'preflight_copy', 'leaderboard', 'red_list', 'evaluate', 'credits'];
        expect(listed.map(({ name }) => name)).to.have.members(names);
        for (const { name, description, annotations, inputSchema, outputSchema } of listed) {
          const isFree = name === 'credits' || name === 'evaluate';
          expect(description).to.match(/Use when .*Not .*/);
          expect(annotations).to.include({
            readOnlyHint: isFree,
            destructiveHint: false,
            idempotentHint: isFree,
            openWorldHint: name !== 'evaluate',
          });
          expect(inputSchema).to.include({ type: 'object', additionalProperties: false });
          for (const [name, property] of Object.entries(
            inputSchema.properties as Record<string, { readonly description?: string }>,
          )) {
            expect(property, name).to.have.property('description');
            expect(property, name).to.have.property('type');
            const hasDefault =
              'default' in property ||
              /default|left out|one of slug or|instead of slug|Required unless sandbox/.test(`${property.description}`);
            expect(hasDefault, name).to.equal(true);
          }
          expect(inputSchema.properties).to.have.property('sandbox');
          expect(outputSchema).to.have.property('type', 'object');
          expect(outputSchema).to.have.property('anyOf');
        }
      });

      it('tries every tool for free', async () => {
        for (const name of PAID_TOOLS) {
          const answer = await anonymous.call({ name, arguments: { sandbox: true, usd: 'nonsense' } });
          expectValid(name, answer);
          expect(answer.isError ?? false).to.equal(false);
          expect(answer.content[0]!.text).to.equal(OPERATIONS[name].exampleBody);
        }
        const terms = await paying.call({ name: 'credits', arguments: { sandbox: true } });
        expectValid('credits', terms);
        expect(terms.structuredContent).to.have.all.keys('ok', 'pack', 'costs');
      });

      it('gets the terms of the REST endpoint where it brings nothing, before its parameters are looked at', async () => {
        for (const name of PAID_TOOLS) {
          const answer = await anonymous.call({ name, arguments: { usd: -1, nonsense: true } });
          expectValid(name, answer);
          expect(answer.isError).to.equal(true);
          const { x402Version, code, resource, accepts } = answer.structuredContent;
          expect([x402Version, code]).to.deep.equal([2, 'payment_required']);
          expect(resource.url).to.equal(TERMS.baseUrl + OPERATIONS[name].path);
          expect(accepts).to.have.length(1);
          expect(accepts[0]).to.include({ network: 'eip155:8453', payTo: TERMS.payeeAddress });
        }
      });

      it('pays every tool with its token, and is charged for answers alone', async () => {
        const before = await door.balance();
        for (const name of PAID_TOOLS) {
          const answer = await paying.call({ name, arguments: ARGUMENTS[name] });
          expectValid(name, answer);
          const { paid, ...body } = answer.structuredContent;
          expect(body).to.deep.equal(liveAnswer(name));
          expect(paid.credits_used).to.equal(OPERATIONS[name].credits);
        }
        const spent = PAID_TOOLS.reduce((sum, name) => sum + OPERATIONS[name].credits, 0);
        expect(await door.balance()).to.equal(before - spent);

        const bad = await paying.call({ name: 'preflight_trade', arguments: { usd: -1 } });
        expectValid('preflight_trade', bad);
        expect(bad.structuredContent.code).to.equal('invalid_parameter');
        const queued = await paying.call({ name: 'preflight_copy', arguments: { wallet: WALLET } });
        expectValid('preflight_copy', queued);
        expect([queued.isError ?? false, queued.structuredContent]).to.deep.equal([false, QUEUED]);
        expect(await door.balance()).to.equal(before - spent);
      });

      it('reads its balance, or what there is to buy', async () => {
        const held = await paying.call({ name: 'credits' });
        expectValid('credits', held);
        expect(held.structuredContent).to.include({ ok: true, balance: await door.balance() });
        expect(Date.parse(held.structuredContent.expires)).to.be.above(Date.now());
        const terms = await anonymous.call({ name: 'credits', arguments: {} });
        expectValid('credits', terms);
        expect(terms.structuredContent).to.have.all.keys('ok', 'pack', 'costs');
      });

      it('has an order judged on its own book for nothing, as at REST, and is told what is wrong with it', async () => {
        const args = { book: BOOK, usd: 100, plan: true, evaluated_at: '2026-11-27T06:00:00Z' };
        const before = await door.balance();
        for (const connected of [anonymous, paying]) {
          const answer = await connected.call({ name: 'evaluate', arguments: args });
          expectValid('evaluate', answer);
          expect([answer.isError ?? false, answer._meta?.['x402/payment-response']]).to.deep.equal([false, undefined]);
          const rest = await fetch(`${door.url}/api/evaluate`, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify(args),
          });
          expect(answer.content[0]!.text).to.equal(await rest.text());
        }
        const wrong = await anonymous.call({ name: 'evaluate', arguments: { ...args, usd: -1 } });
        expectValid('evaluate', wrong);
        expect([wrong.isError, wrong.structuredContent.code]).to.deep.equal([true, 'invalid_parameter']);
        expect(wrong.structuredContent.error).to.match(/^usd /);
        const example = await anonymous.call({ name: 'evaluate', arguments: { sandbox: true, usd: 'nonsense' } });
        expectValid('evaluate', example);
        expect(example.structuredContent.sandbox).to.equal(true);
        expect(await door.balance()).to.equal(before);
      });

      it('is told of a token that is not valid', async () => {
        const guest = await client.connect(door.url, { Authorization: 'Bearer tk_guess' });
        await guest.tools();
        for (const name of [...PAID_TOOLS, 'credits']) {
          const answer = await guest.call({ name });
          expectValid(name, answer);
          expect([answer.isError, answer.structuredContent.code]).to.deep.equal([true, 'invalid_token']);
        }
        await guest.close();
      });
    });
  }
});

describe('MCP, where a paid call is not answered', () => {
  const ONE_OF_EACH_ERA = [MCP_CLIENTS[0]!, MCP_CLIENTS[3]!];
  const candidates = ['Yes', 'No'];
  const NOES: readonly { name: string; credits: number; problem: Problem | null; received: object }[] = [
    {
      name: 'its credits are exhausted',
      credits: 4,
      problem: null,
      received: { x402Version: 2, code: 'insufficient_credits', balance: 4, credits_required: 5 },
    },
    {
      name: 'the outcome is missing',
      credits: 5,
      problem: new Problem('outcome_required', 'say which outcome', { candidates }),
      received: { error: 'say which outcome', code: 'outcome_required', candidates },
    },
    {
      name: 'the venue is down',
      credits: 5,
      problem: new Problem('venue_unavailable', 'try again', { retryAfterS: 3 }),
      received: { error: 'try again', code: 'venue_unavailable', retry_after_seconds: 3 },
    },
  ];

  for (const { name, credits, problem, received } of NOES) {
    it(`tells in the promised form that ${name}, and charges nothing`, async () => {
      const run = () => (problem === null ? undefined : Promise.reject(problem));
      const door = await openMcpDoor({ credits, run });
      for (const client of ONE_OF_EACH_ERA) {
        const connected = await client.connect(door.url, { Authorization: `Bearer ${door.token}` });
        const listed = await connected.tools();
        const call = { name: 'preflight_copy', arguments: ARGUMENTS.preflight_copy };
        const answer = await connected.call(call);
        const { isError, structuredContent, content } = answer;
        expect(isError).to.equal(true);
        expect(structuredContent).to.include.keys('error', 'code');
        for (const [key, value] of Object.entries(received)) expect(structuredContent[key], key).to.deep.equal(value);
        expect(JSON.parse(content[0]!.text)).to.deep.equal(structuredContent);
        expect(faultOf(listed, call.name, answer)).to.equal(null);
        await connected.close();
      }
      expect(await door.balance()).to.equal(credits);
      await door.stop();
    });
  }
});
