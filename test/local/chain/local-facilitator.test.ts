import { createServer } from 'node:http';
import { decodePaymentSignatureHeader, encodePaymentResponseHeader, HTTPFacilitatorClient } from '@x402/core/http';
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types';
import { registerExactEvmScheme } from '@x402/evm/exact/client';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { expect } from 'chai';
import type { Fault, FaultPlan } from '#local/chain/facilitator-faults';
import type { LocalChain } from '#local/chain/local-chain';
import { type LocalFacilitator, startLocalFacilitator } from '#local/chain/local-facilitator';
import { USDC_ADDRESS } from '#local/chain/usdc';
import { listen } from '#test/support/listen';
import { PROCESS_TEST_MS } from '#test/support/time-limits';
import { paymentRequiredHeaders, toPaymentRequired } from '#wire/x402/x402';
import {
  ask,
  authorize,
  needAnvil,
  newPayer,
  nonceOf,
  PAYEE,
  type Payer,
  type Payment,
  type Seen,
  sign,
  startChain,
  until,
} from '../support/chain-harness.js';

describe('the local facilitator', function () {
  this.timeout(PROCESS_TEST_MS);
  let chain: LocalChain;
  let facilitator: LocalFacilitator;
  let payer: Payer;

  before(async function () {
    needAnvil(this);
    chain = await startChain();
    facilitator = await startLocalFacilitator({ chain, confirmMsMax: 1_500 });
  });
  beforeEach(async () => {
    facilitator.faults.clear();
    payer = await newPayer(chain);
  });
  after(async () => {
    await facilitator?.stop();
    await chain?.stop();
  });

  const verify = (payment: Payment) => ask(facilitator.url, 'verify', payment);
  const settle = (payment: Payment, patienceMs?: number) => ask(facilitator.url, 'settle', payment, patienceMs);
  const isSpent = (payment: Payment) => chain.isAuthorizationSpent(payer.address, nonceOf(payment));
  const spentBy = async () => 1_000_000n - (await chain.balanceOf(payer.address));

  it('says that it settles exact payments of both versions on Base, and who sends them', async () => {
    const { body } = await ask(facilitator.url, 'supported');
    expect(body.kinds).to.deep.equal([
      { x402Version: 2, scheme: 'exact', network: 'eip155:8453' },
      { x402Version: 1, scheme: 'exact', network: 'base' },
    ]);
    expect(await new HTTPFacilitatorClient({ url: facilitator.url }).getSupported()).to.deep.equal(body);
  });

  for (const version of [1, 2] as const) {
    it(`moves exactly what the official client signed (v${version})`, async () => {
      const payment = await sign(payer, 12_345n, version);
      const paidBefore = await chain.balanceOf(PAYEE);
      expect((await verify(payment)).body).to.deep.equal({ isValid: true, payer: payer.address });
      expect(await spentBy()).to.equal(0n);
      const { status, body } = await settle(payment);
      expect(status).to.equal(200);
      expect(body).to.include({ success: true, payer: payer.address });
      expect(body.network).to.equal(version === 2 ? 'eip155:8453' : 'base');
      expect((await chain.client.getTransactionReceipt({ hash: body.transaction })).status).to.equal('success');
      expect(await spentBy()).to.equal(12_345n);
      expect((await chain.balanceOf(PAYEE)) - paidBefore).to.equal(12_345n);
    });
  }

  it('pays through @x402/fetch', async () => {
    const server = createServer(async (request, response) => {
      const offer = {
        resourceUrl: 'http://127.0.0.1/paid',
        description: 'something',
        amountMicros: 700n,
        asset: USDC_ADDRESS,
        payTo: PAYEE,
      };
      const paid = request.headers['payment-signature'];
      if (typeof paid !== 'string') {
        response
          .writeHead(402, { 'payment-required': paymentRequiredHeaders(offer, 'pay')('secret-of-the-terms') })
          .end('{}');
        return;
      }
      const paymentPayload = decodePaymentSignatureHeader(paid);
      const paymentRequirements = toPaymentRequired(offer, '').accepts[0]!;
      const { body } = await settle({ x402Version: 2, paymentPayload, paymentRequirements });
      response.writeHead(200, { 'payment-response': encodePaymentResponseHeader(body) }).end('the goods');
    });
    const client = registerExactEvmScheme(new x402Client(), { signer: payer.account });
    const paidFetch = wrapFetchWithPayment(fetch, client);
    const answer = await paidFetch(`http://127.0.0.1:${await listen(server)}/`);
    expect(await answer.text()).to.equal('the goods');
    expect(await spentBy()).to.equal(700n);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it('settles an authorization once, and says afterwards that it was used', async () => {
    const payment = await sign(payer);
    const copies = await Promise.all(Array.from({ length: 5 }, () => settle(payment)));
    expect(copies.filter(({ body }) => body.success)).to.have.length(1);
    const used = { success: false, errorReason: 'invalid_exact_evm_nonce_already_used', transaction: '' };
    for (const { body } of copies.filter(({ body }) => !body.success)) expect(body).to.include(used);
    expect((await settle(payment)).body).to.include(used);
    expect((await verify(payment)).body).to.include({ isValid: false, invalidReason: used.errorReason });
    expect(await spentBy()).to.equal(10_000n);
  });

  it('settles 50 payments at once, and more after some of them fail', async () => {
    const payments = await Promise.all(Array.from({ length: 50 }, () => sign(payer)));
    const answers = await Promise.all(payments.map((payment) => settle(payment, 15_000)));
    expect(answers.filter(({ body }) => body?.success)).to.have.length(50);
    expect(new Set(answers.map(({ body }) => body.transaction)).size).to.equal(50);
    expect(await spentBy()).to.equal(500_000n);
    const fresh = await sign(payer);
    const mixed = await Promise.all([...payments.slice(0, 10), fresh].map((payment) => settle(payment)));
    expect(mixed.map(({ body }) => body.success)).to.deep.equal([...Array(10).fill(false), true]);
  });

  it('says why it does not pay', async () => {
    const payment = await sign(payer);
    const changed = (change: Record<string, string>): Payment => ({
      ...payment,
      paymentRequirements: { ...payment.paymentRequirements, ...change } as PaymentRequirements,
    });
    const poor = await newPayer(chain, 1n);
    const expired = await handSigned({ validBefore: 1n });
    const cancelled = await sign(payer);
    await chain.cancelAuthorization(payer.key, nonceOf(cancelled));
    const reasons = await Promise.all(
      [
        changed({ payTo: USDC_ADDRESS }),
        changed({ amount: '9999' }),
        await sign(poor),
        expired,
        cancelled,
        forged(payment),
      ].map(async (each) => (await verify(each)).body.invalidReason),
    );
    expect(reasons).to.deep.equal([
      'invalid_exact_evm_recipient_mismatch',
      'invalid_exact_evm_payload_authorization_value_mismatch',
      'invalid_exact_evm_insufficient_balance',
      'invalid_exact_evm_payload_authorization_valid_before',
      'invalid_exact_evm_nonce_already_used',
      'invalid_exact_evm_signature',
    ]);
    expect((await settle(cancelled)).body.errorReason).to.equal('invalid_exact_evm_nonce_already_used');
    expect((await settle(await sign(poor))).body.errorReason).to.equal('invalid_exact_evm_insufficient_balance');
    expect(await spentBy()).to.equal(0n);
  });

  it('answers 400 to what is no payment and 500 to what it cannot settle', async () => {
    expect(await settle({} as Payment)).to.include({ status: 400 });
    const payment = await sign(payer);
    const paymentRequirements = { ...payment.paymentRequirements, network: 'eip155:1' } as const;
    const elsewhere = await settle({ ...payment, paymentRequirements });
    expect(elsewhere.status).to.equal(500);
    expect(elsewhere.body.error).to.contain('eip155:1');
  });

  it('answers settlement_pending with the hash where blocks are slow, and success when asked again', async () => {
    const slow = await startChain({ blockTimeMs: 900 });
    const one = await startLocalFacilitator({ chain: slow, confirmMsMax: 100 });
    payer = await newPayer(slow);
    await until(async () => (await slow.balanceOf(payer.address)) > 0n);
    const payment = await sign(payer);
    const first = (await ask(one.url, 'settle', payment)).body;
    expect(first).to.include({ success: false, errorReason: 'settlement_pending' });
    await until(() => slow.isAuthorizationSpent(payer.address, nonceOf(payment)));
    expect((await ask(one.url, 'settle', payment)).body).to.include({ success: true, transaction: first.transaction });
    await one.stop();
    await slow.stop();
  });

  describe('made to fail', () => {
    const LATE_MS = 600;
    /** What the caller sees, and whether the payer was charged by then. */
    const cases: readonly (readonly [Partial<FaultPlan> & { fault: Fault }, Partial<Seen> | object, boolean])[] = [
      [{ fault: 'drop-before' }, { status: 'dropped' }, false],
      [{ fault: 'drop-after' }, { status: 'dropped' }, true],
      [{ fault: 'hang-before' }, { status: 'hung' }, false],
      [{ fault: 'hang-after' }, { status: 'hung' }, true],
      [{ fault: 'error-before' }, { status: 500 }, false],
      [{ fault: 'error-before', status: 429, retryAfterS: 7 }, { status: 429, retryAfter: '7' }, false],
      [{ fault: 'error-after' }, { status: 502 }, true],
      [{ fault: 'garbage-before' }, { status: 200, body: '<html><body>Bad gateway</body></html>' }, false],
      [{ fault: 'garbage-after' }, { status: 200, body: '<html><body>Bad gateway</body></html>' }, true],
      [{ fault: 'reject' }, { status: 200, success: false, errorReason: 'insufficient_funds', transaction: '' }, false],
      [
        { fault: 'lie-failed', reason: 'invalid_exact_evm_signature' },
        { status: 200, success: false, errorReason: 'invalid_exact_evm_signature', transaction: '' },
        true,
      ],
      [{ fault: 'lie-succeeded' }, { status: 200, success: true }, false],
    ];
    for (const [plan, seen, charged] of cases) {
      it(`${JSON.stringify(plan)}: ${JSON.stringify(seen)}, ${charged ? 'charged' : 'not charged'}`, async () => {
        const payment = await sign(payer);
        facilitator.faults.plan({ operation: 'settle', ...plan });
        const answer = await settle(payment, plan.fault.startsWith('hang') ? 700 : undefined);
        const flat = { ...Object(answer.body), ...answer, retryAfter: answer.headers.get('retry-after') };
        expect(flat).to.include(seen);
        if (charged) await until(() => isSpent(payment));
        expect(await isSpent(payment)).to.equal(charged);
        expect((await settle(payment)).body.success, 'one failure only').to.equal(!charged);
        expect(await spentBy()).to.equal(10_000n);
      });
    }

    for (const withHash of [true, false]) {
      it(`is pending with any status ${withHash ? 'and the' : 'but no'} hash, and mined later`, async () => {
        const statuses = [200, 202, 500];
        const payments = await Promise.all(statuses.map(() => sign(payer)));
        payments.forEach((payment, index) => {
          const fault = { fault: 'pending', status: statuses[index]!, withHash, minedAfterMs: LATE_MS } as const;
          facilitator.faults.plan({ operation: 'settle', nonce: nonceOf(payment), ...fault });
        });
        const answers = await Promise.all([...payments].reverse().map((payment) => settle(payment)));
        expect(await spentBy()).to.equal(0n);
        expect(answers.map(({ status }) => status)).to.deep.equal([500, 202, 200]);
        for (const { body } of answers) {
          expect(body).to.include({ success: false, errorReason: 'settlement_pending', payer: payer.address });
          expect(body.transaction !== '').to.equal(withHash);
          expect(body.paymentId !== undefined).to.equal(!withHash);
        }
        const again = await settle(payments[2]!);
        expect(again.body).to.include({ success: true });
        if (withHash) expect(again.body.transaction).to.equal(answers[0]!.body.transaction);
        await until(async () => (await spentBy()) === 30_000n);
      });
    }

    it('is pending for good where the transfer is never mined', async () => {
      const payment = await sign(payer);
      facilitator.faults.plan({ operation: 'settle', fault: 'pending', minedAfterMs: 'never' });
      const first = (await settle(payment)).body;
      const again = (await settle(payment)).body;
      expect(again).to.include({ success: false, errorReason: 'settlement_pending', transaction: first.transaction });
      expect(await isSpent(payment)).to.equal(false);
    });

    it('mines a late transfer that fails when the payer takes it back in time', async () => {
      const payment = await sign(payer);
      facilitator.faults.plan({ operation: 'settle', fault: 'pending', minedAfterMs: LATE_MS });
      const { transaction: hash } = (await settle(payment)).body;
      await chain.cancelAuthorization(payer.key, nonceOf(payment));
      await until(async () => (await chain.client.getTransactionReceipt({ hash })).status === 'reverted');
      expect(await spentBy()).to.equal(0n);
    });

    it('lies in verify without touching money', async () => {
      const payment = await sign(payer);
      const plan = (fault: Fault) => facilitator.faults.plan({ operation: 'verify', fault });
      plan('reject');
      expect((await verify(payment)).body).to.deep.equal({
        isValid: false,
        invalidReason: 'insufficient_funds',
        payer: payer.address,
      });
      plan('lie-succeeded');
      expect((await verify(forged(payment))).body).to.deep.equal({ isValid: true, payer: payer.address });
      plan('error-after');
      expect(await verify(payment)).to.include({ status: 502 });
      expect((await verify(payment)).body).to.include({ isValid: true });
      expect(await spentBy()).to.equal(0n);
    });

    it('can be away when asked what it supports', async () => {
      facilitator.faults.plan({ operation: 'supported', fault: 'error-before', status: 503 });
      expect(await ask(facilitator.url, 'supported')).to.include({ status: 503 });
      expect(await ask(facilitator.url, 'supported')).to.include({ status: 200 });
    });

    it('follows plans in their order, for as many calls as they say, for whom they say', async () => {
      const other = await newPayer(chain);
      const { faults } = facilitator;
      faults.plan({
        operation: 'settle',
        fault: 'error-before',
        status: 503,
        times: 'always',
        payer: payer.address.toLowerCase(),
      });
      faults.plan({ operation: 'settle', fault: 'drop-before', times: 2, payer: payer.address });
      const mine = await sign(payer);
      const statuses = [];
      for (let n = 0; n < 4; n += 1) statuses.push((await settle(mine)).status);
      expect(statuses).to.deep.equal(['dropped', 'dropped', 503, 503]);
      expect((await settle(await sign(other))).body).to.include({ success: true });
      expect(faults.calls({ operation: 'settle' })).to.have.length(5);
      expect(faults.calls({ nonce: nonceOf(mine) }).map(({ fault }) => fault)).to.deep.equal([
        'drop-before',
        'drop-before',
        'error-before',
        'error-before',
      ]);
      faults.clear();
      expect((await settle(mine)).body).to.include({ success: true });
    });

    it('waits first where a delay is planned', async () => {
      facilitator.faults.plan({ operation: 'settle', fault: 'ok', delayMs: 400 });
      const payment = await sign(payer);
      expect(await settle(payment, 200)).to.include({ status: 'hung' });
      await until(() => isSpent(payment));
    });

    it('takes plans from other processes, and refuses those that make no sense', async () => {
      const send = (method: string, path: string, body?: object) =>
        fetch(`${facilitator.controlUrl}/${path}`, {
          method,
          headers: { 'content-type': 'application/json' },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
      expect((await send('POST', 'faults', { operation: 'settle', fault: 'drop-before' })).status).to.equal(200);
      const payment = await sign(payer);
      expect(await settle(payment)).to.include({ status: 'dropped' });
      expect(await (await send('GET', 'calls')).json()).to.deep.equal([
        { operation: 'settle', fault: 'drop-before', payer: payer.address, nonce: nonceOf(payment) },
      ]);
      for (const wrong of [
        { operation: 'settle', fault: 'explode' },
        { operation: 'verify', fault: 'pending' },
        { operation: 'supported', fault: 'reject' },
      ]) {
        expect((await send('POST', 'faults', wrong)).status, JSON.stringify(wrong)).to.equal(400);
      }
      await send('POST', 'faults', { operation: 'settle', fault: 'drop-before' });
      expect((await send('DELETE', 'faults')).status).to.equal(200);
      expect((await settle(payment)).body).to.include({ success: true });
    });
  });

  function forged(payment: Payment): Payment {
    const { signature, ...rest } = payment.paymentPayload.payload as { signature: string };
    const other = `${signature.slice(0, 10)}${signature[10] === '0' ? '1' : '0'}${signature.slice(11)}`;
    const paymentPayload = { ...payment.paymentPayload, payload: { ...rest, signature: other } };
    return { ...payment, paymentPayload };
  }

  async function handSigned(given: { validBefore: bigint }): Promise<Payment> {
    const payment = await sign(payer);
    const { signature, ...authorization } = await authorize(payer, given);
    const strings = Object.fromEntries(Object.entries(authorization).map(([name, value]) => [name, String(value)]));
    const payload = { signature, authorization: strings };
    return { ...payment, paymentPayload: { ...payment.paymentPayload, payload } as PaymentPayload };
  }
});
