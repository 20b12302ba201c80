import { decodePaymentResponseHeader } from '@x402/core/http';
import { expect } from 'chai';
import { needAnvil } from '#test/local/support/chain-harness';
import { demandedBy, PAID_CALLS, type Sent, send } from '#test/support/paid-calls';
import { type PaidService, startPaidService } from '#test/support/paid-service';
import type { Transfer } from '#test/support/payment-headers';
import { PROCESS_TEST_MS } from '#test/support/time-limits';
import { type Changes, expectAnswered, inSeconds, type Made, Till, TRADE } from './support/till.js';

const CREDITS = PAID_CALLS.find(({ request }) => request === 'credits')!;

/** What other people's clients send that can mean but one thing. */
describe('a payment in another form than our own client has', function () {
  this.timeout(PROCESS_TEST_MS);
  let service: PaidService;
  let till: Till;

  before(async function () {
    needAnvil(this);
    service = await startPaidService();
    till = new Till(service);
  });
  after(() => service?.stop());

  /** Receipts of a call, each in the form of its header. */
  function receiptsOf({ headers }: Sent) {
    return ['PAYMENT-RESPONSE', 'X-PAYMENT-RESPONSE'].map((name) => {
      const value = headers.get(name);
      return value === null ? null : decodePaymentResponseHeader(value);
    });
  }

  /** A repeat of version 1 has no secret, and so is not shown the token. */
  const unnamed = (text: string) => text.replace(/(tk_0x[0-9a-f]{40}_)[^"]+/, '$1***');

  const HEADERS: readonly [title: string, toHeaders: (made: Made) => Record<string, string>][] = [
    ['of version 2 in X-PAYMENT', ({ v2 }) => ({ 'X-PAYMENT': v2 })],
    ['of version 1 in PAYMENT-SIGNATURE', ({ v1 }) => ({ 'PAYMENT-SIGNATURE': v1 })],
    ['of version 2 in both headers', ({ v2 }) => ({ 'PAYMENT-SIGNATURE': v2, 'X-PAYMENT': v2 })],
    ['of version 1 in both headers', ({ v1 }) => ({ 'PAYMENT-SIGNATURE': v1, 'X-PAYMENT': v1 })],
    ['of each version in the header of the other', ({ v1, v2 }) => ({ 'PAYMENT-SIGNATURE': v1, 'X-PAYMENT': v2 })],
  ];
  for (const call of [TRADE, CREDITS]) {
    for (const [title, toHeaders] of HEADERS) {
      it(`${title} pays for ${call.name} once, and its receipt is in both headers`, async () => {
        const made = await till.payOnTerms(call);
        const headers = toHeaders(made);
        const answer = await till.earning(call.priceMicros, () => send(call.call(service), headers));
        const transaction = expectAnswered(answer);
        const [v2, v1] = receiptsOf(answer);
        const common = { success: true, transaction, payer: made.payer.address.toLowerCase() };
        expect(v2).to.deep.equal({ ...common, network: 'eip155:8453', amount: String(call.priceMicros) });
        expect(v1).to.deep.equal({ ...common, network: 'base' });
        const again = await till.earning(0n, () => send(call.call(service), headers));
        expect(unnamed(again.text)).to.equal(unnamed(answer.text));
      });
    }
  }

  it('has a receipt in one header where it came in the header of its version', async () => {
    const made = await till.pay(TRADE);
    const [v2, v1] = receiptsOf(await till.send(TRADE, made.v2));
    expect([v2?.success, v1]).to.deep.equal([true, null]);
  });

  it('that is refused says so in both headers', async () => {
    const made = await till.pay(TRADE, { requested: { amount: '19999' } });
    const answer = await till.earning(0n, () => send(TRADE.call(service), { 'X-PAYMENT': made.v2 }));
    expect(answer.status).to.equal(402);
    expect(receiptsOf(answer).map((receipt) => receipt?.success)).to.deep.equal([false, false]);
  });

  const RESOURCES: readonly [title: string, toUrl: (url: string) => string][] = [
    ['the query that was asked', (url) => `${url}?slug=${service.exampleSlug}&usd=250`],
    ['a slash at its end', (url) => `${url}/`],
  ];
  for (const [title, toUrl] of RESOURCES) {
    it(`pays where it names the resource with ${title}`, async () => {
      const url = toUrl(demandedBy(TRADE, service).url);
      const changes: Changes = { requested: { url } };
      const made = await till.pay(TRADE, changes);
      await till.earning(TRADE.priceMicros, async () => expectAnswered(await till.send(TRADE, made.v2)));
    });
  }

  it('pays in both headers beside 4 kB of cookies and the headers of a trace, with all that the terms gave to send back', async () => {
    const made = await till.payOnTerms(TRADE);
    const cookies = Array.from({ length: 16 }, (_, n) => `session${n}=${'c'.repeat(240)}`).join('; ');
    const beside = {
      'X-PAYMENT': made.v2,
      Cookie: cookies,
      traceparent: `00-${'4b'.repeat(16)}-${'00'.repeat(8)}-01`,
      'X-Forwarded-For': '::1',
    };
    await till.earning(TRADE.priceMicros, async () => expectAnswered(await till.send(TRADE, made.v2, beside)));
  });

  const TIMES: readonly [title: string, times: () => Partial<Transfer>][] = [
    ['begins this second', () => ({ validAfter: inSeconds(0) })],
    ['began a second ago', () => ({ validAfter: inSeconds(-1) })],
    ['begins in a second, by a clock that is a little fast', () => ({ validAfter: inSeconds(1) })],
    ['was signed by a clock that is two minutes fast', () => ({ validBefore: inSeconds(240) })],
    ['stays open for an hour', () => ({ validBefore: inSeconds(3_600) })],
    ['stays open for ever', () => ({ validBefore: String(2n ** 256n - 1n) })],
  ];
  for (const [title, times] of TIMES) {
    it(`pays where it ${title}`, async () => {
      const made = await till.pay(TRADE, { transfer: times() });
      const mining = setInterval(() => void service.chain.mine(1), 500);
      try {
        await till.earning(TRADE.priceMicros, async () => expectAnswered(await till.send(TRADE, made.v2)));
      } finally {
        clearInterval(mining);
      }
    });
  }
});
