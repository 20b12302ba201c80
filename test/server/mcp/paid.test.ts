import { x402Client } from '@x402/core/client';
import { PaymentRequiredV2Schema } from '@x402/core/schemas';
import type { PaymentRequired } from '@x402/core/types';
import { registerExactEvmScheme } from '@x402/evm/exact/client';
import { expect } from 'chai';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { createBaseChain } from '#adapters/chain/base-chain';
import { createSignatureCheck } from '#adapters/chain/signature-check';
import { createFacilitator } from '#adapters/facilitator/facilitator';
import { systemClock } from '#adapters/process/system-clock';
import { systemRandom } from '#adapters/process/system-random';
import { systemTimers } from '#adapters/process/system-timers';
import { OPERATIONS, type ServedTool } from '#api/operations';
import { PRICES } from '#api/prices';
import { toWallet } from '#domain/ids';
import type { LocalChain } from '#local/chain/local-chain';
import { type LocalFacilitator, startLocalFacilitator } from '#local/chain/local-facilitator';
import { createLogger } from '#server/log';
import { Lease } from '#services/payments/lease';
import { Payments } from '#services/payments/payments';
import { RefusedPayments } from '#services/payments/refused-payments';
import { needAnvil, newPayer, PAYEE, type Payer, startChain } from '#test/local/support/chain-harness';
import { encodeHeader, signTransfer, toPaymentV1 } from '#test/support/payment-headers';
import { USDC } from '#test/support/signed-payments';
import { paymentSecrets } from '#test/support/store-secrets';
import { PROCESS_TEST_MS } from '#test/support/time-limits';
import { type Connected, MCP_CLIENTS, type ToolAnswer } from './support/mcp-clients.js';
import { liveAnswer, type McpDoor, openMcpDoor, TERMS } from './support/mcp-door.js';

const PAYMENT = 'x402/payment';
const RECEIPT = 'x402/payment-response';
const ORDER = { slug: 'will-it-rain', usd: 25 };
const EUROPE = { slug: 'will-it-rain-in-europe' };
/** A wallet with a single credit. */
const SPENT = toWallet(`0x${'cd'.repeat(20)}`);
const TOOLS = Object.keys(OPERATIONS) as ServedTool[];
const ARGUMENTS: Readonly<Partial<Record<ServedTool, Record<string, unknown>>>> = {
  preflight_trade: ORDER,
  preflight_copy: { wallet: `0x${'ab'.repeat(20)}` },
};

/** What the official client signs when it sees these terms. */
function sign({ account }: Pick<Payer, 'account'>, terms: PaymentRequired) {
  return registerExactEvmScheme(new x402Client(), { signer: account }).createPaymentPayload(terms);
}

/** The terms in the result of a call that was not paid for. */
function termsOf({ isError, structuredContent }: ToolAnswer): PaymentRequired {
  expect(isError).to.equal(true);
  expect(PaymentRequiredV2Schema.safeParse(structuredContent).error).to.equal(undefined);
  return structuredContent;
}

