import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { needAnvil, newPayer, type Payer } from '#test/local/support/chain-harness';
import { callTool } from '#test/server/mcp/support/messages';
import { type Sent, send } from '#test/support/paid-calls';
import { type PaidService, startPaidService } from '#test/support/paid-service';
import { decodeHeader } from '#test/support/payment-headers';
import { SHORT_LIVED } from '#test/support/short-lived';
import { ROOT } from '#test/support/source-tree';
import { PROCESS_TEST_MS } from '#test/support/time-limits';
import { expectAnswered, Till, TRADE } from './support/till.js';

const run = promisify(execFile);
const KEY = { 'Idempotency-Key': 'order-17-of-my-bot-in-november' };

describe('a call that brings a token and a payment', function () {
  this.timeout(PROCESS_TEST_MS);
  let service: PaidService;
  let till: Till;
  let payer: Payer;

  before(async function () {
    needAnvil(this);
    service = await startPaidService();
    till = new Till(service);
  });
  after(() => service?.stop());
  beforeEach(async () => {
    payer = await newPayer(service.chain, 1_000_000n);
  });

  /** A token of a wallet for so many credits. */
  async function tokenOf(wallet: string, credits: number): Promise<{ readonly authorization: string }> {
    const grant = ['credits', 'grant', '--wallet', wallet, '--credits', String(credits), '--days', '5', '--json'];
    const program = [...SHORT_LIVED, join(ROOT, 'dist/bundle/service/preflightctl.js'), 'admin', ...grant];
    const env = { PATH: process.env.PATH, DATA_DIR: service.dataDir };
    return { authorization: `Bearer ${JSON.parse((await run(process.execPath, program, { env })).stdout).token}` };
  }

  const balanceOf = async (token: { readonly authorization: string }) =>
    JSON.parse((await send({ url: `${service.url}/api/credits` }, token)).text).balance;
  const byMcp = (v2: string, headers = {}, meta = {}) =>
    callTool(
      service.url,
      {
        name: 'preflight_trade',
        arguments: { slug: service.exampleSlug, usd: 250 },
        _meta: { 'x402/payment': decodeHeader(v2), ...meta },
      },
      headers,
    );
  const expectSame = (answer: Sent, first: Sent) => {
    expectAnswered(answer);
    expect(answer.text).to.equal(first.text);
    expect(answer.headers.get('Idempotent-Replayed')).to.equal('true');
  };

  it('debits nothing where a payment under its key has bought it already', async () => {
    const token = await tokenOf(payer.address, 10);
    await till.earning(TRADE.priceMicros, async () => {
      const first = await till.send(TRADE, (await till.pay(TRADE, {}, payer)).v2, KEY);
      expectAnswered(first);
      expectSame(await till.send(TRADE, (await till.pay(TRADE, {}, payer)).v2, { ...KEY, ...token }), first);
      const again = await till.pay(TRADE, {}, payer);
      const answer = await byMcp(again.v2, token, { 'preflight/idempotency-key': KEY['Idempotency-Key'] });
      expect(answer.content[0]!.text).to.equal(first.text);
    });
    expect(await balanceOf(token)).to.equal(10);
  });
});
