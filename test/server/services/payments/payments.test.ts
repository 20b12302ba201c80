import { expect } from 'chai';
import { Problem } from '#domain/errors';
import { paymentKey, type SignedPayment } from '#domain/payment/payment';
import type { ChainReader, Resolution, VerifyOutcome } from '#ports/settlement';
import { FreeAnswer } from '#services/gate/tool';
import type { PaymentOutcome } from '#services/payments/contract';
import { PAYER_IN_WORK_MAX, PAYER_UNRESOLVED_MAX } from '#services/payments/payer-limits';
import { REQUEST_BUDGET_MS } from '#services/payments/payment-run';
import { PAYMENTS_IN_WORK_MAX } from '#services/payments/payments';
import { REFUSED_PAYMENTS_LIMIT } from '#services/payments/refused-payments';
import { OTHER_SIGNATURE } from '#services/payments/sender';
import { deferred } from '#test/support/promises';
import { DEMAND } from '#test/support/signed-payments';
import {
  address,
  HEAD,
  newPayment,
  type PaymentsRig,
  paid,
  rpcDown,
  startPaymentsRig,
  TX,
  timedOut,
} from '../support/payments-rig.js';

const CREDITS = { kind: 'pack', fingerprint: 'credits', secret: null, names: [] } as const;

