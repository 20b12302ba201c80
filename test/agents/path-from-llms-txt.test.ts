import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import {
  decodePaymentRequiredHeader,
  decodePaymentResponseHeader,
  encodePaymentRequiredHeader,
  encodePaymentSignatureHeader,
} from '@x402/core/http';
import type { PaymentRequired } from '@x402/core/types';
import { expect } from 'chai';
import type { Intent } from '#client/terms/terms';
import { needAnvil } from '#test/local/support/chain-harness';
import type { ToolAnswer } from '#test/server/mcp/support/mcp-clients';
import { type LocalMoney, moneyOf } from '#test/support/local-money';
import { type LocalProcess, newDataDir, startLocalProcess } from '#test/support/local-process';
import { publishSampleBoard } from '#test/support/rated-data-dir';
import { repeatingFetch } from '#test/support/repeating-fetch';
import type { Account } from '#test/support/signed-payments';
import { PROCESS_TEST_MS } from '#test/support/time-limits';
import { buy, carefulClient, faultOf, priceMicros } from './support/careful-payer.js';
import { type LlmsFacts, readLlmsTxt } from './support/llms-txt.js';

const WALLET_MICROS = 8_000_000n;
const PACK = 'credit pack';

describe('an agent that was given the address of /llms.txt, a wallet and an order', function () {
  this.timeout(PROCESS_TEST_MS);
  let local: LocalProcess;
  let money: LocalMoney;
  let account: Account;
  let facts: LlmsFacts;
  let order: string;
  let token: string;

  before(async function () {
    needAnvil(this);
    const dataDir = newDataDir();
    await publishSampleBoard(dataDir);
    local = await startLocalProcess({ dataDir });
    money = moneyOf(local);
    account = await money.newWallet(WALLET_MICROS);
    facts = readLlmsTxt(await (await fetch(`${local.facts.url}/llms.txt`)).text());
    order = `${parameter(/market or event slug/i)}=${local.facts.exampleSlug}&${parameter(/order size/i)}=25`;
  });
  after(() => local?.end('SIGKILL'));

  const parameter = (meaning: RegExp) => facts.parameters.find((one) => meaning.test(one.meaning))!.name;
  /** Where something is done, by what the table of endpoints says of it. */
  const at = (what: RegExp, method = 'GET') => {
    const found = facts.endpoints.find((endpoint) => endpoint.method === method && what.test(endpoint.what))!;
    return facts.baseUrl + found.path;
  };
  const ORDER = /check an order/i;
  /** The operation of an endpoint, as the table of prices names it. */
  const intentOf = (url: string): Intent => ({ operation: url.split('?')[0]!.split('/').at(-1)!, url });
  const demandOf = (answer: Response) => decodePaymentRequiredHeader(answer.headers.get('PAYMENT-REQUIRED')!);
  const paid = async (answer: Response) => {
    const text = await answer.text();
    expect(answer.status, text).to.equal(200);
    return JSON.parse(text);
  };

  it('finds the terms of every paid call free, and they are those of /llms.txt', async () => {
    const tools = [...facts.prices.keys()].filter((operation) => operation !== PACK);
    expect(tools).to.have.length(4);
    for (const tool of tools) {
      const url = facts.baseUrl + facts.endpoints.find(({ path }) => path.endsWith(`/${tool}`))!.path;
      for (const query of [`?${facts.probeQuery}`, '']) {
        const answer = await fetch(url + query);
        expect(answer.status).to.equal(402);
        const demand = demandOf(answer);
        expect(faultOf(facts, intentOf(url), demand), tool).to.equal(null);
      }
    }
  });

  it('sees an example of every tool before it spends anything', async () => {
    for (const tool of [...facts.prices.keys()].filter((operation) => operation !== PACK)) {
      const { path } = facts.endpoints.find((endpoint) => endpoint.path.endsWith(`/${tool}`))!;
      const example = await paid(await fetch(`${facts.baseUrl}${path}?${facts.sandboxQuery}`));
      expect(example).to.include({ ok: true, sandbox: true }).and.not.have.property('paid');
    }
    expect(await money.balanceOf(account.address)).to.equal(WALLET_MICROS);
  });

  it('checks its order for the price that is told, and the chain moves exactly that', async () => {
    const intent = intentOf(`${at(ORDER)}?${order}`);
    const answer = await buy(carefulClient(facts, account, intent), intent);
    const verdict = await paid(answer);
    expect(verdict.verdict).to.be.oneOf(['OK', 'CAUTION', 'VETO']);
    expect(verdict.paid.price_paid_usdc).to.equal(facts.prices.get(intent.operation)!.usdc);
    const receipt = decodePaymentResponseHeader(answer.headers.get('PAYMENT-RESPONSE')!);
    expect(receipt).to.include({ success: true, transaction: verdict.paid.transaction, network: facts.network });
    const [transfer] = await money.transfersIn(verdict.paid.transaction);
    expect(transfer!.to.toLowerCase()).to.equal(facts.payTo.toLowerCase());
    expect(await money.balanceOf(account.address)).to.equal(WALLET_MICROS - priceMicros(facts, intent.operation));
  });

  it('finds a wallet on the leaderboard and checks it', async () => {
    const list = intentOf(at(/worth copying/i));
    const { wallets } = await paid(await buy(carefulClient(facts, account, list), list));
    const check = intentOf(`${at(/check a wallet/i)}?${parameter(/wallet to check/i)}=${wallets[0].wallet}`);
    const profile = await paid(await buy(carefulClient(facts, account, check), check));
    expect(profile).to.include({ wallet: wallets[0].wallet, verdict: wallets[0].verdict });
    expect(profile.paid.price_paid_usdc).to.equal(facts.prices.get(check.operation)!.usdc);
  });

  it('rehearses every outcome that the page names, free, and waits where it is told to', async () => {
    const verdicts = new Set(facts.verdicts.map(({ verdict }) => verdict));
    const before = await money.balanceOf(account.address);
    for (const { query, tool, answer } of facts.rehearsals) {
      const path = facts.endpoints.find((endpoint) => endpoint.path.endsWith(`/${tool}`))!.path;
      const url = `${facts.baseUrl}${path}?${facts.sandboxQuery}&${query}`;
      const said = await bodyOf(await fetch(url));
      if (said.code === undefined) expect(verdicts.has(said.verdict), query).to.equal(true);
      expect(answer, query).to.include(said.code ?? said.verdict);
      if (said.candidates !== undefined) {
        const chosen = await paid(await fetch(`${url}&outcome=${said.candidates[0]}`));
        expect(answer).to.match(new RegExp(`${chosen.verdict}$`));
      }
      if (said.verdict === facts.queued.verdict) {
        const later = await waited(await fetch(url), () => fetch(url));
        expect(answer).to.match(new RegExp(`${(await paid(later)).verdict}$`));
      }
    }
    expect(await money.balanceOf(account.address)).to.equal(before);
  });

  const bodyOf = async (answer: Response) => JSON.parse(await answer.text());

  /** Repeats as the page says, until the answer is no longer that there is none yet. */
  async function waited(first: Response, repeat: () => Promise<Response>): Promise<Response> {
    let answer = first;
    while (answer.status === facts.queued.status) {
      const pauseMs = Number(answer.headers.get(facts.queued.header)) * 1_000;
      expect(pauseMs).to.be.above(0);
      // Sooner than it is told to, so that the suite need not wait.
      await new Promise((done) => setTimeout(done, Math.min(pauseMs, 500)));
      answer = await repeat();
    }
    return answer;
  }

  it('asks about a wallet without a profile, waits for it free, pays once for it, and never for a repeat', async () => {
    const check = intentOf(
      `${at(/check a wallet/i)}?${parameter(/wallet to check/i)}=${local.facts.exampleWallets.unseen}`,
    );
    const demand = demandOf(await fetch(check.url));
    const payment = await carefulClient(facts, account, check).createPaymentPayload(demand);
    const headers = { 'PAYMENT-SIGNATURE': encodePaymentSignatureHeader(payment) };
    const before = await money.balanceOf(account.address);
    const first = await fetch(check.url, { headers });
    expect(first.status).to.equal(facts.queued.status);
    expect((await bodyOf(first.clone())).verdict).to.equal(facts.queued.verdict);
    expect(await money.balanceOf(account.address)).to.equal(before);
    const answer = await waited(first, () => repeatingFetch(check.url, { headers }));
    const text = await answer.clone().text();
    expect((await paid(answer)).verdict).to.be.oneOf(['COPY', 'WATCH', 'VETO']);
    expect(await money.balanceOf(account.address)).to.equal(before - priceMicros(facts, check.operation));
    const repeat = await fetch(check.url, { headers });
    expect([repeat.headers.get(facts.replayHeader), await repeat.text()]).to.deep.equal(['true', text]);
    expect(await money.balanceOf(account.address)).to.equal(before - priceMicros(facts, check.operation));
  });

  it('is refused with what to do next, and finds the row of the refusal', async () => {
    const headers = { authorization: 'Bearer tk_nobody_nothing' };
    for (const [url, status] of [
      [`${at(ORDER)}?${order}`, 402],
      [at(/balance/i), 401],
    ] as const) {
      const refusal = await fetch(url, { headers });
      const { code, doc } = await bodyOf(refusal);
      expect([refusal.status, code]).to.deep.equal([status, 'invalid_token']);
      expect(facts.anchors).to.include(new URL(doc, facts.baseUrl).hash.slice(1));
      expect(new URL(doc, facts.baseUrl).pathname).to.equal('/llms.txt');
    }
  });

  const stranger = `0x${'66'.repeat(20)}`;
  const DISHONEST: Readonly<Record<string, (demand: PaymentRequired) => PaymentRequired>> = {
    'another payee': (demand) => changed(demand, { payTo: stranger }),
    'another price': (demand) => changed(demand, { amount: '20001' }),
    'another asset': (demand) => changed(demand, { asset: stranger }),
    'another network': (demand) => changed(demand, { network: 'eip155:1' }),
    'another resource': (demand) => ({
      ...demand,
      resource: { ...demand.resource!, url: 'https://elsewhere.example/' },
    }),
  };
  function changed(demand: PaymentRequired, to: Partial<PaymentRequired['accepts'][0]>): PaymentRequired {
    return { ...demand, accepts: [{ ...demand.accepts[0]!, ...to }] };
  }

  for (const [name, change] of Object.entries(DISHONEST)) {
    it(`signs nothing where a 402 asks for ${name}`, async () => {
      const intent = intentOf(`${at(ORDER)}?${order}`);
      const sent: Headers[] = [];
      const altered: typeof fetch = async (input, init) => {
        sent.push(new Headers(input instanceof Request ? input.headers : init?.headers));
        const answer = await fetch(input, init);
        const headers = { 'PAYMENT-REQUIRED': encodePaymentRequiredHeader(change(demandOf(answer))) };
        return new Response(await answer.text(), { status: answer.status, headers });
      };
      const before = await money.balanceOf(account.address);
      const bought = await buy(carefulClient(facts, account, intent), intent, undefined, altered).catch(
        (error: Error) => error,
      );
      expect(bought).to.be.an('error');
      expect(sent.map((headers) => headers.has('PAYMENT-SIGNATURE'))).to.deep.equal([false]);
      expect(await money.balanceOf(account.address)).to.equal(before);
    });
  }

  it('buys the credit pack, and pays its next call from it', async () => {
    const intent = { operation: PACK, url: at(/credit pack/i, 'POST') };
    const { usdc, credits } = facts.prices.get(PACK)!;
    expect(usdc).to.equal(facts.packUsdMax);
    const client = carefulClient(facts, account, intent, facts.packUsdMax);
    const init = { method: 'POST', headers: { 'Idempotency-Key': 'first-pack' } };
    const pack = await paid(await buy(client, intent, init));
    expect(`buys ${pack.credits_added}`).to.equal(credits);
    token = pack.token;
    expect((await calledWith(token)).paid).to.deep.equal({ credits_used: 1, credits_remaining: 499 });
  });

  it('redeems a promotional code, and pays a call from that', async () => {
    const values: Readonly<Record<string, string>> = { code: local.facts.promoCode, wallet: `0x${'5a'.repeat(20)}` };
    const body = JSON.stringify(Object.fromEntries(facts.redeemMembers.map((name) => [name, values[name]])));
    const init = { method: 'POST', body, headers: { 'content-type': 'application/json' } };
    const redeemed = await paid(await fetch(at(/promotional code/i, 'POST'), init));
    expect((await calledWith(redeemed.token)).paid.credits_remaining).to.equal(redeemed.balance - 1);
  });

  async function calledWith(bearer: string) {
    return paid(await fetch(`${at(ORDER)}?${order}`, { headers: { authorization: `Bearer ${bearer}` } }));
  }

  it('does the same by MCP, where the server card says', async () => {
    const card = await (await fetch(facts.links.get('MCP server card')!)).json();
    const [remote] = (card as { remotes: readonly { url: string }[] }).remotes;
    expect(remote!.url).to.equal(facts.mcp.url);
    const withToken = await connect(remote!.url, { authorization: `Bearer ${token}` });
    const { tools } = await withToken.client.listTools();
    const priced = [...facts.prices.keys()].filter((operation) => operation !== PACK);
    expect(tools.map(({ name }) => name)).to.have.members([...priced, 'evaluate', 'credits']);
    for (const name of priced) {
      expect((await withToken.call(name, { sandbox: true })).structuredContent).to.include({ sandbox: true });
    }
    const args = { [parameter(/market or event slug/i)]: local.facts.exampleSlug };
    const answer = await withToken.call('preflight_trade', args);
    expect(answer.structuredContent.paid).to.deep.equal({ credits_used: 1, credits_remaining: 498 });
    await withToken.client.close();
  });

  it('pays one call by MCP with x402, checked in the same way', async () => {
    const { client, call } = await connect(facts.mcp.url, {});
    const args = { [parameter(/market or event slug/i)]: local.facts.exampleSlug };
    const demand = await call('preflight_trade', args);
    expect(demand.isError).to.equal(true);
    const payment = await carefulClient(facts, account, intentOf(at(ORDER))).createPaymentPayload(
      demand.structuredContent,
    );
    const before = await money.balanceOf(account.address);
    const answer = await call('preflight_trade', args, { [facts.mcp.payment]: payment });
    expect(answer.structuredContent.verdict).to.be.oneOf(['OK', 'CAUTION', 'VETO']);
    expect(answer._meta?.[facts.mcp.receipt]).to.include({ success: true });
    expect(await money.balanceOf(account.address)).to.equal(before - priceMicros(facts, 'preflight_trade'));
    await client.close();
  });
});

/** Connects the official MCP client. */
async function connect(url: string, headers: Readonly<Record<string, string>>) {
  const client = new Client({ name: 'an-agent', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  const call = async (name: string, args: Record<string, unknown>, _meta: Record<string, unknown> = {}) =>
    (await client.callTool({ name, arguments: args, _meta })) as unknown as ToolAnswer;
  return { client, call };
}
