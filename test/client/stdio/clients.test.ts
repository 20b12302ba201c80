import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'chai';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { OPERATIONS, type ServedTool } from '#api/operations';
import { PRICES, TOOLS } from '#api/prices';
import { SANDBOX_INPUTS } from '#api/sandbox/sandbox-inputs';
import { needAnvil } from '#test/local/support/chain-harness';
import { type ListedTool, MCP_CLIENTS, type ToolAnswer } from '#test/server/mcp/support/mcp-clients';
import { type LocalMoney, moneyOf } from '#test/support/local-money';
import { type LocalProcess, newDataDir, redeemLocal, startLocalProcess } from '#test/support/local-process';
import { publishSampleBoard, RATED_WALLET } from '#test/support/rated-data-dir';
import { tempFolder } from '#test/support/temp-folder';
import { PROCESS_TEST_MS } from '#test/support/time-limits';
import { noisyServer, STDIO_CLIENTS, type StdioHost } from './support/stdio-process.js';

const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);

const NAMES = [...TOOLS, 'evaluate', 'credits', 'limits'];
const ALL_MICROS = TOOLS.reduce((sum, tool) => sum + PRICES[tool].amountMicros, 0n);
const ALL_CREDITS = TOOLS.reduce((sum, tool) => sum + PRICES[tool].credits, 0);

