import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { encodeFunctionData, serializeErc6492Signature } from 'viem';
import { USDC_ADDRESS, usdcAbi } from '#local/chain/usdc';
import { needAnvil, newPayer, transferCall } from '#test/local/support/chain-harness';
import { exchange } from '#test/server/http/support/raw-exchange';
import { PAID_CALLS, type PaidCall, type Sent, send } from '#test/support/paid-calls';
import { type PaidService, startPaidService } from '#test/support/paid-service';
import { decodeHeader, encodeHeader, toPaymentV1 } from '#test/support/payment-headers';
import { PROCESS_TEST_MS } from '#test/support/time-limits';
import {
  authorizationOf,
  type Changes,
  expectAnswered,
  expectMisunderstood,
  expectRefused,
  inSeconds,
  type Made,
  Till,
  TRADE,
} from './support/till.js';

const CREDITS = PAID_CALLS.find(({ request }) => request === 'credits')!;
const STRANGER = '0x00000000000000000000000000000000000bad01';
const SECP256K1_N = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/**
 * The other s of the same signature, with the v that goes with it: valid mathematics, not valid
 * USDC.
 */
function withHighS(signature: string): string {
  const s = SECP256K1_N - BigInt(`0x${signature.slice(66, 130)}`);
  const v = signature.endsWith('1b') ? '1c' : '1b';
  return `${signature.slice(0, 66)}${s.toString(16).padStart(64, '0')}${v}`;
}

/**
 * A wallet that answers every question of ERC-1271 with the magic value, and one that does so with
 * zero.
 */
const AGREEING_WALLET = `0x7f1626ba7e${'00'.repeat(28)}60005260206000f3` as const;
const REFUSING_WALLET = `0x7f${'00'.repeat(32)}60005260206000f3` as const;

const FACTORY = '0x00000000000000000000000000000000000fac70';
/** With how its wallet would be deployed, by nobody here. */
const asErc6492 = (signature: string) =>
  serializeErc6492Signature({ address: FACTORY, data: '0x5fbfb9cf', signature: signature as `0x${string}` });

const accepted = (changes: object) => (payment: Record<string, unknown>) => ({
  ...payment,
  accepted: { ...(payment.accepted as object), ...changes },
});

