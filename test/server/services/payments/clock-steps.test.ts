import { expect } from 'chai';
import type { Facilitator } from '#ports/settlement';
import {
  newPayment,
  type Outside,
  type PaymentsRig,
  paid,
  startPaymentsRig,
  TX,
  timedOut,
} from '../support/payments-rig.js';

const HOUR = 3_600_000;
const MOMENTS = [
  'the verification',
  'the intent',
  'the settlement',
  'the look at the chain',
  'the confirmation',
] as const;
type Moment = (typeof MOMENTS)[number];

/** Calls `step` in the middle of the first passage of a moment. */
function stepIn({ store, facilitators, chain }: Outside, moment: Moment, step: () => void): Outside {
  let isDone = false;
  const pass = (passed: Moment) => {
    if (passed !== moment || isDone) return;
    isDone = true;
    step();
  };
  const during = async <T>(passed: Moment, work: () => Promise<T>): Promise<T> => {
    pass(passed);
    return work();
  };
  return {
    store: {
      ...store,
      transact: (keys, decide) =>
        store.transact(keys, (rows) => {
          const decision = decide(rows);
          const state = decision.writes.payment?.state;
          if (state === 'SETTLING') pass('the intent');
          if (state === 'SETTLED') pass('the confirmation');
          return decision;
        }),
    },
    facilitators: facilitators.map((one) => {
      const stepping: Pick<Facilitator, 'verify' | 'settle'> = {
        verify: (...args) => during('the verification', () => one.verify(...args)),
        settle: (...args) => during('the settlement', () => one.settle(...args)),
      };
      return Object.assign(Object.create(one) as Facilitator, stepping);
    }),
    chain: {
      ...chain,
      resolve: (...args) => during('the look at the chain', () => chain.resolve(...args)),
    },
  };
}

describe('payments while the wall clock is set', () => {
  let rig: PaymentsRig;
  afterEach(() => rig.close());

  const start = async (moment: Moment, stepMs: number) => {
    rig = await startPaymentsRig({ around: (outside) => stepIn(outside, moment, () => rig.clock.step(stepMs)) });
  };
  const settles = () =>
    rig.facilitators.flatMap(({ requested }) => requested).filter((what) => what === 'settle').length;

  for (const stepMs of [-HOUR, HOUR, 25 * HOUR]) {
    for (const moment of MOMENTS) {
      it(`are settled once by ${stepMs / HOUR} h during ${moment}, and repeated with the same bytes`, async () => {
        await start(moment, stepMs);
        const [first, second] = rig.facilitators;
        first!.settles = timedOut;
        second!.settles = { kind: 'settled', transaction: TX };
        rig.chain.says = rig.unused();
        const payment = newPayment(rig.clock);
        const requested = rig.pay(payment);
        await rig.until(async () => (await rig.row(payment))?.state === 'SETTLED');
        const answered = await requested;
        expect(answered).to.include({ kind: 'answered', replayed: false });
        expect(rig.clock.nowMs() - rig.clock.elapsedMs(), 'it was set').to.equal(stepMs);
        const { body } = answered as { readonly body: string };
        const same = { kind: 'answered', replayed: true, body, transaction: TX };
        expect(await rig.pay(payment)).to.include(same);
        rig = await rig.restart();
        expect(await rig.pay(payment)).to.include(same);
        expect([settles(), rig.runs.count, rig.alarms]).to.deep.equal([2, 1, []]);
      });
    }

    it(`are neither refused nor sent again by ${stepMs / HOUR} h while the chain alone can tell what became of them`, async () => {
      await start('the look at the chain', stepMs);
      rig.facilitators[0]!.settles = timedOut;
      const payment = newPayment(rig.clock);
      const outcome = rig.pay(payment);
      await rig.pass(50_000);
      expect(await outcome).to.include({ kind: 'unknown' });
      expect(rig.payments.report()).to.include({ unresolved: 1, refused: 0 });
      rig.chain.says = paid;
      await rig.until(async () => (await rig.row(payment))?.state === 'SETTLED');
      expect(await rig.pay(payment)).to.include({ kind: 'answered', transaction: TX });
      expect([settles(), rig.runs.count]).to.deep.equal([1, 1]);
    });
  }
});
