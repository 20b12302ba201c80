import { expect } from 'chai';
import { OutsideError } from '#domain/errors';
import { PAYMENT_WINDOW_S } from '#domain/payment/payment';
import type { Store } from '#ports/store';
import { REQUEST_BUDGET_MS } from '#services/payments/payment-run';
import { newPayment, type PaymentsRig, paid, startPaymentsRig, timedOut } from '../support/payments-rig.js';

describe('payments while the store cannot be read', () => {
  let rig: PaymentsRig;
  let isDown: boolean;

  /** The store, where payments find no row while it is down. */
  const failing = (store: Store): Store => {
    const fail = () => {
      throw new OutsideError('store', 'the disk does not answer', { failure: 'retryable' });
    };
    return {
      ...store,
      payment: async (key) => (isDown ? fail() : store.payment(key)),
      transact: async (keys, decide, how) => (isDown ? fail() : store.transact(keys, decide, how)),
    };
  };

  beforeEach(async () => {
    isDown = true;
    rig = await startPaymentsRig({ store: failing, facilitators: 1 });
  });
  afterEach(() => rig.close());

  for (const [title, work] of [
    ['an order', {}],
    ['a credit pack', { kind: 'pack', fingerprint: 'credits' }],
  ] as const) {
    it(`are not looked up, and a repeat for ${title} begins anew when it can be read again`, async () => {
      const payment = newPayment(rig.clock);
      for (let tries = 0; tries < 2; tries++) expect((await rig.pay(payment, work)).kind).to.equal('not_looked_up');
      expect(rig.facilitators[0]!.requested).to.not.include('settle');
      expect(rig.payments.report().inWork).to.equal(0);
      isDown = false;
      expect(await rig.pay(payment, work)).to.include({ kind: 'answered', replayed: false });
      expect(rig.facilitators[0]!.requested.filter((step) => step === 'settle')).to.have.length(1);
    });
  }

  it('does not hold up another payment of the same wallet', async () => {
    const first = newPayment(rig.clock);
    const { from } = first.authorization;
    for (let n = 0; n < 20; n++) await rig.pay(newPayment(rig.clock, from));
    isDown = false;
    expect((await rig.pay(first)).kind).to.equal('answered');
  });
});

describe('payments whose store goes away on the way', () => {
  let rig: PaymentsRig;
  /** How often payments come to the store before it is away; null: it is there. */
  let callsLeft: number | null;

  const failing = (store: Store): Store => {
    const pass = async () => {
      if (callsLeft === null || callsLeft-- > 0) return;
      throw new OutsideError('store', 'there is no connection', { failure: 'retryable' });
    };
    return {
      ...store,
      payment: (key) => pass().then(() => store.payment(key)),
      transact: (keys, decide, how) => pass().then(() => store.transact(keys, decide, how)),
    };
  };

  beforeEach(async () => {
    callsLeft = null;
    rig = await startPaymentsRig({ store: failing, facilitators: 1 });
  });
  afterEach(() => rig.close());

  const settles = () => rig.facilitators[0]!.requested.filter((step) => step === 'settle').length;
  /** The store is away for the client's whole wait. */
  const payWithout = async (calls: number, payment: ReturnType<typeof newPayment>) => {
    callsLeft = calls;
    const outcome = rig.pay(payment);
    await rig.pass(REQUEST_BUDGET_MS);
    return outcome;
  };

  for (const [calls, moment, kind] of [
    [0, 'before they are looked up', 'not_looked_up'],
    [1, 'before they are claimed', 'unknown'],
    [2, 'after they were claimed', 'unknown'],
    [3, 'after they were sent', 'unknown'],
  ] as const) {
    // What was sent had been called valid.
    for (const word of calls === 3 ? (['valid'] as const) : (['valid', 'invalid'] as const)) {
      it(`${moment}: are not refused, whatever the verifier says (${word}), and settled once when they are repeated`, async () => {
        const payment = newPayment(rig.clock);
        if (word === 'invalid') rig.facilitators[0]!.verifies = { kind: 'invalid', reason: 'wrong' };
        rig.chain.says = calls === 3 ? paid : rig.unused();
        expect((await payWithout(calls, payment)).kind).to.equal(kind);
        callsLeft = null;
        rig.facilitators[0]!.verifies = { kind: 'valid' };
        await rig.pass(3_000);
        const again = rig.pay(payment);
        await rig.pass(3_000);
        expect(await again).to.include({ kind: 'answered' });
        expect(settles()).to.equal(1);
      });
    }
  }

  it('are refused in the end if their time is over before it is back: nothing was sent, and nothing can be', async () => {
    const payment = newPayment(rig.clock);
    await payWithout(2, payment);
    await rig.pass(PAYMENT_WINDOW_S * 1_000 - REQUEST_BUDGET_MS);
    expect((await rig.pay(payment)).kind).to.equal('not_looked_up');
    callsLeft = null;
    await rig.pass(3_000);
    const { kind, reason } = (await rig.pay(payment)) as { kind: string; reason: string };
    expect(kind).to.equal('refused');
    expect(reason).to.match(/^invalid_exact_evm_payload_authorization_valid_before: /);
    expect([await rig.row(payment), settles()]).to.deep.equal([null, 0]);
  });
});

describe('an open payment whose row cannot be taken up', () => {
  for (const [failure, triesMin, triesMax] of [
    ['final', 1, 1],
    ['retryable', 4, 6],
  ] as const) {
    const often = failure === 'final' ? 'once' : 'every second';
    it(`is tried ${often} where the failure is ${failure}`, async () => {
      let tries: number | null = null;
      const failing = (store: Store): Store => ({
        ...store,
        transact: async (keys, decide, how) => {
          if (tries === null || keys.payment === undefined) return store.transact(keys, decide, how);
          tries++;
          throw new OutsideError('store', 'the row is damaged', { failure });
        },
      });
      let rig = await startPaymentsRig({ store: failing, facilitators: 1 });
      rig.facilitators[0]!.settles = timedOut;
      void rig.pay(newPayment(rig.clock));
      await rig.pass(1_000);
      tries = 0;
      rig = await rig.restart();
      await rig.pass(5_000);
      expect(tries).to.be.within(triesMin, triesMax);
      expect(rig.alarms.filter((alarm) => alarm.startsWith('an open payment cannot be taken up'))).to.have.length(
        tries,
      );
      await rig.close();
    });
  }
});