describe('a payment that does not pay', function () {
  this.timeout(PROCESS_TEST_MS);
  let service: PaidService;
  let till: Till;

  before(async function () {
    needAnvil(this);
    service = await startPaidService();
    till = new Till(service);
  });
  after(() => service?.stop());
  afterEach(() => {
    service.before('settle', null);
    service.before('verify', null);
    service.facilitator.faults.clear();
  });

  /**
   * Sends it, sees that nobody is charged for it and that nothing is asked of the facilitator that
   * moves money.
   */
  async function refusedFree(made: Made, sending: () => Promise<Sent>): Promise<Sent> {
    const answer = await till.earning(0n, sending);
    expect(till.requests('settle', made), 'settlements asked for').to.equal(0);
    return answer;
  }

  describe('is refused before a facilitator is asked, with its reason and the terms:', () => {
    const rows: [string, RegExp, () => Changes | Promise<Changes>][] = [
      ['to somebody else', /recipient_mismatch/, () => ({ requested: { payTo: STRANGER } })],
      ['in another token', /asset is not USDC on Base/, () => ({ requested: { asset: STRANGER } })],
      ['of less', /value_mismatch/, () => ({ requested: { amount: '19999' } })],
      ['of more', /value_mismatch/, () => ({ requested: { amount: '20001' } })],
      ['that is over', /valid_before/, () => ({ transfer: { validBefore: inSeconds(-1) } })],
      ['that is over before it could be settled', /valid_before/, () => ({ transfer: { validBefore: inSeconds(15) } })],
      [
        'not valid yet',
        /valid_after: begins (29|30) s after the server's time 1\d{9}$/,
        () => ({ transfer: { validAfter: inSeconds(30) } }),
      ],
      ['for another resource', /another resource/, () => ({ requested: { url: 'https://preflight.example/free' } })],
      [
        'of a wallet that is not deployed yet',
        /undeployed_smart_wallet/,
        () => ({ signature: () => asErc6492(`0x${'ab'.repeat(1_056)}`) }),
      ],
      [
        'with an ERC-6492 wrapper around nothing',
        /payload_signature/,
        () => ({ signature: () => `0x${'00'.repeat(96)}${'6492'.repeat(16)}` }),
      ],
      ['signed by another wallet', /payload_signature/, async () => ({ signer: await newPayer(service.chain) })],
      ['signed for another network', /payload_signature/, () => ({ domain: { chainId: 84_532 } })],
      ['signed for another token', /payload_signature/, () => ({ domain: { verifyingContract: STRANGER } })],
      ['with the high s of its signature', /payload_signature/, () => ({ signature: withHighS })],
      ['with half a signature', /payload_signature/, () => ({ signature: (whole) => whole.slice(0, 66) })],
    ];
    for (const [title, reason, changes] of rows) {
      it(title, async () => {
        const made = await till.pay(TRADE, await changes());
        const runs = service.runs();
        expectRefused(await refusedFree(made, () => till.send(TRADE, made.v2)), TRADE, reason);
        expect(till.requests('verify', made)).to.equal(0);
        expect(service.runs()).to.equal(runs);
      });
    }

    it('of a smart wallet that says itself that it did not sign it', async () => {
      const made = await till.pay(TRADE, { signature: () => `0x${'ab'.repeat(65)}` });
      await service.chain.client.setCode({ address: made.payer.address, bytecode: REFUSING_WALLET });
      expectRefused(await refusedFree(made, () => till.send(TRADE, made.v2)), TRADE, /payload_signature/);
      expect(till.requests('verify', made), 'no facilitator is asked').to.equal(0);
    });

    it('in version 1 as in version 2', async () => {
      const made = await till.pay(TRADE, { requested: { amount: '19999' } });
      expectRefused(await refusedFree(made, () => till.sendV1(TRADE, made.v1)), TRADE, /value_mismatch/, 1);
    });
  });

  describe('is refused by the facilitator, whose reason is passed on:', () => {
    it('of a wallet with too little', async () => {
      const made = await till.pay(TRADE, {}, await newPayer(service.chain, 19_999n));
      expectRefused(await refusedFree(made, () => till.send(TRADE, made.v2)), TRADE, /insufficient/);
    });

    it('of a wallet that it will not serve', async () => {
      const made = await till.pay(TRADE);
      const reason = 'invalid_exact_evm_payload_authorization_from_address_kyt';
      service.facilitator.faults.plan({ operation: 'verify', fault: 'reject', reason });
      expectRefused(await refusedFree(made, () => till.send(TRADE, made.v2)), TRADE, new RegExp(reason));
    });

    it('and nothing was burnt by that: the same payment pays when it is sent again', async () => {
      const made = await till.pay(TRADE);
      service.facilitator.faults.plan({ operation: 'verify', fault: 'reject' });
      expectRefused(await refusedFree(made, () => till.send(TRADE, made.v2)), TRADE, /insufficient/);
      await till.earning(20_000n, async () => expectAnswered(await till.send(TRADE, made.v2)));
    });
  });

  it('is told from that of a smart wallet, whose signature recovers to nobody and pays', async () => {
    const made = await till.pay(TRADE, { signature: () => `0x${'ab'.repeat(96)}` });
    await service.chain.client.setCode({ address: made.payer.address, bytecode: AGREEING_WALLET });
    await till.earning(20_000n, async () => expectAnswered(await till.send(TRADE, made.v2)));
  });

  it('is taken of a wallet that is deployed and still sends how it would be, by the signature inside', async () => {
    const made = await till.pay(TRADE, { signature: () => asErc6492(`0x${'ab'.repeat(1_056)}`) });
    await service.chain.client.setCode({ address: made.payer.address, bytecode: AGREEING_WALLET });
    await till.earning(20_000n, async () => expectAnswered(await till.send(TRADE, made.v2)));
  });

  it('of a wallet that is not deployed yet says so', async () => {
    const made = await till.pay(TRADE, { signature: () => asErc6492(`0x${'ab'.repeat(96)}`) });
    const { error } = JSON.parse((await till.send(TRADE, made.v2)).text);
    expect(error).to.include('this wallet is not deployed yet');
  });

  describe('that cannot be understood is a bad request:', () => {
    const rows: [string, RegExp, (made: Made) => string][] = [
      ['not base64', /not base64/, () => '{"x402Version":2}'],
      ['base64url', /not base64/, ({ v2 }) => `${v2.slice(0, 40)}-_${v2.slice(42)}`],
      ['cut off', /not base64 of JSON/, ({ v2 }) => v2.slice(0, 400)],
      ['not JSON', /not base64 of JSON/, () => Buffer.from('x402').toString('base64')],
      ['not UTF-8', /not base64 of JSON/, () => Buffer.from([0x22, 0xff, 0x22]).toString('base64')],
      ['JSON null', /no object/, () => encodeHeader(null as never)],
      ['a list of payments', /not an x402 v2/, ({ v2 }) => encodeHeader([decodeHeader(v2)])],
      ['sent twice', /not base64/, ({ v2 }) => `${v2}, ${v2}`],
      ['empty', /not base64/, () => ' '],
    ];
    for (const [title, reason, toHeader] of rows) {
      it(title, async () => {
        const made = await till.pay(TRADE);
        const runs = service.runs();
        expectMisunderstood(await refusedFree(made, () => till.send(TRADE, toHeader(made))), reason);
        expect([till.requests('verify', made), service.runs()]).to.deep.equal([0, runs]);
      });
    }

    const changed: [string, RegExp, Changes][] = [
      ['on another network', /invalid_network/, { payment: accepted({ network: 'eip155:84532' }) }],
      ['of another scheme', /unsupported_scheme/, { payment: accepted({ scheme: 'upto' }) }],
      ['by permit2', /transfer method/, { payment: accepted({ extra: { assetTransferMethod: 'permit2' } }) }],
      ['accepted as less than signed', /those of the authorization/, { payment: accepted({ amount: '1' }) }],
      [
        'accepted for another payee than signed',
        /those of the authorization/,
        { payment: accepted({ payTo: STRANGER }) },
      ],
      ['with a signature of over 4 kB', /at most 4096 bytes/, { signature: () => `0x${'1b'.repeat(4_097)}` }],
      ['with a signature that is no hex', /hexadecimal/, { signature: () => '0xsigned' }],
      ['of version 3', /not an x402 v2/, { payment: (payment) => ({ ...payment, x402Version: 3 }) }],
    ];
    for (const [title, reason, changes] of changed) {
      it(title, async () => {
        const made = await till.pay(TRADE, changes);
        expectMisunderstood(await refusedFree(made, () => till.send(TRADE, made.v2)), reason);
        expect(till.requests('verify', made)).to.equal(0);
      });
    }

    it('on another network in version 1', async () => {
      const made = await till.pay(TRADE, { payment: (payment) => ({ ...payment, network: 'base-sepolia' }) });
      expectMisunderstood(await refusedFree(made, () => till.sendV1(TRADE, made.v1)), /invalid_network/);
    });

    it('with two headers that carry different authorizations', async () => {
      const [one, other] = [await till.pay(TRADE), await till.pay(TRADE)];
      const both = () => till.send(TRADE, one.v2, { 'X-PAYMENT': other.v1 });
      expectMisunderstood(await refusedFree(one, both), /different authorizations/);
      expect(till.requests('settle', other)).to.equal(0);
    });

    it('in a header of 1 MB, whatever the path and method', async () => {
      for (const line of ['GET /api/preflight_trade?slug=a', 'POST /api/credits']) {
        const head = `${line} HTTP/1.1\r\nHost: a\r\nPAYMENT-SIGNATURE: ${'A'.repeat(1_048_576)}\r\n\r\n`;
        const { status, body } = await exchange(service.port, head);
        expect([status, JSON.parse(body).code]).to.deep.equal([400, 'headers_too_large']);
      }
    });
  });

  describe('that went bad after it was verified is refused, and the payer keeps the money:', () => {
    it('taken back by its payer', async () => {
      const made = await till.pay(TRADE);
      const { payer, payload } = made;
      service.before('settle', async () => {
        service.before('settle', null);
        await service.chain.cancelAuthorization(payer.key, payload.authorization.nonce as `0x${string}`);
        // The end of an authorization counts once no reorganization can take it back.
        await service.chain.mine(6);
      });
      expectRefused(await till.earning(0n, () => till.send(TRADE, made.v2)), TRADE, /authorization_cancelled/);
      expectRefused(await till.earning(0n, () => till.send(TRADE, made.v2)), TRADE, /authorization_cancelled/);
      expect(till.requests('settle', made)).to.equal(1);
    });

    it('with nothing left to pay with', async () => {
      const made = await till.pay(TRADE);
      const { payer } = made;
      service.before('settle', async () => {
        await service.chain.fundGas(payer.address);
        const data = encodeFunctionData({ abi: usdcAbi, functionName: 'transfer', args: [STRANGER, 20_000n] });
        service.before('settle', null);
        await service.chain.send(payer.key, { to: USDC_ADDRESS, data });
      });
      expectRefused(await till.earning(0n, () => till.send(TRADE, made.v2)), TRADE, /insufficient/);
      expectRefused(await till.earning(0n, () => till.send(TRADE, made.v2)), TRADE, /insufficient/);
      expect(till.requests('settle', made)).to.equal(1);
    });

    it('used up for another payee', async () => {
      const payer = await newPayer(service.chain, 40_000n);
      const made = await till.pay(TRADE, {}, payer);
      const { nonce } = made.payload.authorization;
      const elsewhere = await till.pay(TRADE, { requested: { payTo: STRANGER }, transfer: { nonce } }, payer);
      service.before('settle', async () => {
        service.before('settle', null);
        await observe(elsewhere);
        await service.chain.mine(6);
      });
      const answer = await till.earning(0n, () => till.send(TRADE, made.v2));
      expectRefused(answer, TRADE, /authorization_consumed_elsewhere/);
    });
  });

  /** Somebody saw the authorization and submits it before the facilitator does. */
  function observe(made: Made): Promise<`0x${string}`> {
    return service.chain.send(service.chain.keys.minter, transferCall(authorizationOf(made)));
  }

  describe('but one that an observer submits once its intent is recorded has paid us and gets its answer:', () => {
    for (const call of [TRADE, CREDITS]) {
      it(call.name, async () => {
        const made = await till.payOnTerms(call);
        let transaction = '';
        service.before('settle', async () => {
          service.before('settle', null);
          transaction = await observe(made);
        });
        const answer = await till.earning(call.priceMicros, () => till.send(call, made.v2));
        expect(expectAnswered(answer)).to.equal(transaction);
        expect((await till.send(call, made.v2)).text).to.equal(answer.text);
      });
    }
  });

  describe('that was spent before its request came buys nothing, for it may have bought something at another shop:', () => {
    for (const call of [TRADE, CREDITS]) {
      for (const terms of ['read here', 'unknown']) {
        it(`${call.name}, on terms ${terms}`, async () => {
          const made = await (terms === 'unknown' ? till.pay(call) : till.payOnTerms(call));
          await observe(made);
          for (const answer of [await till.send(call, made.v2), await till.sendV1(call, made.v1)]) {
            const version = answer.headers.has('PAYMENT-RESPONSE') ? 2 : 1;
            expectRefused(answer, call, /nonce_already_used/, version);
          }
        });
      }
    }
  });

  describe('is not needed, and not taken, where there is no answer to sell:', () => {
    const trade = (query: string): PaidCall => ({
      ...TRADE,
      call: ({ url }) => ({ url: `${url}/api/preflight_trade?${query}` }),
    });
    const body = (text: string): PaidCall => ({
      ...TRADE,
      call: ({ url }) => ({
        url: `${url}/api/preflight_trade`,
        init: { method: 'POST', body: text, headers: { 'content-type': 'application/json' } },
      }),
    });
    const method = (name: string): PaidCall => ({
      ...TRADE,
      call: (shop) => ({ url: TRADE.call(shop).url, init: { method: name } }),
    });
    const rows: [string, number, PaidCall][] = [
      ['no parameters', 400, trade('')],
      ['a bad parameter', 400, trade('slug=a&usd=-1')],
      ['an unknown parameter', 400, trade('slug=a&price=1')],
      ['an unknown market', 400, trade('slug=no-such-market')],
      ['an outcome that is not there', 400, trade('slug=arcadia-presidential-election-winner&outcome=nobody')],
      ['a body that is no JSON', 400, body('{"slug":')],
      ['a body with a wrong type', 400, body('{"slug":7}')],
      ['the sandbox', 200, trade('sandbox=1')],
      ['a probe', 402, trade('x402_probe=1&slug=a')],
      ['HEAD', 402, method('HEAD')],
      ['OPTIONS', 200, method('OPTIONS')],
      ['DELETE', 405, method('DELETE')],
    ];
    for (const [title, status, call] of rows) {
      it(`${title} (${status})`, async () => {
        const made = await till.pay(TRADE);
        const runs = service.runs();
        const answer = await refusedFree(made, () => till.send(call, made.v2));
        expect(answer.status, answer.text).to.equal(status);
        expect(answer.headers.get('PAYMENT-RESPONSE')).to.equal(null);
        if (/HEAD|OPTIONS|DELETE|sandbox|probe|parameter|body/.test(title)) expect(service.runs()).to.equal(runs);
      });
    }

    it('a probe of the credit pack (402)', async () => {
      const made = await till.pay(CREDITS);
      const probe = { url: `${service.url}/api/credits?x402_probe=1`, init: { method: 'POST' } };
      const answer = await refusedFree(made, () => send(probe, { 'PAYMENT-SIGNATURE': made.v2 }));
      expect([answer.status, answer.headers.get('PAYMENT-RESPONSE')]).to.deep.equal([402, null]);
    });

    it('a token that pays with credits (200)', async () => {
      const pack = await till.send(CREDITS, (await till.pay(CREDITS)).v2);
      const made = await till.pay(TRADE);
      const authorization = `Bearer ${JSON.parse(pack.text).token}`;
      const answer = await refusedFree(made, () => till.send(TRADE, made.v2, { authorization }));
      expect([answer.status, answer.headers.get('PAYMENT-RESPONSE')]).to.deep.equal([200, null]);
      expect(JSON.parse(answer.text).paid).to.deep.equal({ credits_used: 1, credits_remaining: 499 });
    });

    it('a venue that is down (500); and the payment is good for another market', async () => {
      const made = await till.pay(TRADE);
      await till.earning(20_000n, async () => expectAnswered(await till.send(TRADE, (await till.pay(TRADE)).v2)));
      const [cold] = service.venue.markets.filter(({ hasBook, slug }) => hasBook && slug !== service.exampleSlug);
      const call = trade(`slug=${cold!.slug}`);
      service.venue.faults.restDown('gamma');
      service.venue.faults.restDown('clob');
      try {
        const answer = await refusedFree(made, () => till.send(call, made.v2));
        expect([answer.status, JSON.parse(answer.text).code]).to.deep.equal([500, 'venue_unavailable']);
        expect(answer.headers.get('PAYMENT-REQUIRED')).to.equal(null);
      } finally {
        service.venue.faults.clear();
      }
      await till.earning(20_000n, async () => expectAnswered(await till.send(TRADE, made.v2)));
    });
  });

  describe('shows the token of a pack to its buyer, not to whoever reads the chain:', () => {
    const whole = /^tk_0x[0-9a-f]{40}_[A-Za-z0-9_-]{43}$/;
    const tokenIn = ({ text }: Sent) => JSON.parse(text).token as string;
    const named = (payment: Record<string, unknown>) => ({
      ...payment,
      extensions: { 'payment-identifier': { info: { required: false, id: 'known-to-the-buyer-only' } } },
    });

    it('who repeats it without the payment-identifier it was bought with, while it is at work and later', async () => {
      const made = await till.pay(CREDITS, { payment: named });
      let early: Promise<Sent> | null = null;
      service.before('settle', async () => {
        await observe(made);
        early = till.sendV1(CREDITS, encodeHeader(toPaymentV1(made.payload)));
        // It comes and waits with the first, before the facilitator has said a word.
        await sleep(100);
      });
      const first = await till.send(CREDITS, made.v2);
      expect(tokenIn(first)).to.match(whole);
      const late = await till.sendV1(CREDITS, encodeHeader(toPaymentV1(made.payload)));
      for (const { status, text } of [(await early)!, late]) {
        expect([status, JSON.parse(text).reason]).to.deep.equal([402, 'not_the_buyer']);
      }
      expect((await till.send(CREDITS, made.v2)).text).to.equal(first.text);
    });
  });

  describe('once it has paid, pays for nothing else:', () => {
    for (const bought of PAID_CALLS) {
      for (const wanted of PAID_CALLS) {
        if (bought === wanted) continue;
        it(`${bought.name} bought, ${wanted.name} asked for`, async () => {
          const payer = await newPayer(service.chain, 20_000_000n);
          const made = await till.pay(bought, {}, payer);
          await till.earning(bought.priceMicros, async () => expectAnswered(await till.send(bought, made.v2)));
          const runs = service.runs();
          const v1 = await till.earning(0n, () => till.sendV1(wanted, made.v1));
          expectRefused(v1, wanted, /another request/, 1);
          expectRefused(await till.earning(0n, () => till.send(wanted, made.v2)), wanted, /another request/);
          expect([till.requests('settle', made), service.runs()]).to.deep.equal([1, runs]);
        });

        if (wanted.path === bought.path) continue;
        it(`${bought.name} signed for, ${wanted.name} asked for`, async () => {
          const made = await till.pay(bought, {}, await newPayer(service.chain, 20_000_000n));
          const answer = await refusedFree(made, () => till.send(wanted, made.v2));
          expectRefused(answer, wanted, /another resource/);
          if (wanted.priceMicros === bought.priceMicros) {
            // Version 1 names no resource: what was signed is so much money for us, and buys what
            // costs so much.
            expectAnswered(await till.earning(wanted.priceMicros, () => till.sendV1(wanted, made.v1)));
          } else {
            expectRefused(await refusedFree(made, () => till.sendV1(wanted, made.v1)), wanted, /value_mismatch/, 1);
          }
        });
      }
    }

    it('with other parameters, while the first is at work and later', async () => {
      const made = await till.pay(TRADE);
      const others = ['&side=SELL', '&max_book_age_s=59', '&outcome=Yes'].map((more) => ({
        ...TRADE,
        call: () => ({ url: TRADE.call(service).url + more }),
      }));
      const sendOthers = () => Promise.all(others.map((other) => till.send(other, made.v2)));
      let early: Sent[] = [];
      service.before('settle', async () => {
        early = await sendOthers();
      });
      const late = await till.earning(20_000n, async () => {
        expectAnswered(await till.send(TRADE, made.v2));
        return sendOthers();
      });
      expect(early).to.have.length(others.length);
      for (const answer of [...early, ...late]) expectRefused(answer, TRADE, /another request/);
    });

    it('and the same order by GET and by POST is one request', async () => {
      const made = await till.pay(TRADE);
      const order = { slug: service.exampleSlug, usd: 250, side: 'BUY', max_slippage_c: 1 };
      const headers = { 'content-type': 'application/json' };
      const init = { method: 'POST', headers, body: JSON.stringify(order) };
      const byPost: PaidCall = { ...TRADE, call: ({ url }) => ({ url: url + TRADE.path, init }) };
      await till.earning(20_000n, async () => {
        const first = await till.send(TRADE, made.v2);
        expectAnswered(first);
        expect((await till.send(byPost, made.v2)).text).to.equal(first.text);
      });
    });
  });
});
