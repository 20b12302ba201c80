import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { needAnvil, newPayer, type Payer } from '#test/local/support/chain-harness';
import { callTool } from '#test/server/mcp/support/messages';
import { PAID_CALLS, type Sent, send } from '#test/support/paid-calls';
import { type PaidService, startPaidService } from '#test/support/paid-service';
import { decodeHeader } from '#test/support/payment-headers';
import { deferred } from '#test/support/promises';
import { SHORT_LIVED } from '#test/support/short-lived';
import { ROOT } from '#test/support/source-tree';
import { PROCESS_TEST_MS } from '#test/support/time-limits';
import { expectAnswered, Till, TRADE } from './support/till.js';

const run = promisify(execFile);
const KEY = { 'Idempotency-Key': 'order-17-of-my-bot-in-november' };
const SELL = PAID_CALLS[1]!;
const ASKED_MAX = 5;
const ROUNDS = 6;
/** Long enough for a debit to be made that should not be. */
const AT_WORK_MS = 500;

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
  /** As clients do: what a busy machine had no time for is asked again, with the same payment. */
  const untilAnswered = async (ask: () => Promise<Sent>): Promise<Sent> => {
    for (let left = ASKED_MAX; ; left--) {
      const sent = await ask();
      if (left === 0 || sent.status !== 500 || !sent.headers.has('retry-after')) return sent;
    }
  };
  const expectSame = (answer: Sent, first: Sent) => {
    expectAnswered(answer);
    expect(answer.text).to.equal(first.text);
    expect(answer.headers.get('Idempotent-Replayed')).to.equal('true');
  };

  it('is debited once, however often and however many at once it comes', async () => {
    const token = await tokenOf(payer.address, 10);
    const [one, other] = [await till.pay(TRADE, {}, payer), await till.pay(TRADE, {}, payer)];
    await till.earning(0n, async () => {
      const first = await till.send(TRADE, one.v2, token);
      expect(JSON.parse(first.text).paid).to.deep.equal({ credits_used: 1, credits_remaining: 9 });
      for (let n = 0; n < 3; n++) expectSame(await till.send(TRADE, one.v2, token), first);
      expect((await byMcp(one.v2, token)).content[0]!.text).to.equal(first.text);
      const copies = await Promise.all(
        [1, 2, 3, 4, 5].map(() => untilAnswered(() => till.send(TRADE, other.v2, token))),
      );
      for (const copy of copies) expectAnswered(copy);
      expect(new Set(copies.map(({ text }) => text)).size).to.equal(1);
    });
    expect(await balanceOf(token)).to.equal(8);
  });

  it('settles nothing when it took the last credit and is sent again, with that token, another or none', async () => {
    const [token, poor] = [
      await tokenOf(payer.address, 1),
      await tokenOf((await newPayer(service.chain, 1n)).address, 1),
    ];
    const lapsed = { authorization: `Bearer tk_${payer.address.toLowerCase()}_${'A'.repeat(43)}` };
    for (const key of [{}, KEY]) {
      const { v2 } = await till.pay(TRADE, {}, payer);
      await till.earning(0n, async () => {
        const first = await till.send(TRADE, v2, { ...token, ...key });
        expect(JSON.parse(first.text).paid).to.deep.equal({ credits_used: 1, credits_remaining: 0 });
        for (const repeat of [token, poor, lapsed, {}]) {
          expectSame(await till.send(TRADE, v2, { ...repeat, ...key }), first);
          expectSame(await till.send(TRADE, v2, repeat), first);
        }
        expect((await byMcp(v2)).content[0]!.text).to.equal(first.text);
      });
      await tokenOf(payer.address, 1);
    }
    expect([await balanceOf(token), await balanceOf(poor)]).to.deep.equal([1, 1]);
  });

  it('is debited for each request and each payment', async () => {
    const token = await tokenOf(payer.address, 10);
    const [one, other] = [await till.pay(TRADE, {}, payer), await till.pay(TRADE, {}, payer)];
    for (const [call, { v2 }] of [
      [TRADE, one],
      [SELL, one],
      [TRADE, other],
    ] as const) {
      const { text } = await till.send(call, v2, token);
      expect(JSON.parse(text).paid).to.have.property('credits_used', 1);
    }
    expect(await balanceOf(token)).to.equal(7);
  });

  it('has nothing of the answer of one whose signature somebody made up', async () => {
    const token = await tokenOf(payer.address, 10);
    const stranger = await tokenOf((await newPayer(service.chain, 1n)).address, 1);
    const nonce = `0x${'5b'.repeat(32)}`;
    const made = await till.pay(TRADE, { transfer: { nonce }, signature: () => `0x${'1b'.repeat(65)}` }, payer);
    expectAnswered(await till.send(TRADE, made.v2, stranger));
    const { text } = await till.send(TRADE, (await till.pay(TRADE, { transfer: { nonce } }, payer)).v2, token);
    expect(JSON.parse(text).paid).to.deep.equal({ credits_used: 1, credits_remaining: 9 });
  });

  it('debits nothing while the same payment, sent without the token, is being verified', async () => {
    const token = await tokenOf(payer.address, 10);
    const { v2 } = await till.pay(TRADE, {}, payer);
    await till.earning(TRADE.priceMicros, async () => {
      const [verifying, goOn] = [deferred(), deferred()];
      service.before('verify', () => {
        verifying.resolve();
        return goOn.promise;
      });
      const first = till.send(TRADE, v2);
      await verifying.promise;
      const copies = [till.send(TRADE, v2, token), byMcp(v2, token)] as const;
      await Promise.race([copies[0], setTimeout(AT_WORK_MS)]);
      service.before('verify', null);
      goOn.resolve();
      const { text } = await first;
      expect((await copies[0]).text).to.equal(text);
      expect((await copies[1]).content[0]!.text).to.equal(text);
    });
    expect(await balanceOf(token)).to.equal(10);
  });

  it('is paid for in one lane, whichever of its copies bring the token', async () => {
    const token = await tokenOf(payer.address, ROUNDS);
    for (let round = 0; round < ROUNDS; round++) {
      const { v2 } = await till.pay(TRADE, {}, payer);
      const [earned, balance] = [await service.chain.balanceOf(service.payee), await balanceOf(token)];
      const bearers = Array.from({ length: 6 }, (_, n) => ((n + round) % 2 === 0 ? token : {}));
      const copies = await Promise.all(bearers.map((headers) => untilAnswered(() => till.send(TRADE, v2, headers))));
      for (const copy of copies) expectAnswered(copy);
      expect(new Set(copies.map(({ text }) => text)).size).to.equal(1);
      const paid = ((await service.chain.balanceOf(service.payee)) - earned) / TRADE.priceMicros;
      expect(Number(paid) + balance - (await balanceOf(token)), 'charged').to.equal(1);
    }
  });

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
