import { expect } from 'chai';
import type { SignedPayment } from '#domain/payment/payment';
import { LONG_LIVED_MAX, PAYER_IN_WORK_MAX } from '#services/payments/payer-limits';
import { RARE_LOOK_INTERVAL_MS, WATCHED_CLOSELY_MS, WATCHED_MAX } from '#services/payments/watched-payments';
import { address, newPayment, type PaymentsRig, paid, rpcDown, startPaymentsRig, TX } from '../support/payments-rig.js';

const DAY_S = 86_400;
const PAID_AFTER_ALL = 'a payment recorded as failed has paid after all';

describe('a refused payment whose authorization stays open for long', () => {
  let rig: PaymentsRig;
  beforeEach(async () => {
    rig = await startPaymentsRig();
  });
  afterEach(() => rig.close());

  function lasting(from = address(91)): SignedPayment {
    const payment = newPayment(rig.clock, from);
    const validBefore = String(Math.floor(rig.clock.nowMs() / 1e3) + DAY_S);
    return { ...payment, authorization: { ...payment.authorization, validBefore } };
  }
  async function refuse(payment = lasting()): Promise<SignedPayment> {
    for (const facilitator of rig.facilitators)
      facilitator.settles = { kind: 'rejected', reason: 'insufficient_funds' };
    rig.chain.says = rig.unused();
    expect(await rig.pay(payment)).to.deep.equal({ kind: 'refused', reason: 'insufficient_funds' });
    for (const facilitator of rig.facilitators) facilitator.settles = { kind: 'settled', transaction: TX };
    return payment;
  }
  const inWork = () => rig.payments.report().inWork;
  /** Time passes at once, and what is due happens. */
  async function skip(ms: number): Promise<void> {
    rig.clock.advance(ms);
    await rig.pass(5_000);
  }

  it('takes no place of its wallet, nor one of those that stay open for long', async () => {
    for (let n = 0; n < PAYER_IN_WORK_MAX; n++) await refuse();
    for (let n = 0; n < LONG_LIVED_MAX; n++) await refuse(lasting(address(1_000 + n)));
    expect(inWork()).to.equal(PAYER_IN_WORK_MAX + LONG_LIVED_MAX);
    for (const payment of [newPayment(rig.clock, address(91)), lasting(), lasting(address(92))]) {
      expect((await rig.pay(payment)).kind).to.equal('answered');
    }
    // Also as another process counts them.
    const other = await rig.beside();
    expect((await other.pay(newPayment(rig.clock, address(91)))).kind).to.equal('answered');
  });

  it('is watched closely at first, and answered where it pays then', async () => {
    const payment = await refuse();
    await rig.pass(10_000);
    expect(inWork()).to.equal(1);
    rig.chain.says = paid;
    await rig.until(() => inWork() === 0);
    expect((await rig.row(payment))?.state).to.equal('SETTLED');
    expect(rig.alarms).to.deep.equal([PAID_AFTER_ALL]);
  });

  it('is in nobody’s way after a while, and still found where it pays later', async () => {
    const payment = await refuse();
    await skip(WATCHED_CLOSELY_MS);
    expect(inWork()).to.equal(0);
    expect(await rig.row(payment)).to.include({ state: 'FAILED', open: true });
    rig.chain.says = paid;
    await rig.pass(10_000);
    expect((await rig.row(payment))?.state).to.equal('FAILED');
    await skip(RARE_LOOK_INTERVAL_MS);
    await rig.until(async () => (await rig.row(payment))?.state === 'SETTLED');
    expect(rig.alarms).to.deep.equal([PAID_AFTER_ALL]);
    expect([inWork(), (await rig.pay(payment)).kind]).to.deep.equal([0, 'answered']);
  });

  it('is closed when its authorization has ended', async () => {
    const payment = await refuse();
    await skip(WATCHED_CLOSELY_MS);
    rig.chain.says = { kind: 'expired' };
    await skip(RARE_LOOK_INTERVAL_MS);
    await rig.until(async () => (await rig.row(payment))?.open === false);
    expect(await rig.row(payment)).to.include({ state: 'FAILED', failReason: 'insufficient_funds' });
    expect(inWork()).to.equal(0);
  });

  it('takes no place either while the chain cannot say what became of it', async () => {
    await refuse();
    await skip(WATCHED_CLOSELY_MS);
    rig.chain.says = rpcDown;
    const before = rig.chain.requested.length;
    await skip(RARE_LOOK_INTERVAL_MS);
    expect(rig.chain.requested.length - before).to.equal(1);
    expect(inWork()).to.equal(0);
  });

  it('is looked at when a process starts', async () => {
    const payment = await refuse();
    await skip(WATCHED_CLOSELY_MS);
    rig = await rig.restart();
    await rig.pass(5_000);
    expect(inWork(), 'while it is unused').to.equal(0);
    rig.chain.says = paid;
    rig = await rig.restart();
    await rig.until(async () => (await rig.row(payment))?.state === 'SETTLED');
  });

  it('is watched beside a bounded number of others', async () => {
    for (let n = 0; n < WATCHED_MAX + 2; n++) await refuse(lasting(address(5_000 + n)));
    expect(inWork()).to.equal(WATCHED_MAX);
    await rig.pass(3_000);
    expect(inWork()).to.equal(WATCHED_MAX);
    await skip(WATCHED_CLOSELY_MS);
    expect(inWork()).to.equal(0);
  });
});