describe('MCP, paid by x402 in _meta', function () {
  this.timeout(PROCESS_TEST_MS);
  let chain: LocalChain;
  let facilitator: LocalFacilitator;
  let engine: Payments;
  let lease: Lease;
  let door: McpDoor;

  before(async function () {
    needAnvil(this);
    chain = await startChain();
    facilitator = await startLocalFacilitator({ chain });
    door = await openMcpDoor({
      terms: { ...TERMS, payeeAddress: PAYEE },
      payments: (store) => {
        lease = new Lease({
          leases: store.leases,
          othersMax: 1,
          stopwatch: systemClock,
          timers: systemTimers,
          random: systemRandom,
          log: createLogger('info', { write: () => {} }),
        });
        engine = new Payments({
          store,
          lease,
          facilitators: [createFacilitator({ baseUrl: facilitator.url, clock: systemClock, timers: systemTimers })],
          chain: createBaseChain({ rpcUrls: [chain.rpcUrl], clock: systemClock, timers: systemTimers }),
          signatures: createSignatureCheck(USDC),
          refused: new RefusedPayments(systemClock),
          ...paymentSecrets(),
          explorerUrl: 'https://basescan.org',
          clock: systemClock,
          timers: systemTimers,
          random: systemRandom,
          log: createLogger('info', { write: () => {} }),
        });
        return engine;
      },
    });
    await lease.start();
  });
  after(async () => {
    await lease?.end();
    await door?.stop();
    engine?.stop();
    await facilitator?.stop();
    await chain?.stop();
  });

  const earned = () => chain.balanceOf(PAYEE);

  for (const client of MCP_CLIENTS) {
    describe(client.name, () => {
      let connected: Connected;
      before(async () => {
        connected = await client.connect(door.url);
        await connected.tools();
      });
      after(() => connected?.close());

      it('pays every tool, and the chain moves exactly its price', async () => {
        for (const name of TOOLS) {
          const payer = await newPayer(chain);
          const before = await earned();
          const call = { name, arguments: ARGUMENTS[name] ?? {} };
          const payment = await sign(payer, termsOf(await connected.call(call)));
          const answer = await connected.call({ ...call, _meta: { [PAYMENT]: payment } });

          const { paid, ...body } = answer.structuredContent;
          expect(body, JSON.stringify(answer)).to.deep.equal(liveAnswer(name));
          expect(JSON.parse(answer.content[0]!.text)).to.deep.equal(answer.structuredContent);
          const { amountMicros } = PRICES[name];
          expect((await earned()) - before).to.equal(amountMicros);
          expect(Number(paid.price_paid_usdc)).to.equal(Number(amountMicros) / 1e6);
          expect(answer._meta?.[RECEIPT]).to.deep.equal({
            success: true,
            payer: payer.address.toLowerCase(),
            transaction: paid.transaction,
            network: 'eip155:8453',
            amount: String(amountMicros),
          });
        }
      });
    });
  }

  describe('at both doors', () => {
    let connected: Connected;
    before(async () => {
      connected = await MCP_CLIENTS[0]!.connect(door.url);
    });
    after(() => connected?.close());

    const buy = (args: object, payment: object) =>
      connected.call({ name: 'preflight_trade', arguments: { ...args }, _meta: { [PAYMENT]: payment } });
    const terms = async () => termsOf(await connected.call({ name: 'preflight_trade', arguments: ORDER }));
    const atRest = (query: string, payment: object | null, others: Record<string, string> = {}) => {
      const paying = payment === null ? {} : { 'PAYMENT-SIGNATURE': encodeHeader(payment) };
      return fetch(`${door.url}/api/preflight_trade?${query}`, { headers: { ...paying, ...others } });
    };

    it('one authorization gets one answer, in the same bytes, and is charged once', async () => {
      const payment = await sign(await newPayer(chain), await terms());
      const [before, ran] = [await earned(), door.ran.length];
      const [first, again] = await Promise.all([buy(ORDER, payment), buy(ORDER, payment)]);
      const rest = await atRest('usd=25.0&slug=will-it-rain', payment);
      expect(rest.status).to.equal(200);
      expect(new Set([first.content[0]!.text, again.content[0]!.text, await rest.text()]).size).to.equal(1);
      expect([(await earned()) - before, door.ran.length - ran]).to.deep.equal([20_000n, 1]);
    });

    it('a paid answer is known as one on its way out, so that losing it can be tested; no other is', async () => {
      const payment = await sign(await newPayer(chain), await terms());
      const before = door.paidBodies.length;
      await connected.call({ name: 'preflight_trade', arguments: { sandbox: true } });
      expect(door.paidBodies.length).to.equal(before);
      await buy(ORDER, payment);
      expect(door.paidBodies).to.have.length(before + 1);
    });

    it('a payment that was taken at the REST door is good here too, and only for its request', async () => {
      const payment = await sign(await newPayer(chain), await terms());
      const rest = await atRest('slug=will-it-rain&usd=25', payment);
      expect((await buy(ORDER, payment)).content[0]!.text).to.equal(await rest.text());

      const before = await earned();
      const other = await buy(EUROPE, payment);
      expect(termsOf(other)).to.include({ code: 'payment_refused' });
      expect(other._meta?.[RECEIPT]).to.include({ success: false, transaction: '' });
      expect(await earned()).to.equal(before);
    });

    it('a repeat beside a token debits no credits, and a new payment is taken beside a spent one', async () => {
      const payment = await sign(await newPayer(chain), await terms());
      const query = 'slug=will-it-rain&usd=25';
      const first = await (await atRest(query, payment)).text();
      const { token } = await door.credits.grant(SPENT, 1, 30, 'test');
      const bearing = { authorization: `Bearer ${token}` };
      expect(await (await atRest(query, payment, bearing)).text()).to.equal(first);
      const [used, refused] = [await atRest(query, null, bearing), await atRest(query, null, bearing)];
      expect([used.status, refused.status], 'the credit was still there').to.deep.equal([200, 402]);
      const before = await earned();
      expect((await atRest(query, await sign(await newPayer(chain), await terms()), bearing)).status).to.equal(200);
      expect((await earned()) - before).to.equal(20_000n);
    });

    it('a payment of version 1 gets a receipt of version 1', async () => {
      const payer = await newPayer(chain);
      const { timestamp } = await chain.client.getBlock();
      const window = { validAfter: '0', validBefore: String(timestamp + 100n), nonce: generatePrivateKey() };
      const signed = await signTransfer(payer.account, { to: PAYEE, value: '20000', ...window });
      const answer = await buy(ORDER, toPaymentV1(signed));
      expect(answer.structuredContent.paid, JSON.stringify(answer)).to.include({ price_paid_usdc: '0.02' });
      expect(answer._meta?.[RECEIPT]).to.include({ success: true, network: 'base' }).and.not.have.property('amount');
    });

    it('a payment where x402-mcp puts it, as base64, pays, and its receipt is where x402-mcp looks for it', async () => {
      const payer = await newPayer(chain);
      const { timestamp } = await chain.client.getBlock();
      const window = { validAfter: '0', validBefore: String(timestamp + 100n), nonce: generatePrivateKey() };
      const v1 = toPaymentV1(await signTransfer(payer.account, { to: PAYEE, value: '20000', ...window }));
      const call = { name: 'preflight_trade', arguments: ORDER, _meta: { 'x402.payment': encodeHeader(v1) } };
      const before = await earned();
      const answer = await connected.call(call);
      expect(answer.structuredContent.paid, JSON.stringify(answer)).to.include({ price_paid_usdc: '0.02' });
      const receipt = { success: true, network: 'base', transaction: answer.structuredContent.paid.transaction };
      expect(answer._meta?.['x402.payment-response']).to.include(receipt);
      expect(answer._meta?.[RECEIPT]).to.include(receipt);
      expect((await earned()) - before).to.equal(20_000n);
    });

    it('a payment in a header of the HTTP request is told where it goes, and pays nothing', async () => {
      const payment = await sign(await newPayer(chain), await terms());
      const before = await earned();
      for (const name of ['PAYMENT-SIGNATURE', 'X-PAYMENT']) {
        const mistaken = await MCP_CLIENTS[0]!.connect(door.url, { [name]: encodeHeader(payment) });
        const { isError, structuredContent } = await mistaken.call({ name: 'preflight_trade', arguments: ORDER });
        expect([isError, structuredContent.code]).to.deep.equal([true, 'invalid_parameter']);
        expect(structuredContent.error).to.include('_meta["x402/payment"]').and.include('nothing was charged');
        await mistaken.close();
      }
      expect(await earned()).to.equal(before);
    });

    it('a wallet without money is refused with the terms, and a bad order before anything is asked', async () => {
      const payment = await sign({ account: privateKeyToAccount(generatePrivateKey()) }, await terms());
      const refused = await buy(ORDER, payment);
      expect(termsOf(refused)).to.include({ code: 'payment_refused' });
      expect(refused._meta?.[RECEIPT]).to.include({ success: false });
      const bad = await buy({ slug: 'a', usd: -1 }, await sign(await newPayer(chain), await terms()));
      expect([bad.isError, bad.structuredContent.code]).to.deep.equal([true, 'invalid_parameter']);
    });
  });
});