describe('the server on stdio, with official clients', function () {
  this.timeout(PROCESS_TEST_MS);
  let local: LocalProcess;
  let money: LocalMoney;
  let calls: Readonly<Record<ServedTool, Record<string, unknown>>>;
  let host: StdioHost | undefined;

  before(async function () {
    needAnvil(this);
    const dataDir = newDataDir();
    await publishSampleBoard(dataDir);
    local = await startLocalProcess({ dataDir });
    money = moneyOf(local);
    const { exampleSlug: slug, exampleOutcome: outcome } = local.facts;
    calls = {
      preflight_trade: { slug, outcome, usd: 25 },
      preflight_copy: { wallet: RATED_WALLET },
      leaderboard: {},
      red_list: {},
    };
  });
  afterEach(() => host?.close());
  after(() => local?.end('SIGKILL'));

  async function open(client: (typeof STDIO_CLIENTS)[number], env: Readonly<Record<string, string>>) {
    host = await client.connect(local.facts.url, { PREFLIGHT_HOME: `${tempFolder('stdio')}/state`, ...env });
    const listed = await host.tools();
    expect(listed.map(({ name }) => name)).to.have.members(NAMES);
    const call = async (name: string, args: Record<string, unknown> = {}) => {
      const answer = await host!.call({ name, arguments: args });
      expect(faultOf(listed, name, answer)).to.equal(null);
      return answer;
    };
    return { listed, call };
  }

  /** What the tool's own schema finds wrong with an answer, or with its text; null: nothing. */
  function faultOf(listed: readonly ListedTool[], name: string, { content, structuredContent }: ToolAnswer) {
    expect(JSON.parse(content[0]!.text)).to.deep.equal(structuredContent);
    const { outputSchema } = listed.find((tool) => tool.name === name)!;
    return ajv.validate(outputSchema!, structuredContent) ? null : `${name}: ${ajv.errorsText()}`;
  }

  /** Nothing but the protocol came, and no secret went. */
  function expectClean(answers: readonly ToolAnswer[], ...secrets: readonly string[]): void {
    expect(host!.faults).to.deep.equal([]);
    expect(host!.stderr()).to.equal('');
    for (const secret of secrets) expect(JSON.stringify(answers)).to.not.include(secret);
  }

  it('writes the protocol and nothing else to standard output, whatever is printed beside it and however it ends', async () => {
    const lines = (await noisyServer()).split('\n').filter((line) => line !== '');
    expect(lines.map((line) => JSON.parse(line).id)).to.deep.equal([1, 2]);
  });

  for (const client of STDIO_CLIENTS) {
    describe(client.name, () => {
      it('lists the tools of the service in its words, tries each for free, and spends the credits of a token', async () => {
        const token = await redeemLocal(local.facts, privateKeyToAccount(generatePrivateKey()).address);
        const { listed, call } = await open(client, { PREFLIGHT_TOKEN: token });
        expect(host!.protocolVersion).to.equal(client.protocolVersion);
        for (const tool of await listedByService(local.facts.url)) {
          const offered = listed.find(({ name }) => name === tool.name)!;
          expect(offered.inputSchema).to.deep.equal(tool.inputSchema);
          expect(offered.description!.startsWith(tool.description!)).to.equal(true);
          expect(offered.outputSchema!.anyOf).to.include.deep.members(tool.outputSchema!.anyOf as object[]);
        }
        const before = (await call('credits')).structuredContent.balance;
        for (const name of TOOLS) {
          const { content } = await call(name, { sandbox: true, usd: 'nonsense' });
          expect(content[0]!.text).to.equal(OPERATIONS[name].exampleBody);
          expect(content[1]!.text).to.match(/example and no live answer/);
        }
        for (const { tool, parameter, value } of SANDBOX_INPUTS) {
          const rest = await fetch(`${local.facts.url}/api/${tool}?${parameter}=${value}&sandbox=1`);
          const { structuredContent, isError } = await call(tool, { [parameter]: value, sandbox: true });
          const { verdict, candidates, sandbox } = (await rest.json()) as Record<string, unknown>;
          expect(isError === true, value).to.equal(candidates !== undefined);
          if (candidates !== undefined) expect(structuredContent.candidates).to.deep.equal(candidates);
          else if (rest.status === 200 && structuredContent.verdict !== 'QUEUED')
            expect([structuredContent.verdict, structuredContent.sandbox]).to.deep.equal([verdict, sandbox]);
        }
        const answers = [];
        for (const name of TOOLS) answers.push(await call(name, calls[name]));
        for (const { structuredContent, _meta } of answers) {
          expect(structuredContent.paid).to.include.keys('credits_used', 'credits_remaining');
          expect(_meta).to.deep.include({ lane: 'credits', stale: false });
        }
        const order = {
          book: { bids: [[0.47, 300]], asks: [[0.48, 900]] },
          usd: 50,
          evaluated_at: '2026-11-27T06:00:00Z',
        };
        const evaluated = await fetch(`${local.facts.url}/api/evaluate`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(order),
        });
        expect((await call('evaluate', order)).content[0]!.text).to.equal(await evaluated.text());
        expect((await call('evaluate', { ...order, book: 7 })).structuredContent).to.include({
          code: 'invalid_parameter',
          charged: 'nothing',
        });
        const after = await call('credits');
        expect(after.structuredContent.balance).to.equal(before - ALL_CREDITS);
        const limits = await call('limits');
        expect(limits.structuredContent).to.deep.include({ lane: 'credits', open_purchases: [] });
        expectClean([...answers, after, limits], token);
      });

      it('pays from a wallet on the chain, within a budget that it tells, and never for an example', async () => {
        const { account, privateKey } = await newWallet(money);
        const { listed, call } = await open(client, { PREFLIGHT_PRIVATE_KEY: privateKey });
        expect(listed.find(({ name }) => name === 'preflight_trade')!.annotations).to.include({ readOnlyHint: false });
        await call('preflight_trade', { ...calls.preflight_trade, sandbox: true });
        expect(await money.balanceOf(account)).to.equal(2n * ALL_MICROS);
        const answers = [];
        for (const name of TOOLS) answers.push(await call(name, calls[name]));
        for (const { structuredContent, _meta } of answers) {
          expect(structuredContent.paid, JSON.stringify(structuredContent)).to.include.keys(
            'price_paid_usdc',
            'transaction',
          );
          expect(_meta).to.deep.include({ lane: 'x402', stale: false });
        }
        // The board stands until tomorrow: it is not paid for twice.
        expect((await call('leaderboard'))._meta).to.include({ cached: true });
        const refused = await call('preflight_trade', { slug: 'a', usd: -1 });
        expect(refused.structuredContent).to.include({ code: 'invalid_parameter', charged: 'nothing' });
        expect(await money.balanceOf(account)).to.equal(ALL_MICROS);
        const limits = await call('limits');
        expect(limits.structuredContent).to.deep.include({
          lane: 'x402',
          usd_last_24h: Number(ALL_MICROS) / 1e6,
          usd_per_day_max: 2,
          open_purchases: [],
          tools: 'those of this release',
        });
        expectClean([...answers, refused, limits], privateKey.slice(2));
      });
    });
  }
});

async function newWallet(money: LocalMoney) {
  const privateKey = generatePrivateKey();
  const { address } = privateKeyToAccount(privateKey);
  await money.fund(address, 2n * ALL_MICROS);
  return { account: address, privateKey };
}

async function listedByService(url: string): Promise<readonly ListedTool[]> {
  const http = await MCP_CLIENTS[0]!.connect(url);
  const tools = await http.tools();
  await http.close();
  return tools;
}
