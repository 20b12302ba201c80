import { expect } from 'chai';
import { needAnvil, newPayer, type Payer } from '#test/local/support/chain-harness';
import { callTool } from '#test/server/mcp/support/messages';
import { PAID_CALLS, type PaidCall, send } from '#test/support/paid-calls';
import { type PaidService, startPaidService } from '#test/support/paid-service';
import { PAYING_CLIENTS } from '#test/support/paying-clients';
import { decodeHeader } from '#test/support/payment-headers';
import { PROCESS_TEST_MS } from '#test/support/time-limits';
import { expectAnswered, expectMisunderstood, Till, TRADE } from './support/till.js';

const KEY = 'order-17-of-my-bot-in-november';
const SELL = PAID_CALLS[1]!;
const PACK = PAID_CALLS.find(({ request }) => request === 'credits')!;

describe('one purchase', function () {
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
    payer = await newPayer(service.chain, 20_000_000n);
  });

  /** A payment of the payer that names the purchase by the extension, whatever it is signed for. */
  const identified = (call: PaidCall, id: string) =>
    till.pay(
      call,
      { payment: (payment) => ({ ...payment, extensions: { 'payment-identifier': { info: { id } } } }) },
      payer,
    );

  for (const client of PAYING_CLIENTS) {
    for (const call of [TRADE, PACK]) {
      it(`has one charge for ${call.name} by ${client.name}, which signs anew each time`, async () => {
        const { url, init } = call.call(service);
        const named = { url, init: { ...init, headers: { ...init?.headers, 'Idempotency-Key': KEY } } };
        await till.earning(call.priceMicros, async () => {
          const first = await client.buy(payer.account, named);
          expect(first.answer.status, first.text).to.equal(200);
          const again = [1, 2, 3].map(() => client.buy(payer.account, named));
          for (const { answer, text, sent } of await Promise.all(again)) {
            expect(answer.headers.get('Idempotent-Replayed')).to.equal('true');
            expect(text).to.equal(first.text);
            expect(sent.value).to.not.equal(first.sent.value);
          }
        });
      });
    }
  }

  it('has one charge by MCP', async () => {
    const call = async () => {
      const { v2 } = await till.pay(TRADE, {}, payer);
      return callTool(service.url, {
        name: 'preflight_trade',
        arguments: { slug: service.exampleSlug, usd: 250 },
        _meta: { 'x402/payment': decodeHeader(v2), 'preflight/idempotency-key': KEY },
      });
    };
    await till.earning(TRADE.priceMicros, async () => {
      const first = await call();
      const second = await call();
      expect(second.content[0]!.text).to.equal(first.content[0]!.text);
      expect(JSON.stringify(second._meta)).to.contain('idempotent_replayed');
    });
  });

  it('has one charge where several authorizations for it come at once', async () => {
    const made = await Promise.all([1, 2, 3, 4, 5].map(() => till.pay(TRADE, {}, payer)));
    await till.earning(TRADE.priceMicros, async () => {
      const answers = await Promise.all(made.map(({ v2 }) => till.send(TRADE, v2, { 'Idempotency-Key': KEY })));
      for (const answer of answers) expectAnswered(answer);
      expect(new Set(answers.map(({ text }) => text)).size).to.equal(1);
    });
  });

  it('is refused under the key of another, before anything is asked or charged', async () => {
    expectAnswered(await till.send(TRADE, (await till.pay(TRADE, {}, payer)).v2, { 'Idempotency-Key': KEY }));
    const other = await till.pay(SELL, {}, payer);
    await till.earning(0n, async () => {
      const answer = await till.send(SELL, other.v2, { 'Idempotency-Key': KEY });
      expectMisunderstood(answer, /Idempotency-Key was used for another request/);
      expect(JSON.parse(answer.text).code).to.equal('idempotency_conflict');
    });
    expect(till.requests('verify', other)).to.equal(0);
  });

  it('is answered by its payment-identifier, and another request under it is a conflict', async () => {
    const id = 'pay_7d5d747be160e280504c099d984bcfe0';
    await till.earning(TRADE.priceMicros, async () => {
      const first = await till.send(TRADE, (await identified(TRADE, id)).v2);
      const second = await till.send(TRADE, (await identified(TRADE, id)).v2);
      expectAnswered(first);
      expect(second.headers.get('Idempotent-Replayed')).to.equal('true');
      expect(second.text).to.equal(first.text);
      for (const call of [SELL, PAID_CALLS[2]!]) {
        const other = await identified(call, id);
        const { status, text } = await till.send(call, other.v2);
        expect(status, text).to.equal(409);
        expect(JSON.parse(text).code).to.equal('payment_identifier_conflict');
        expect(till.requests('verify', other)).to.equal(0);
      }
    });
  });

  it('has an answer that strangers get neither with its authorization nor by guessing its request', async () => {
    const bought = await till.payOnTerms(TRADE);
    const first = await till.send(TRADE, bought.v2);
    expectAnswered(first);
    // What the chain shows is the authorization and its signature.
    const payment = JSON.parse(Buffer.from(bought.v2, 'base64').toString('utf8'));
    const seen = Buffer.from(JSON.stringify({ ...payment, extensions: {} })).toString('base64');
    const url = (usd: number) => `${service.url}${TRADE.path}?slug=${service.exampleSlug}&usd=${usd}`;
    for (let usd = 240; usd <= 260; usd++) {
      const { status, text } = await send({ url: url(usd) }, { 'PAYMENT-SIGNATURE': seen });
      expect(status, text).to.equal(402);
      expect(JSON.parse(text).reason).to.match(usd === 250 ? /not_the_buyer/ : /another request/);
    }
    const repeat = await till.send(TRADE, bought.v2);
    expect(repeat.text).to.equal(first.text);
  });

  it('without a secret is repeated to its payer, however much others at his address make up', async () => {
    const bought = await till.pay(TRADE);
    const first = await till.sendV1(TRADE, bought.v1);
    expectAnswered(first);
    const payment = JSON.parse(Buffer.from(bought.v1, 'base64').toString('utf8'));
    const url = (usd: number) => `${service.url}${TRADE.path}?slug=${service.exampleSlug}&usd=${usd}`;
    const guess = async (usd: number, signature: string) => {
      const made = { ...payment, payload: { ...payment.payload, signature } };
      const header = Buffer.from(JSON.stringify(made)).toString('base64');
      const { status, text } = await send({ url: url(usd) }, { 'X-PAYMENT': header });
      return [status, JSON.parse(text).reason];
    };
    const madeUp = `0x${'1b'.repeat(65)}`;
    for (let usd = 240; usd <= 260; usd++) {
      const [status, reason] = await guess(usd, madeUp);
      expect([status, reason]).to.deep.equal([
        402,
        'invalid_exact_evm_signature: this authorization came before with another signature: repeat the payment as it was',
      ]);
    }
    // The same wrong request, with the signature that the chain shows: it tells nothing new.
    for (let n = 0; n < 20; n++) expect((await guess(240, payment.payload.signature))[1]).to.match(/another request/);
    const repeat = await till.sendV1(TRADE, bought.v1);
    expect([repeat.status, repeat.text]).to.deep.equal([200, first.text]);
    for (let usd = 240; usd < 250; usd++) await guess(usd, payment.payload.signature);
    expect((await till.sendV1(TRADE, bought.v1)).text).to.match(/not_the_buyer/);
  });
});