describe('MCP, where the outcome of a payment is not known', () => {
  it('is an error without terms, with the pending receipt, so that no client pays again', async () => {
    const pay = async () => ({ kind: 'unknown', transaction: `0x${'7a'.repeat(32)}`, retryAfterS: 2 }) as const;
    const door = await openMcpDoor({ payments: { pay, hasBegun: async () => false } });
    for (const client of MCP_CLIENTS) {
      const connected = await client.connect(door.url);
      await connected.tools();
      const call = { name: 'preflight_trade', arguments: ORDER };
      const payment = await sign(
        { account: privateKeyToAccount(generatePrivateKey()) },
        termsOf(await connected.call(call)),
      );
      const answer = await connected.call({ ...call, _meta: { [PAYMENT]: payment } });
      const { error, ...received } = answer.structuredContent;
      expect(answer.isError).to.equal(true);
      expect(received).to.deep.equal({
        code: 'settlement_pending',
        doc: '/llms.txt#settlement_pending',
        retry: 'same_payment',
        retry_after_seconds: 2,
      });
      expect(error).to.match(/same payment \(never a new one\)/);
      expect(answer._meta?.[RECEIPT]).to.include({ success: false, errorReason: 'settlement_pending' });
      expect(JSON.stringify(answer)).to.not.include('accepts');
      await connected.close();
    }
    await door.stop();
  });
});
