import { expect } from 'chai';
import type { PaymentRow } from '#domain/payment/payment-row';
import { paymentMachineWith } from '#machines/payment.machine';
import type { PaymentSteps } from '#machines/payment-events';
import type { Store } from '#ports/store';
import type { PaymentOutcome } from '#services/payments/contract';
import { REQUEST_BUDGET_MS } from '#services/payments/payment-run';
import { type Deferred, deferred } from '#test/support/promises';
import {
  newPayment,
  type PaymentsRig,
  paid,
  type RigOptions,
  startPaymentsRig,
  TX,
  timedOut,
} from '../support/payments-rig.js';

describe('the run of a payment', () => {
  let rig: PaymentsRig;
  const open = async (options: RigOptions = {}) => {
    rig = await startPaymentsRig(options);
  };
  afterEach(() => rig.close());
  const steps = () => rig.facilitators.map(({ requested }) => requested.join(' '));

  describe('whose machine breaks', () => {
    let isBroken: boolean;
    /** Steps of which one throws, which none may, as long as the machine is to break. */
    const breaking = (name: keyof PaymentSteps) => (given: PaymentSteps) => {
      const step = (input: never, run: never) => {
        if (isBroken) throw new Error('a fault of this program');
        return given[name](input, run);
      };
      return paymentMachineWith({ ...given, [name]: step });
    };
    beforeEach(() => {
      isBroken = true;
    });

    it('answers that the outcome is not known, to all copies, frees its place, and is counted', async () => {
      await open({ provide: breaking('resolve') });
      rig.facilitators[0]!.settles = { kind: 'unknown', reason: 'settlement_pending', transaction: TX };
      const payment = newPayment(rig.clock);
      const outcomes = await Promise.all([rig.pay(payment), rig.pay(payment)]);
      const unknown = { kind: 'unknown', transaction: TX, retryAfterS: 2 };
      expect(outcomes).to.deep.equal([unknown, unknown]);
      expect(rig.payments.report()).to.deep.include({ inWork: 0, unresolved: 0, answered: 0, refused: 0, broken: 1 });
      expect(rig.alarms).to.deep.equal(['the machine of a payment broke; a repeat takes the payment up again']);
    });

    it('does not break again every second: it is left to a repeat', async () => {
      await open({ provide: breaking('resolve') });
      rig.facilitators[0]!.settles = timedOut;
      await rig.pay(newPayment(rig.clock));
      await rig.pass(5_000);
      expect(rig.payments.report()).to.include({ broken: 1, takenOver: 0 });
      expect(rig.alarms).to.have.length(1);
    });

    it('is taken up by a repeat from its row, with the answer that was frozen', async () => {
      await open({ provide: breaking('resolve') });
      rig.facilitators[0]!.settles = timedOut;
      const payment = newPayment(rig.clock);
      expect((await rig.pay(payment)).kind).to.equal('unknown');
      expect((await rig.row(payment))!).to.include({ state: 'SETTLING', open: true });
      isBroken = false;
      rig.chain.says = paid;
      expect(await rig.pay(payment)).to.include({ kind: 'answered', transaction: TX });
      expect([rig.runs.count, steps()]).to.deep.equal([1, ['verify settle', '']]);
    });

    it('is taken up at the next start', async () => {
      await open({ provide: breaking('resolve') });
      rig.facilitators[0]!.settles = timedOut;
      const payment = newPayment(rig.clock);
      await rig.pay(payment);
      isBroken = false;
      rig.chain.says = paid;
      rig = await rig.restart();
      await rig.until(() => rig.payments.report().inWork === 0);
      expect((await rig.row(payment))!.state).to.equal('SETTLED');
    });

    it('has sent nothing when it broke before, and begins anew', async () => {
      await open({ provide: breaking('prepare') });
      const payment = newPayment(rig.clock);
      expect((await rig.pay(payment)).kind).to.equal('unknown');
      expect([(await rig.row(payment))!.state, steps()]).to.deep.equal(['CLAIMED', ['', '']]);
      isBroken = false;
      expect((await rig.pay(payment)).kind).to.equal('answered');
    });
  });

  it('writes its transitions to the log at debug, and none when debug is off', async () => {
    await open({ isDebugOn: true });
    rig.facilitators[0]!.settles = timedOut;
    rig.chain.says = paid;
    await rig.pay(newPayment(rig.clock));
    const ids = new Set(rig.lines.map((line) => (line as { payment: string }).payment));
    expect([...ids].join()).to.match(/^[0-9a-f]{16}$/);
    const requests = new Set(rig.lines.map((line) => (line as { requestId: string }).requestId));
    expect([...requests]).to.deep.equal(['request-1']);
    expect(
      rig.lines.map(({ requestId: _, ...line }: { requestId?: string }) => ({ ...line, payment: 'id' })),
    ).to.deep.equal([
      { payment: 'id', state: 'CLAIMING', event: 'xstate.init' },
      { payment: 'id', state: 'PREPARING', event: 'payment.claimed' },
      { payment: 'id', state: 'RECORDING', event: 'payment.prepared' },
      { payment: 'id', state: 'SETTLING', event: 'intent.recorded' },
      { payment: 'id', state: 'RESOLVING', event: 'attempt.unknown' },
      { payment: 'id', state: 'CONFIRMING', event: 'chain.paid' },
      { payment: 'id', state: 'SETTLED', event: 'settlement.recorded' },
    ]);
    await rig.close();
    await open();
    await rig.pay(newPayment(rig.clock));
    expect(rig.lines).to.deep.equal([]);
  });

  describe('whose row takes long to look up', () => {
    let row: Deferred<PaymentRow | null>;
    beforeEach(async () => {
      row = deferred();
      await open({ store: (store) => ({ ...store, payment: () => row.promise }) });
    });

    /** The outcome, which is there before the row is; then the row comes. */
    async function outcomeOf(outcome: Promise<PaymentOutcome>) {
      const { kind } = await outcome;
      row.resolve(null);
      await rig.pass(1_000);
      return [kind, rig.runs.count, ...steps(), rig.payments.report().inWork];
    }

    it('does not begin when it was stopped meanwhile', async () => {
      const outcome = rig.pay(newPayment(rig.clock));
      rig.payments.stop();
      expect(await outcomeOf(outcome)).to.deep.equal(['unknown', 0, '', '', 0]);
    });

    it('does not begin when its client has gone', async () => {
      const outcome = rig.pay(newPayment(rig.clock));
      await rig.pass(REQUEST_BUDGET_MS);
      expect(await outcomeOf(outcome)).to.deep.equal(['unknown', 0, '', '', 0]);
    });
  });

  it('ends with the answer when its row turns out to be settled, whatever the chain shows', async () => {
    let writes = 0;
    const landed = async <T>(written: Promise<T>): Promise<T> => {
      await written;
      throw new Error('no flush within 10000 ms');
    };
    const transact =
      (store: Store): Store['transact'] =>
      (keys, decide, how) => {
        const written = store.transact(keys, decide, how);
        return how?.durable !== false && ++writes === 2 ? landed(written) : written;
      };
    await open({ store: (store) => ({ ...store, transact: transact(store) }) });
    rig.chain.says = { kind: 'consumed_elsewhere' };
    const outcome = rig.pay(newPayment(rig.clock));
    await rig.until(() => writes === 3);
    expect(await outcome).to.include({ kind: 'answered', transaction: TX, replayed: false });
  });
});
