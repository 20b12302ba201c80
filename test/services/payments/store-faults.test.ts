import { expect } from 'chai';
import { OutsideError } from '#domain/errors';
import type { Store } from '#ports/store';
import { newPayment, type PaymentsRig, startPaymentsRig } from '../support/payments-rig.js';

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
      expect(rig.facilitators[0]!.asked).to.not.include('settle');
      expect(rig.payments.report().inWork).to.equal(0);
      isDown = false;
      expect(await rig.pay(payment, work)).to.include({ kind: 'answered', replayed: false });
      expect(rig.facilitators[0]!.asked.filter((step) => step === 'settle')).to.have.length(1);
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