describe('payments', () => {
  let rig: PaymentsRig;
  beforeEach(async () => {
    rig = await startPaymentsRig();
  });
  afterEach(() => rig.close());

  const steps = () => rig.facilitators.map(({ requested }) => requested.join(' '));
  const order = (body: object) => JSON.stringify({ ok: true, ...body });
  const PAID = {
    price_paid_usdc: '0.02',
    transaction: TX,
    network: 'eip155:8453',
    receipt: `https://basescan.org/tx/${TX}`,
  };
  const answer = { kind: 'answered', body: order({ run: 1, paid: PAID }), transaction: TX };

  it('settles once and answers a repeat from the row', async () => {
    const payment = newPayment(rig.clock);
    expect(await rig.pay(payment)).to.include({ ...answer, replayed: false });
    expect(await rig.pay(payment)).to.include({ ...answer, replayed: true });
    expect(steps()).to.deep.equal(['verify settle', '']);
    expect(rig.payments.report()).to.deep.include({ inWork: 0, unresolved: 0, answered: 2, refused: 0, broken: 0 });
    expect((await rig.row(payment))!).to.include({ state: 'SETTLED', open: false });
  });

  it('look for a transfer wherever a reorganization may put it, but not before an authorization that was spent already', async () => {
    for (const isSpent of [false, true, null]) {
      rig.chain.isSpent = isSpent;
      const payment = newPayment(rig.clock);
      await rig.pay(payment);
      expect((await rig.row(payment))!.intentBlock).to.equal(HEAD - (isSpent === false ? 20 : 3));
    }
  });

  it('lets copies wait for the one that came first', async () => {
    const payment = newPayment(rig.clock);
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => rig.pay(payment)));
    const [first, ...copies] = outcomes;
    expect(first).to.include({ ...answer, replayed: false, began: true });
    for (const copy of copies)
      expect({ ...copy, began: true })
        .to.deep.equal(first)
        .and.not.to.deep.equal(copy);
    expect(rig.runs.count).to.equal(1);
    expect(steps()).to.deep.equal(['verify settle', '']);
  });

  it('binds an authorization to its request, while it runs and for good', async () => {
    const payment = newPayment(rig.clock);
    const first = rig.pay(payment);
    const refusal = /another request/;
    for (const moment of ['running', 'settled']) {
      const other = await rig.pay(payment, { fingerprint: 'order-2' });
      expect(other.kind, moment).to.equal('refused');
      expect((other as { reason: string }).reason).to.match(refusal);
      await first;
    }
    rig = await rig.restart();
    expect((await rig.pay(payment, { fingerprint: 'order-2' })).kind).to.equal('refused');
  });

  it('are known to have begun from their claim on, by their own request alone', async () => {
    const payment = newPayment(rig.clock);
    const hasBegun = (request = 'order-1') => rig.payments.hasBegun(payment, request);
    expect(await hasBegun()).to.equal(false);
    const verified = deferred<VerifyOutcome>();
    rig.facilitators[0]!.verifies = verified.promise;
    const outcome = rig.pay(payment, { fingerprint: 'order-1' });
    await rig.until(() => steps()[0] === 'verify');
    expect(await hasBegun(), 'at work').to.equal(true);
    verified.resolve({ kind: 'valid' });
    await outcome;
    rig = await rig.restart();
    expect([await hasBegun(), await hasBegun('order-2')]).to.deep.equal([true, false]);
  });

  describe('of which something is not there', () => {
    it('are unavailable where no facilitator answers, and the handler may have run for nothing', async () => {
      for (const facilitator of rig.facilitators)
        facilitator.verifies = { kind: 'unavailable', reason: 'answered 502' };
      const payment = newPayment(rig.clock);
      expect(await rig.pay(payment)).to.deep.equal({ kind: 'unavailable', reason: 'answered 502' });
      expect(steps()).to.deep.equal(['verify', 'verify']);
      expect(await rig.row(payment)).to.equal(null);
      for (const facilitator of rig.facilitators) facilitator.verifies = { kind: 'valid' };
      expect((await rig.pay(payment)).kind).to.equal('answered');
    });

    it('are counted, as a share of those that were verified or not, where no facilitator has a verdict', async () => {
      const pay = () => rig.pay(newPayment(rig.clock));
      await pay();
      for (const facilitator of rig.facilitators) {
        facilitator.verifies = { kind: 'unavailable', reason: 'answered 400 without a verdict' };
      }
      for (let n = 0; n < 3; n++) expect((await pay()).kind).to.equal('unavailable');
      expect(rig.payments.report()).to.include({ answered: 1, unverified: 3, unverifiedShare: 0.75 });
      for (const facilitator of rig.facilitators) facilitator.verifies = { kind: 'invalid', reason: 'no' };
      expect((await pay()).kind).to.equal('refused');
      expect(rig.payments.report(), 'a refusal is a verdict, and says nothing').to.include({ unverifiedShare: 0.75 });
    });

    it('are unavailable where none is configured', async () => {
      await rig.close();
      rig = await startPaymentsRig({ facilitators: 0 });
      expect((await rig.pay(newPayment(rig.clock))).kind).to.equal('unavailable');
    });

    it('are unavailable where the chain cannot be asked: what is sent then could not be resolved', async () => {
      rig.chain.head = null;
      const payment = newPayment(rig.clock);
      expect(await rig.pay(payment)).to.deep.equal({ kind: 'unavailable', reason: 'the chain cannot be read' });
      expect(steps()).to.deep.equal(['verify', '']);
      rig.chain.head = HEAD;
      expect((await rig.pay(payment)).kind).to.equal('answered');
    });

    it('have no known outcome where the store cannot be read or written, and nothing is sent', async () => {
      const down = () => Promise.reject(new Error('disk full'));
      for (const [fault, kind] of [
        [{ payment: down }, 'not_looked_up'],
        [{ transact: down }, 'unknown'],
      ] as const) {
        await rig.close();
        rig = await startPaymentsRig({ store: (store) => ({ ...store, ...fault }) });
        expect((await rig.pay(newPayment(rig.clock))).kind).to.equal(kind);
        expect(steps()[0]).not.to.include('settle');
      }
    });

    it('wait for the disk where the proof cannot be written, and are answered when it can', async () => {
      await rig.close();
      let writes = 0;
      const failing = async () => {
        throw new Error('disk full');
      };
      rig = await startPaymentsRig({
        store: (store) => ({
          ...store,
          transact: (keys, decide, how) =>
            how?.durable !== false && ++writes === 2 ? failing() : store.transact(keys, decide, how),
        }),
      });
      rig.chain.says = paid;
      const outcome = rig.pay(newPayment(rig.clock));
      await rig.until(() => writes === 3);
      expect(await outcome).to.include({ ...answer, replayed: false });
      expect(steps()).to.deep.equal(['verify settle', '']);
    });

    it('give credits once where the disk said that it may not have written, and had', async () => {
      await rig.close();
      let writes = 0;
      const afterAll = async (written: Promise<unknown>) => {
        await written;
        throw new Error('no flush within 10000 ms');
      };
      rig = await startPaymentsRig({
        store: (store) => ({
          ...store,
          transact: (keys, decide, how) => {
            const written = store.transact(keys, decide, how);
            return how?.durable !== false && ++writes === 2 ? (afterAll(written) as typeof written) : written;
          },
        }),
      });
      rig.chain.says = paid;
      const payment = newPayment(rig.clock);
      const outcome = rig.pay(payment, CREDITS);
      await rig.until(() => writes === 3);
      expect(JSON.parse(((await outcome) as { body: string }).body)).to.include({ balance: 500 });
      const account = await rig.store.account(payment.authorization.from);
      expect(account!.lots.map(({ remaining }) => remaining)).to.deep.equal([500]);
      expect(await rig.store.ledger(payment.authorization.from, 10)).to.have.length(1);
    });

    it('settle nothing for an answer that is free, and pay for the next one with the same authorization', async () => {
      const payment = newPayment(rig.clock);
      const queued = new FreeAnswer(202, { verdict: 'QUEUED' }, 30);
      const outcome = await rig.pay(payment, { compute: () => Promise.reject(queued) });
      expect(outcome).to.deep.equal({ kind: 'declined', cause: queued });
      expect(steps()).to.deep.equal(['verify', '']);
      expect((await rig.pay(payment)).kind).to.equal('answered');
    });

    it('pass the no of the handler on, with nothing sent and nothing burnt', async () => {
      const payment = newPayment(rig.clock);
      const problem = new Problem('unknown_market', 'there is no such market');
      const outcome = await rig.pay(payment, { compute: () => Promise.reject(problem) });
      expect(outcome).to.deep.equal({ kind: 'declined', cause: problem });
      expect(steps()).to.deep.equal(['verify', '']);
      expect((await rig.pay(payment, { fingerprint: 'order-2' })).kind).to.equal('answered');
    });
  });

  describe('with two facilitators', () => {
    const first = () => rig.facilitators[0]!;

    it('are verified by the second where the first does not answer', async () => {
      first().verifies = { kind: 'unavailable', reason: 'answered 500' };
      expect((await rig.pay(newPayment(rig.clock))).kind).to.equal('answered');
      expect(steps()).to.deep.equal(['verify settle', 'verify']);
    });

    it('are settled by the second where the first was never reached', async () => {
      first().settles = { kind: 'not_sent', reason: 'no connection (ECONNREFUSED)' };
      rig.chain.says = rig.unused();
      const outcome = rig.pay(newPayment(rig.clock));
      await rig.until(() => steps()[1] === 'settle');
      expect((await outcome).kind).to.equal('answered');
      expect(steps()).to.deep.equal(['verify settle', 'settle']);
    });

    it('are settled by the second after a lost answer only when the chain says unused', async () => {
      first().settles = timedOut;
      const outcome = rig.pay(newPayment(rig.clock));
      await rig.pass(4_000);
      expect(steps(), 'while the chain does not tell').to.deep.equal(['verify settle', '']);
      rig.chain.says = rig.unused();
      await rig.until(() => steps()[1] === 'settle');
      expect((await outcome).kind).to.equal('answered');
    });

    it('stay with the one that says it is at it', async () => {
      const pending = { kind: 'unknown', reason: 'settlement_pending', transaction: TX } as const;
      first().settles = [pending, pending, { kind: 'settled', transaction: TX }];
      rig.chain.says = rig.unused();
      const outcome = rig.pay(newPayment(rig.clock));
      await rig.until(() => steps()[0] === 'verify settle settle settle');
      expect((await outcome).kind).to.equal('answered');
      expect(steps()[1]).to.equal('');
    });
  });

  describe('whose outcome is not known', () => {
    const sendAndLose = () => {
      for (const facilitator of rig.facilitators) facilitator.settles = timedOut;
      return rig.pay(newPayment(rig.clock));
    };

    it('tell so when the time of a request is over, and are not sent again with nobody waiting', async () => {
      rig.chain.says = rig.unused();
      const outcome = sendAndLose();
      await rig.pass(REQUEST_BUDGET_MS);
      expect(await outcome).to.deep.equal({ kind: 'unknown', transaction: null, retryAfterS: 2 });
      const [before, requested] = [steps(), rig.chain.requested.length];
      await rig.pass(10_000);
      expect(steps()).to.deep.equal(before);
      expect(rig.chain.requested.length).to.be.above(requested);
      expect(rig.payments.report()).to.include({ inWork: 1, unresolved: 1 });
    });

    it('name the transaction that a facilitator spoke of', async () => {
      rig.facilitators[0]!.settles = { kind: 'unknown', reason: 'settlement_pending', transaction: TX };
      const outcome = rig.pay(newPayment(rig.clock));
      await rig.pass(REQUEST_BUDGET_MS);
      expect(await outcome).to.deep.equal({ kind: 'unknown', transaction: TX, retryAfterS: 2 });
    });

    it('are answered by the chain alone, with nobody waiting; the repeat gets the answer of the first call', async () => {
      const payment = newPayment(rig.clock);
      for (const facilitator of rig.facilitators) facilitator.settles = timedOut;
      const outcome = rig.pay(payment);
      await rig.pass(REQUEST_BUDGET_MS);
      expect((await outcome).kind).to.equal('unknown');
      rig.chain.says = paid;
      await rig.until(() => rig.payments.report().inWork === 0);
      expect(await rig.pay(payment)).to.include({ ...answer, replayed: true });
      expect(rig.runs.count).to.equal(1);
    });

    it('are sent again when their client comes back', async () => {
      const payment = newPayment(rig.clock);
      for (const facilitator of rig.facilitators) facilitator.settles = timedOut;
      rig.chain.says = rig.unused();
      const outcome = rig.pay(payment);
      await rig.pass(REQUEST_BUDGET_MS);
      expect((await outcome).kind).to.equal('unknown');
      for (const facilitator of rig.facilitators) facilitator.settles = { kind: 'settled', transaction: TX };
      const repeat = rig.pay(payment);
      await rig.pass(3_000);
      expect(await repeat).to.include({ ...answer, replayed: false });
    });

    it('are sent no more than five times for one waiting client', async () => {
      rig.chain.says = rig.unused();
      const outcome = sendAndLose();
      await rig.pass(REQUEST_BUDGET_MS);
      await outcome;
      expect(
        steps()
          .join(' ')
          .match(/settle/g),
      ).to.have.length(5);
    });

    it('are not sent shortly before their end: they could land after a no was told', async () => {
      rig.chain.says = { kind: 'unused', chainTimeS: Math.floor(rig.clock.nowMs() / 1e3) + 113 };
      const outcome = sendAndLose();
      await rig.pass(REQUEST_BUDGET_MS);
      expect((await outcome).kind).to.equal('unknown');
      expect(steps()).to.deep.equal(['verify settle', '']);
    });

    it('end in a refusal only by proof of the chain', async () => {
      const ends: [Resolution['kind'], string][] = [
        ['expired', 'authorization_expired'],
        ['cancelled', 'authorization_cancelled'],
        ['consumed_elsewhere', 'authorization_consumed_elsewhere'],
      ];
      for (const [kind, reason] of ends) {
        rig.chain.says = rpcDown;
        const outcome = sendAndLose();
        await rig.pass(2_000);
        rig.chain.says = { kind } as Resolution;
        await rig.pass(3_000);
        expect(await outcome).to.deep.equal({ kind: 'refused', reason });
      }
    });

    it('are told to be unknown where the service stops meanwhile', async () => {
      const outcome = sendAndLose();
      await rig.pass(1_000);
      rig.payments.stop();
      expect((await outcome).kind).to.equal('unknown');
    });
  });

  describe('called failed', () => {
    const reason = 'invalid_exact_evm_insufficient_balance';
    const failed = { kind: 'refused', reason };

    async function refuse() {
      const payment = newPayment(rig.clock);
      rig.facilitators[0]!.settles = { kind: 'rejected', reason };
      rig.chain.says = rig.unused();
      expect(await rig.pay(payment)).to.deep.equal(failed);
      expect((await rig.row(payment))!).to.include({ state: 'FAILED', open: true });
      return payment;
    }

    it('stay so for every repeat, with nobody asked but the chain', async () => {
      const payment = await refuse();
      expect(await rig.pay(payment)).to.deep.equal(failed);
      expect(await rig.payments.hasBegun(payment, 'order-1')).to.equal(false);
      await rig.pass(10_000);
      expect(await rig.pay(payment)).to.deep.equal(failed);
      expect(steps()).to.deep.equal(['verify settle', '']);
    });

    it('stay so in the next life of the process: whoever was told "no" may have paid anew', async () => {
      const payment = await refuse();
      rig.facilitators[0]!.settles = { kind: 'settled', transaction: TX };
      rig = await rig.restart();
      const repeat = rig.pay(payment);
      await rig.pass(5_000);
      expect(await repeat).to.deep.equal(failed);
      expect(steps()).to.deep.equal(['verify settle', '']);
    });

    it('are answered where they paid after all, with an alarm', async () => {
      const payment = await refuse();
      rig.chain.says = paid;
      await rig.until(() => rig.payments.report().inWork === 0);
      expect(await rig.pay(payment)).to.include({ ...answer, replayed: true });
      expect(rig.alarms).to.deep.equal(['a payment recorded as failed has paid after all']);
    });

    it('are watched until they can no longer pay, and then closed with their first reason', async () => {
      const payment = await refuse();
      rig.chain.says = { kind: 'expired' };
      await rig.until(() => rig.payments.report().inWork === 0);
      expect((await rig.row(payment))!).to.include({ state: 'FAILED', failReason: reason, open: false });
      expect(await rig.pay(payment)).to.deep.equal(failed);
    });

    it('are not called so while an earlier attempt may still land', async () => {
      rig.facilitators[0]!.settles = timedOut;
      rig.facilitators[1]!.settles = { kind: 'rejected', reason };
      rig.chain.says = rig.unused();
      const outcome = rig.pay(newPayment(rig.clock));
      await rig.pass(REQUEST_BUDGET_MS);
      expect((await outcome).kind).to.equal('unknown');
    });
  });

  describe('that an earlier life left open', () => {
    /** Sent, and the process ended before the answer came. */
    async function leaveOpen(work: Parameters<PaymentsRig['pay']>[1] = {}) {
      const payment = newPayment(rig.clock);
      for (const facilitator of rig.facilitators) facilitator.settles = timedOut;
      const outcome = rig.pay(payment, work);
      await rig.until(() => rig.chain.requested.length > 0);
      for (const facilitator of rig.facilitators) facilitator.settles = { kind: 'settled', transaction: TX };
      rig = await rig.restart();
      await outcome;
      return payment;
    }

    it('are resolved with nobody asking, and nothing is sent', async () => {
      const payment = await leaveOpen();
      const before = steps();
      rig.chain.says = paid;
      await rig.until(() => rig.payments.report().inWork === 0);
      expect(steps()).to.deep.equal(before);
      expect(await rig.pay(payment)).to.include({ ...answer, replayed: true });
    });

    it('give the credits of a pack with nobody asking, once', async () => {
      const payment = await leaveOpen(CREDITS);
      rig.chain.says = paid;
      await rig.until(() => rig.payments.report().inWork === 0);
      const [one, two] = [await rig.pay(payment, CREDITS), await rig.pay(payment, CREDITS)];
      expect(one).to.deep.equal(two);
      expect(JSON.parse((one as { body: string }).body)).to.include({ ok: true, credits_added: 500, balance: 500 });
      const account = await rig.store.account(payment.authorization.from);
      expect(account!.lots.map(({ remaining }) => remaining)).to.deep.equal([500]);
    });

    it('are sent again when their client comes back, with the answer that was frozen', async () => {
      const payment = await leaveOpen();
      rig.chain.says = rig.unused();
      await rig.pass(5_000);
      const before = steps().join(' ').length;
      const repeat = rig.pay(payment);
      await rig.pass(3_000);
      expect(await repeat).to.include({ ...answer, replayed: false });
      expect(steps().join(' ').length).to.be.above(before);
      expect(rig.runs.count).to.equal(1);
    });

    it('are all taken up, however many there are', async () => {
      const row = (await rig.row(await leaveOpen()))!;
      const COUNT = 1_100;
      const more = Array.from({ length: COUNT }, (_, n) => {
        const nonce = `0x5eed${n.toString(16).padStart(60, '0')}`;
        const payment = { ...row.payment, authorization: { ...row.payment.authorization, nonce } };
        const one = { ...row, key: paymentKey(payment), payment };
        return rig.store.transact({ payment: one.key }, () => ({ writes: { payment: one }, result: null }));
      });
      await Promise.all(more);
      rig = await rig.restart();
      expect(rig.payments.report()).to.include({ inWork: COUNT + 1, unresolved: COUNT + 1 });
      rig.chain.says = paid;
      await rig.until(() => rig.payments.report().inWork === 0);
      expect((await rig.store.openPayments(null, 10)).items).to.deep.equal([]);
    });
  });

  describe('of one wallet', () => {
    const WALLET = address(7);

    it(`are at most ${PAYER_IN_WORK_MAX} at once; others pay meanwhile`, async () => {
      const verification = deferred<VerifyOutcome>();
      rig.facilitators[0]!.verifies = verification.promise;
      const running = Array.from({ length: PAYER_IN_WORK_MAX }, () => rig.pay(newPayment(rig.clock, WALLET)));
      const copy = newPayment(rig.clock, WALLET);
      expect(await rig.pay(copy)).to.deep.equal({
        kind: 'unavailable',
        reason: `${PAYER_IN_WORK_MAX} payments of this wallet are in progress: wait for one of them`,
        isUnproven: true,
      });
      const other = rig.pay(newPayment(rig.clock));
      verification.resolve({ kind: 'valid' });
      const outcomes = await Promise.all([...running, other]);
      expect(new Set(outcomes.map(({ kind }) => kind))).to.deep.equal(new Set(['answered']));
      expect((await rig.pay(copy)).kind).to.equal('answered');
    });

    it(`may be unresolved ${PAYER_UNRESOLVED_MAX} times, and then have to be resolved first; repeating them is free to do`, async () => {
      for (const facilitator of rig.facilitators) facilitator.settles = timedOut;
      const first = Array.from({ length: PAYER_UNRESOLVED_MAX }, () => newPayment(rig.clock, WALLET));
      const outcomes = first.map((payment) => rig.pay(payment));
      await rig.pass(REQUEST_BUDGET_MS);
      for (const outcome of outcomes) expect((await outcome).kind).to.equal('unknown');
      const next = newPayment(rig.clock, WALLET);
      const refused = await rig.pay(next);
      expect(refused.kind).to.equal('unavailable');
      expect((refused as { reason: string }).reason).to.match(/3 payments of this wallet are not resolved yet/);
      expect(await rig.row(next)).to.equal(null);

      for (const facilitator of rig.facilitators) facilitator.settles = { kind: 'settled', transaction: TX };
      expect((await rig.pay(newPayment(rig.clock))).kind, 'another wallet').to.equal('answered');
      rig.chain.says = paid;
      await rig.until(() => rig.payments.report().unresolved === 0);
      expect((await rig.pay(next)).kind).to.equal('answered');
    });

    it('over their limit do not count as those that nobody verified', async () => {
      const verification = deferred<VerifyOutcome>();
      rig.facilitators[0]!.verifies = verification.promise;
      const all = Array.from({ length: 2 * PAYER_IN_WORK_MAX }, () => rig.pay(newPayment(rig.clock, WALLET)));
      await rig.pass(200);
      verification.resolve({ kind: 'invalid', reason: 'insufficient_funds' });
      const kinds = (await Promise.all(all)).map(({ kind }) => kind);
      expect(kinds.filter((kind) => kind === 'unavailable')).to.have.length(PAYER_IN_WORK_MAX);
      expect(rig.payments.report()).to.include({ unverified: 0, unverifiedShare: null });
    });

    it('count as unresolved across a restart', async () => {
      for (const facilitator of rig.facilitators) facilitator.settles = timedOut;
      const outcomes = Array.from({ length: PAYER_UNRESOLVED_MAX }, () => rig.pay(newPayment(rig.clock, WALLET)));
      await rig.until(() => rig.chain.requested.length >= PAYER_UNRESOLVED_MAX);
      rig = await rig.restart();
      await Promise.all(outcomes);
      expect((await rig.pay(newPayment(rig.clock, WALLET))).kind).to.equal('unavailable');
    });
  });

  it(`are at most ${PAYMENTS_IN_WORK_MAX} at once`, async () => {
    await rig.close();
    const reads: ((error: Error) => void)[] = [];
    // A store that takes its time keeps them in work at the least cost.
    const slow = () => new Promise<never>((_, reject) => void reads.push(reject));
    rig = await startPaymentsRig({ store: (store) => ({ ...store, payment: slow }) });
    const running = Array.from({ length: PAYMENTS_IN_WORK_MAX }, () => rig.pay(newPayment(rig.clock)));
    // What came may have been sent by another process: nobody has looked.
    const unseen = { kind: 'unknown', transaction: null, retryAfterS: 2 };
    expect(await rig.pay(newPayment(rig.clock))).to.deep.equal(unseen);
    expect(rig.payments.report()).to.include({ inWork: PAYMENTS_IN_WORK_MAX });
    for (const reject of reads) reject(new Error('read error'));
    await Promise.all(running);
    expect(rig.payments.report()).to.include({ inWork: 0 });
  });

  it('that were spent before their request came buy nothing here, whatever secret they bring', async () => {
    rig.facilitators[0]!.verifies = { kind: 'invalid', reason: 'nonce_already_used' };
    rig.chain.says = paid;
    for (const secret of [{}, { purchaseSecret: 'A'.repeat(43) }, { purchaseSecret: rig.newSecret() }]) {
      for (const work of [{}, { kind: 'pack' } as const]) {
        const payment = { ...newPayment(rig.clock), ...secret };
        expect(await rig.pay(payment, work)).to.deep.equal({ kind: 'refused', reason: 'nonce_already_used' });
        expect(await rig.row(payment)).to.equal(null);
      }
    }
    expect(rig.chain.requested, 'the chain was not asked').to.deep.equal([]);
  });

  it('are verified before anything is done for them, but for what is at hand', async () => {
    for (const isCached of [false, true]) {
      const verification = deferred<VerifyOutcome>();
      for (const facilitator of rig.facilitators) facilitator.verifies = verification.promise;
      const before = rig.runs.count;
      const paying = rig.pay(newPayment(rig.clock), { isCached: () => isCached });
      await rig.pass(1_000);
      expect(rig.runs.count - before, `at hand: ${isCached}`).to.equal(isCached ? 1 : 0);
      verification.resolve({ kind: 'valid' });
      expect((await paying).kind).to.equal('answered');
      expect(rig.runs.count - before).to.equal(1);

      rig.facilitators[0]!.verifies = { kind: 'invalid', reason: 'insufficient_funds' };
      const outcome = await rig.pay(newPayment(rig.clock), { isCached: () => isCached });
      expect(outcome).to.deep.equal({ kind: 'refused', reason: 'insufficient_funds' });
      expect(rig.runs.count - before, 'for a payment that is not good').to.equal(isCached ? 2 : 1);
    }
  });

  it('that are not good are refused as such though what they pay for is not to be had either', async () => {
    rig.facilitators[0]!.verifies = { kind: 'invalid', reason: 'insufficient_funds' };
    const compute = () => Promise.reject(new Error('not to be had'));
    for (const isCached of [false, true]) {
      const outcome = await rig.pay(newPayment(rig.clock), { compute, isCached: () => isCached });
      expect(outcome).to.deep.equal({ kind: 'refused', reason: 'insufficient_funds' });
    }
  });

  it('are refused at once where the payer has neither signed nor code: no facilitator is asked, nothing is computed', async () => {
    await rig.close();
    rig = await startPaymentsRig({ signatures: { check: () => 'mismatch' } });
    rig.chain.code = 'no_code';
    const payment = newPayment(rig.clock);
    expect(await rig.pay(payment)).to.deep.equal({ kind: 'refused', reason: 'invalid_exact_evm_payload_signature' });
    rig.chain.code = 'unknown';
    expect(await rig.pay(payment)).to.include({ kind: 'unavailable' });
    expect([
      rig.facilitators.flatMap(({ requested }) => requested),
      rig.runs.count,
      await rig.row(payment),
    ]).to.deep.equal([[], 0, null]);
    rig.chain.code = 'code';
    rig.chain.wallet = 'not_signed';
    expect(await rig.pay(payment)).to.deep.equal({ kind: 'refused', reason: 'invalid_exact_evm_payload_signature' });
    rig.chain.wallet = 'unknown';
    expect(await rig.pay(payment)).to.include({ kind: 'unavailable' });
    expect(rig.facilitators.flatMap(({ requested }) => requested)).to.deep.equal([]);
    rig.chain.wallet = 'signed';
    expect((await rig.pay(payment)).kind, 'a smart wallet has signed').to.equal('answered');
  });

  describe('of a smart wallet, repeated with another signature', () => {
    const [FIRST, OTHER] = ['ab', 'cd'].map((byte) => `0x${byte.repeat(65)}`) as [string, string];
    const made = { kind: 'refused', reason: OTHER_SIGNATURE };
    let payment: SignedPayment;
    /** Wallets that were asked for their word. */
    let asked: number;

    beforeEach(async () => {
      await rig.close();
      asked = 0;
      rig = await startPaymentsRig({
        signatures: { check: ({ signature }) => (signature.length === FIRST.length ? 'mismatch' : 'matches') },
        around: (outside) => {
          const isSignedByWallet: ChainReader['isSignedByWallet'] = (one) => {
            asked++;
            return outside.chain.isSignedByWallet(one);
          };
          return { ...outside, chain: { ...outside.chain, isSignedByWallet } };
        },
      });
      payment = { ...newPayment(rig.clock), signature: FIRST };
      expect((await rig.pay(payment)).kind).to.equal('answered');
    });

    it('are answered where the wallet takes it for its own, as the one of a passkey that signs anew', async () => {
      const again = { ...payment, signature: OTHER };
      expect(await rig.pay(again)).to.include({ ...answer, replayed: true });
      expect(steps()).to.deep.equal(['verify settle', '']);
    });

    it('tell who made it up nothing of the answer, nor of the request that it was for', async () => {
      rig.chain.wallet = 'not_signed';
      for (const fingerprint of ['order-1', 'order-2']) {
        expect(await rig.pay({ ...payment, signature: OTHER }, { fingerprint })).to.deep.equal(made);
      }
      expect(await rig.pay(payment), 'to the wallet').to.include({ ...answer, replayed: true });
    });

    it('have no known outcome where the chain cannot be asked: they may have paid', async () => {
      rig.chain.wallet = 'unknown';
      const outcome = await rig.pay({ ...payment, signature: OTHER });
      expect(outcome).to.deep.equal({ kind: 'unknown', transaction: null, retryAfterS: 2, isUnproven: true });
    });

    it('cost the chain no more questions than others of their address', async () => {
      rig.chain.wallet = 'not_signed';
      const before = asked;
      const { max, windowS } = REFUSED_PAYMENTS_LIMIT;
      const repeat = () => rig.pay({ ...payment, signature: OTHER });
      for (let n = 0; n < max; n++) expect(await repeat()).to.deep.equal(made);
      expect(await repeat()).to.deep.equal({ kind: 'limited', retryAfterS: windowS });
      expect(asked - before).to.equal(max);
      expect(await rig.pay(payment), 'as they were').to.include({ ...answer, replayed: true });
    });

    it('ask the chain nothing where the payer’s key has signed', async () => {
      const byKey = { ...newPayment(rig.clock), signature: '0x00' };
      const before = asked;
      expect((await rig.pay(byKey)).kind).to.equal('answered');
      expect(await rig.pay({ ...byKey, signature: OTHER })).to.deep.equal(made);
      expect(asked).to.equal(before);
    });
  });

  it('of one address are not looked at for a while once too many were refused, but for those of who pays', async () => {
    await rig.close();
    const signature = 'of nobody';
    const check = (payment: SignedPayment) => (payment.signature === signature ? 'mismatch' : 'matches');
    rig = await startPaymentsRig({ signatures: { check } });
    const { max, windowS } = REFUSED_PAYMENTS_LIMIT;
    const strange = () => ({ ...newPayment(rig.clock), signature });
    const payer = address(999_999);
    expect((await rig.pay(newPayment(rig.clock, payer))).kind).to.equal('answered');
    const settled = newPayment(rig.clock);
    expect((await rig.pay(settled)).kind).to.equal('answered');

    rig.chain.wallet = 'not_signed';
    for (let n = 0; n < max; n++) expect((await rig.pay(strange())).kind).to.equal('refused');
    const limited = { kind: 'limited', retryAfterS: windowS };
    expect(await rig.pay(strange())).to.deep.equal(limited);
    expect((await rig.pay(strange(), { caller: '192.0.2.2' })).kind, 'of another address').to.equal('refused');
    expect((await rig.pay(newPayment(rig.clock))).kind, 'that a key signed').to.equal('answered');

    for (const facilitator of rig.facilitators) {
      facilitator.verifies = { kind: 'invalid', reason: 'insufficient_funds' };
    }
    for (let n = 0; n < max; n++) expect((await rig.pay(newPayment(rig.clock))).kind).to.equal('refused');
    const poor = newPayment(rig.clock);
    rig.chain.poor.add(poor.authorization.from);
    expect(await rig.pay(poor), 'of a wallet without money').to.deep.equal(limited);
    for (const facilitator of rig.facilitators) facilitator.verifies = { kind: 'valid' };
    expect((await rig.pay(newPayment(rig.clock))).kind, 'of one with money, behind the address').to.equal('answered');
    for (const facilitator of rig.facilitators) {
      facilitator.verifies = { kind: 'invalid', reason: 'insufficient_funds' };
    }
    expect((await rig.pay(settled)).kind, 'a repeat').to.equal('answered');
    expect((await rig.pay(newPayment(rig.clock, payer))).kind, 'of who paid').to.equal('refused');
    expect(await rig.pay(newPayment(rig.clock, payer)), 'and does not any more').to.deep.equal(limited);
    await rig.pass(windowS * 1e3 + 100);
    expect((await rig.pay(strange())).kind).to.equal('refused');
    expect((await rig.pay(newPayment(rig.clock))).kind).to.equal('refused');
  });

  it('of a wallet with money go on behind a limited address, whatever strangers send in its name', async () => {
    await rig.close();
    const signature = 'of nobody';
    const check = (payment: SignedPayment) => (payment.signature === signature ? 'malformed' : 'matches');
    rig = await startPaymentsRig({ facilitators: 1, signatures: { check } });
    rig.facilitators[0]!.verifies = { kind: 'invalid', reason: 'insufficient_funds' };
    for (let n = 0; n < REFUSED_PAYMENTS_LIMIT.max; n++) await rig.pay(newPayment(rig.clock));
    rig.facilitators[0]!.verifies = { kind: 'valid' };
    const payment = newPayment(rig.clock);
    const garbage = { ...newPayment(rig.clock, payment.authorization.from), signature };
    expect((await rig.pay(garbage, { caller: '192.0.2.2' })).kind).to.equal('refused');
    expect((await rig.pay(payment)).kind).to.equal('answered');
  });

  describe('of one address at once', () => {
    const { max } = REFUSED_PAYMENTS_LIMIT;
    const verified = () => rig.facilitators[0]!.requested.filter((step) => step === 'verify').length;
    const countOf = async (outcomes: readonly Promise<PaymentOutcome>[], kind: PaymentOutcome['kind']) =>
      (await Promise.all(outcomes)).filter((outcome) => outcome.kind === kind).length;
    /** Pays from so many new wallets while the facilitator takes its time. */
    const crowd = (size: number, canPay: boolean) => {
      const verification = deferred<VerifyOutcome>();
      rig.facilitators[0]!.verifies = verification.promise;
      const outcomes = Array.from({ length: size }, () => {
        const payment = newPayment(rig.clock);
        if (!canPay) rig.chain.poor.add(payment.authorization.from);
        return rig.pay(payment);
      });
      return { outcomes, say: verification.resolve };
    };

    beforeEach(async () => {
      await rig.close();
      rig = await startPaymentsRig({ facilitators: 1 });
    });

    it('are verified no more often than may be refused in a minute', async () => {
      const { outcomes, say } = crowd(200, false);
      await rig.pass(500);
      expect(verified()).to.equal(max);
      say({ kind: 'invalid', reason: 'insufficient_funds' });
      expect(await countOf(outcomes, 'refused')).to.equal(max);
      expect(await countOf(outcomes, 'limited')).to.equal(200 - max);
      expect(verified()).to.equal(max);
    });

    it('all pay, however many new wallets there are, and none with money waits for another', async () => {
      for (const size of [max, 200]) {
        const before = verified();
        const { outcomes, say } = crowd(size, true);
        await rig.pass(500);
        expect(verified() - before).to.equal(size);
        say({ kind: 'valid' });
        expect(await countOf(outcomes, 'answered')).to.equal(size);
      }
    });

    it('pay in turn where nobody can say whether they have the money', async () => {
      const { outcomes, say } = crowd(200, false);
      await rig.pass(500);
      expect(verified()).to.equal(max);
      say({ kind: 'valid' });
      expect(await countOf(outcomes, 'answered')).to.equal(200);
    });

    it('are told to come again soon where those before them take long', async () => {
      const { outcomes } = crowd(max + 1, false);
      await rig.pass(2_100);
      expect(await outcomes.at(-1)).to.deep.equal({ kind: 'limited', retryAfterS: 2 });
      await rig.pass(1_000);
      expect(await countOf(outcomes, 'unavailable'), 'which loses them nothing').to.equal(max);
      rig.facilitators[0]!.verifies = { kind: 'valid' };
      const next = newPayment(rig.clock);
      rig.chain.poor.add(next.authorization.from);
      expect((await rig.pay(next)).kind).to.equal('answered');
    });
  });

  it('that are good and pay for nothing count as those refused; what is free counts a tenth of it', async () => {
    const { max, windowS } = REFUSED_PAYMENTS_LIMIT;
    const limited = { kind: 'limited', retryAfterS: windowS };
    const nothing = () => Promise.reject(new Problem('unknown_market', 'none'));
    const payer = address(999_998);
    const pay = (compute: () => Promise<string>) => rig.pay(newPayment(rig.clock, payer), { compute });
    for (let n = 0; n < max; n++) expect((await pay(nothing)).kind).to.equal('declined');
    expect(await pay(nothing)).to.deep.equal(limited);
    await rig.pass(windowS * 1e3 + 100);
    const queued = () => Promise.reject(new FreeAnswer(202, { verdict: 'QUEUED' }, 5));
    for (let n = 0; n < 10 * max; n++) expect((await pay(queued)).kind).to.equal('declined');
    expect(await pay(queued)).to.deep.equal(limited);
  });

  it('are verified and settled by facilitators that do not rest, or else by one of them anyway', async () => {
    const [first, second] = rig.facilitators;
    first!.isAlone = true;
    expect((await rig.pay(newPayment(rig.clock))).kind).to.equal('answered');
    expect([first!.requested, second!.requested]).to.deep.equal([[], ['verify', 'settle']]);
    second!.isAlone = true;
    expect((await rig.pay(newPayment(rig.clock))).kind).to.equal('answered');
    expect([first!.requested, second!.requested]).to.deep.equal([
      ['verify', 'settle'],
      ['verify', 'settle'],
    ]);
  });

  it('are for one resource', async () => {
    const payment = { ...newPayment(rig.clock), resourceUrl: `${DEMAND.resourceUrl}/free` };
    expect((await rig.pay(payment)).kind).to.equal('refused');
    expect((await rig.pay({ ...payment, resourceUrl: DEMAND.resourceUrl })).kind).to.equal('answered');
  });
});
