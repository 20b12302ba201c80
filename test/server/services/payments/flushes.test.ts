import { expect } from 'chai';
import { type HeldFixture, HeldFlushes, makeHeldFixture } from '#test/contract/support/held-flushes';
import { newPayment, type PaymentsRig, startPaymentsRig } from '../support/payments-rig.js';

describe('payments on a disk that takes its time', () => {
  const flushes = new HeldFlushes();
  let fixture: HeldFixture;
  let rig: PaymentsRig;
  beforeEach(async () => {
    fixture = await makeHeldFixture(flushes);
    rig = await startPaymentsRig({ fixture, facilitators: 1 });
  });
  afterEach(() => {
    flushes.letGo();
    return rig.close();
  });

  /** Resolves when the row can be read in this state, and nothing but the disk is waited for. */
  async function written(payment: ReturnType<typeof newPayment>, state: string): Promise<void> {
    while ((await rig.row(payment))?.state !== state) await new Promise(setImmediate);
    await fixture.overtake();
  }

  const steps = () => rig.facilitators[0]!.requested.join(' ');

  it('sends nothing to a facilitator before the intent is on disk', async () => {
    const payment = newPayment(rig.clock);
    const compute = async () => {
      flushes.hold();
      return '{"ok":true}';
    };
    const outcome = rig.pay(payment, { compute });
    await written(payment, 'SETTLING');
    expect(steps()).to.equal('verify');
    flushes.letGo();
    expect((await outcome).kind).to.equal('answered');
    expect(steps()).to.equal('verify settle');
  });

  for (const [title, work] of [
    ['an order', {}],
    ['a credit pack', { kind: 'pack', fingerprint: 'credits' }],
  ] as const) {
    it(`answers nobody who paid for ${title} before the answer is on disk`, async () => {
      const payment = newPayment(rig.clock);
      const [facilitator] = rig.facilitators;
      const settle = facilitator!.settle.bind(facilitator);
      facilitator!.settle = () => {
        flushes.hold();
        return settle();
      };
      const answered: string[] = [];
      const outcomes = ['first', 'copy'].map((who) =>
        rig.pay(payment, work).then(({ kind }) => answered.push(`${who}: ${kind}`)),
      );
      await written(payment, 'SETTLED');
      expect(answered).to.deep.equal([]);
      flushes.letGo();
      await Promise.all(outcomes);
      expect(answered).to.deep.equal(['first: answered', 'copy: answered']);
    });
  }
});
