import { encodePaymentSignatureHeader } from '@x402/core/http';
import { expect } from 'chai';
import { createBaseChain } from '#adapters/chain/base-chain';
import { createSignatureCheck } from '#adapters/chain/signature-check';
import { createFacilitator } from '#adapters/facilitator/facilitator';
import { systemClock } from '#adapters/process/system-clock';
import { systemTimers } from '#adapters/process/system-timers';
import type { WalletAddress } from '#domain/ids';
import type { PaymentDemand, SignedPayment } from '#domain/payment/payment';
import type { FaultPlan } from '#local/chain/facilitator-faults';
import type { LocalChain } from '#local/chain/local-chain';
import { type LocalFacilitator, startLocalFacilitator } from '#local/chain/local-facilitator';
import type { ChainReader, Facilitator, SettleOutcome } from '#ports/settlement';
import { needAnvil, newPayer, PAYEE, type Payer, sign, startChain } from '#test/local/support/chain-harness';
import { DEMAND as ANY_DEMAND, USDC } from '#test/support/signed-payments';
import { readPayment } from '#wire/x402/x402-payment';

const AMOUNT = 10_000n;
const DEMAND: PaymentDemand = { ...ANY_DEMAND, amountMicros: AMOUNT, payTo: PAYEE.toLowerCase() as WalletAddress };
/**
 * Shorter than the facilitator's own patience, long enough for an honest answer on a busy machine.
 */
const SETTLE_MS = 2_500;

describe('a settlement through a real facilitator on a real chain', () => {
  let chain: LocalChain;
  let local: LocalFacilitator;
  let facilitator: Facilitator;
  let reader: ChainReader;
  let payer: Payer;
  const signatures = createSignatureCheck(USDC);

  before(async function () {
    needAnvil(this);
    chain = await startChain();
    local = await startLocalFacilitator({ chain });
    const limits = { settleTimeoutMs: SETTLE_MS, breakerFailures: 1_000 };
    facilitator = createFacilitator({ baseUrl: local.url, clock: systemClock, timers: systemTimers, limits });
    reader = createBaseChain({ rpcUrls: [chain.rpcUrl], clock: systemClock, timers: systemTimers });
    payer = await newPayer(chain, 1_000_000_000n);
  });
  after(async () => {
    await local?.stop();
    await chain?.stop();
  });
  afterEach(() => local?.faults.clear());

  /** What the official client signs for our terms, as it comes in through the header. */
  async function newPayment(version: 1 | 2 = 2): Promise<SignedPayment> {
    const { paymentPayload } = await sign(payer, AMOUNT, version);
    const header = encodePaymentSignatureHeader(paymentPayload);
    const [paymentSignature, xPayment] = version === 2 ? [header, undefined] : [undefined, header];
    const reading = readPayment({ paymentSignature, xPayment }, USDC);
    if (reading.kind !== 'payment') throw new Error(JSON.stringify(reading));
    return reading.payment;
  }

  const height = async () => (await reader.head())!.blockNumber;

  it('goes from the header of a client, v1 or v2, to a transfer that the chain shows', async () => {
    for (const version of [1, 2] as const) {
      const payment = await newPayment(version);
      const from = await height();
      expect(signatures.check(payment)).to.equal('matches');
      expect(await facilitator.verify(payment, DEMAND, 'key')).to.deep.equal({ kind: 'valid' });
      const outcome = await facilitator.settle(payment, DEMAND, 'key');
      expect(outcome.kind).to.equal('settled');
      const transaction = (outcome as SettleOutcome & { kind: 'settled' }).transaction;
      expect(await reader.resolve(payment, DEMAND, from)).to.include({ kind: 'paid', transaction });
      expect(await facilitator.settle(payment, DEMAND, 'key')).to.include({ kind: 'unknown' });
    }
    expect(await chain.balanceOf(PAYEE)).to.equal(2n * AMOUNT);
  });

  it('is refused where the payment is not as demanded, and nothing moves', async () => {
    const payment = await newPayment();
    const { authorization } = payment;
    const other = { ...payment, authorization: { ...authorization, nonce: `0x${'12'.repeat(32)}` } };
    expect(signatures.check(other)).to.equal('mismatch');
    const cases: [SignedPayment, PaymentDemand][] = [
      [other, DEMAND],
      [payment, { ...DEMAND, amountMicros: AMOUNT + 1n }],
      [payment, { ...DEMAND, payTo: USDC }],
    ];
    const from = await height();
    for (const [one, demand] of cases) {
      expect(await facilitator.verify(one, demand, 'key')).to.include({ kind: 'invalid' });
      expect(await facilitator.settle(one, demand, 'key')).to.include({ kind: 'rejected' });
      expect(await reader.resolve(one, demand, from)).to.include({ kind: 'unused' });
    }
  });

  /** What the adapter makes of each fault, and what the chain says afterwards. */
  const faults: [Omit<FaultPlan, 'operation'>, SettleOutcome['kind'], 'paid' | 'unused'][] = [
    [{ fault: 'drop-before' }, 'unknown', 'unused'],
    [{ fault: 'drop-after' }, 'unknown', 'paid'],
    [{ fault: 'hang-before' }, 'unknown', 'unused'],
    [{ fault: 'hang-after' }, 'unknown', 'paid'],
    [{ fault: 'error-before' }, 'unknown', 'unused'],
    [{ fault: 'error-after' }, 'unknown', 'paid'],
    [{ fault: 'garbage-before' }, 'unknown', 'unused'],
    [{ fault: 'garbage-after' }, 'unknown', 'paid'],
    [{ fault: 'reject' }, 'rejected', 'unused'],
    [{ fault: 'lie-failed' }, 'rejected', 'paid'],
    [{ fault: 'lie-succeeded' }, 'settled', 'unused'],
    [{ fault: 'pending', minedAfterMs: 'never' }, 'unknown', 'unused'],
    [{ fault: 'pending', minedAfterMs: 0, status: 500 }, 'unknown', 'paid'],
    [{ fault: 'pending', minedAfterMs: 0, status: 202, withHash: false }, 'unknown', 'paid'],
  ];
  for (const [plan, said, is] of faults) {
    it(`is ${said} after ${JSON.stringify(plan)}, and ${is} by the word of the chain`, async () => {
      const payment = await newPayment();
      const from = await height();
      local.faults.plan({ ...plan, operation: 'settle' });
      const outcome = await facilitator.settle(payment, DEMAND, 'key');
      expect(outcome.kind, JSON.stringify(outcome)).to.equal(said);
      if (plan.fault === 'pending') expect(outcome).to.include({ reason: 'settlement_pending' });
      let resolution = await reader.resolve(payment, DEMAND, from);
      for (let tries = 0; tries < 1_500 && resolution.kind !== is; tries++) {
        await new Promise((resolve) => setTimeout(resolve, 20));
        resolution = await reader.resolve(payment, DEMAND, from);
      }
      expect(resolution.kind).to.equal(is);
      expect(local.faults.calls({ operation: 'settle' })).to.have.length(1);
    });
  }
});
