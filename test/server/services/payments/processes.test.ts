import { expect } from 'chai';
import type { SignedPayment } from '#domain/payment/payment';
import type { SettleOutcome, VerifyOutcome } from '#ports/settlement';
import { PAYER_IN_WORK_MAX, PAYER_UNRESOLVED_MAX } from '#services/payments/payer-limits';
import { REQUEST_BUDGET_MS } from '#services/payments/payment-run';
import { deferred, rejectionOf } from '#test/support/promises';
import {
  address,
  newPayment,
  type PaymentsRig,
  paid,
  type RigOptions,
  startPaymentsRig,
  TX,
  timedOut,
} from '../support/payments-rig.js';

const CREDITS = { kind: 'pack', fingerprint: 'credits', secret: null, names: [] } as const;
/** By then a payment of a dead process has another owner, and the chain was asked. */
const TAKE_OVER_MS = 10_000;
const REASON = 'invalid_exact_evm_insufficient_balance';

describe('payments of two processes on one store', () => {
  let a: PaymentsRig;
  let b: PaymentsRig;
  let payment: SignedPayment;

  beforeEach(() => open());
  afterEach(() => close());

  async function open(options: RigOptions = {}): Promise<void> {
    a = await startPaymentsRig({ facilitators: 1, ...options });
    b = await a.beside();
    payment = newPayment(a.clock);
  }

  async function close(): Promise<void> {
    b.payments.stop();
    await a.close();
  }

  const facilitator = () => a.facilitators[0]!;
  const settles = () => facilitator().requested.filter((step) => step === 'settle').length;
  const row = () => a.row(payment);

  /** The first process has claimed the payment and waits for its verification. */
  async function verifying() {
    const verification = deferred<VerifyOutcome>();
    facilitator().verifies = [verification.promise, { kind: 'valid' }];
    const outcome = a.pay(payment);
    await a.pass(200);
    expect(facilitator().requested).to.deep.equal(['verify']);
    return { outcome, verified: verification.resolve };
  }

  /** The first process has sent the payment and waits for the facilitator's word. */
  async function settling(work: Parameters<PaymentsRig['pay']>[1] = {}) {
    const settlement = deferred<SettleOutcome>();
    facilitator().settles = [settlement.promise, { kind: 'settled', transaction: TX }];
    const outcome = a.pay(payment, work);
    await a.until(() => settles() === 1);
    return { outcome, settled: settlement.resolve };
  }

  it('are answered alike, computed once and settled once when they come to both at once', async () => {
    const [one, two] = [a.pay(payment), b.pay(payment)];
    await a.pass(1_000);
    const [first, second] = [await one, await two];
    expect(first).to.include({ kind: 'answered', transaction: TX });
    expect(second).to.include({ kind: 'answered', transaction: TX });
    expect((first as { body: string }).body).to.equal((second as { body: string }).body);
    expect([a.runs.count, settles()]).to.deep.equal([1, 1]);
  });

  it('are claimed before they are verified', async () => {
    const { outcome, verified } = await verifying();
    expect(await row()).to.include({ state: 'CLAIMED', open: true, epoch: 1 });
    const copy = b.pay(payment);
    await a.pass(2_000);
    expect(facilitator().requested, 'the other process asks nobody').to.deep.equal(['verify']);
    verified({ kind: 'valid' });
    await a.pass(1_000);
    expect([(await outcome).kind, (await copy).kind]).to.deep.equal(['answered', 'answered']);
  });

  it('leave no row when they are refused before they are claimed', async () => {
    await close();
    await open({ signatures: { check: () => 'mismatch' } });
    a.chain.code = 'no_code';
    expect((await a.pay(payment)).kind).to.equal('refused');
    expect(await row()).to.equal(null);
    expect((await a.store.openPaymentsFor('anybody', null, 10)).items).to.deep.equal([]);
  });

  it('are refused for another request, whichever process has claimed them', async () => {
    const { outcome, verified } = await verifying();
    expect((await b.pay(payment, { fingerprint: 'order-2' })).kind).to.equal('refused');
    verified({ kind: 'valid' });
    expect((await outcome).kind).to.equal('answered');
  });

  it('are tried by the other process when the first gives its claim up, and refused by both', async () => {
    const { outcome, verified } = await verifying();
    const copy = b.pay(payment);
    facilitator().verifies = { kind: 'invalid', reason: REASON };
    await a.pass(1_000);
    verified({ kind: 'invalid', reason: REASON });
    await a.pass(1_000);
    const refused = { kind: 'refused', reason: REASON };
    expect([await outcome, await copy]).to.deep.equal([refused, refused]);
    expect(await row()).to.equal(null);
  });

  it('have no known outcome for a copy when the owner has none in the time of a request', async () => {
    const { outcome, settled } = await settling();
    const copy = b.pay(payment);
    await a.pass(REQUEST_BUDGET_MS);
    expect((await copy).kind).to.equal('unknown');
    expect(b.payments.report()).to.include({ inWork: 0 });
    settled({ kind: 'settled', transaction: TX });
    expect((await outcome).kind).to.equal('unknown');
    await a.until(async () => (await row())?.state === 'SETTLED');
    expect(await b.pay(payment)).to.include({ kind: 'answered', replayed: true });
  });

  it('are sent again for a client of the other, when the clients of the owner have gone', async () => {
    facilitator().settles = [timedOut, { kind: 'settled', transaction: TX }];
    const outcome = a.pay(payment);
    await a.pass(REQUEST_BUDGET_MS);
    expect((await outcome).kind).to.equal('unknown');
    a.chain.says = a.unused();
    await a.pass(5_000);
    expect([settles(), (await row())!.isUnattended], 'with no client').to.deep.equal([1, true]);
    const copy = b.pay(payment);
    await a.pass(6_000);
    expect(await copy).to.include({ kind: 'answered', transaction: TX });
    expect([a.runs.count, settles()]).to.deep.equal([1, 2]);
    a.chain.says = paid;
    await a.pass(5_000);
    expect([a.payments.report().inWork, b.payments.report().inWork]).to.deep.equal([0, 0]);
  });

  it('are sent by one process alone, when clients come to both after all clients had gone', async () => {
    const settlement = deferred<SettleOutcome>();
    facilitator().settles = [timedOut, settlement.promise];
    const outcome = a.pay(payment);
    await a.pass(REQUEST_BUDGET_MS);
    await outcome;
    a.chain.says = a.unused();
    await a.pass(5_000);
    const copies = [b.pay(payment), a.pay(payment)];
    await a.pass(7_000);
    expect([settles(), await row()].map((one) => (typeof one === 'number' ? one : one!.epoch))).to.deep.equal([2, 2]);
    settlement.resolve({ kind: 'settled', transaction: TX });
    await a.pass(1_000);
    for (const copy of copies) expect(await copy).to.include({ kind: 'answered', transaction: TX });
  });

  describe('of which one has died', () => {
    it('are answered by the other, when they were only claimed', async () => {
      await verifying();
      a.pause();
      const copy = b.pay(payment);
      await b.pass(TAKE_OVER_MS);
      expect(await copy).to.include({ kind: 'answered', transaction: TX });
      expect([a.runs.count, settles()]).to.deep.equal([1, 1]);
    });

    it('are no longer claimed, though nobody asks again', async () => {
      await verifying();
      a.pause();
      await b.pass(TAKE_OVER_MS);
      expect(await row()).to.equal(null);
    });

    it('give the credits of a pack, though nobody asks again', async () => {
      await settling(CREDITS);
      a.pause();
      a.chain.says = paid;
      await b.pass(TAKE_OVER_MS);
      expect(await row()).to.include({ state: 'SETTLED', open: false, epoch: 2 });
      expect((await b.store.account(payment.authorization.from))!.lots).to.have.length(1);
      expect(settles()).to.equal(1);
    });

    it('are sent again for a client of the other alone, and only when the chain shows them unused', async () => {
      await settling();
      a.pause();
      await b.pass(TAKE_OVER_MS);
      a.chain.says = a.unused();
      await b.pass(5_000);
      expect(settles(), 'with no client').to.equal(1);
      const copy = b.pay(payment);
      await b.pass(5_000);
      expect(await copy).to.include({ kind: 'answered', transaction: TX });
      expect([a.runs.count, settles()]).to.deep.equal([1, 2]);
    });

    it('are refused on no facilitator’s word, since the attempt of the dead may still land', async () => {
      await settling();
      a.pause();
      await b.pass(TAKE_OVER_MS);
      facilitator().settles = { kind: 'rejected', reason: REASON };
      a.chain.says = a.unused();
      const copy = b.pay(payment);
      await b.until(() => settles() > 1);
      await b.pass(2_000);
      expect(await row()).to.include({ state: 'SETTLING' });
      a.chain.says = { kind: 'expired' };
      await b.pass(5_000);
      expect(await copy).to.include({ kind: 'refused' });
    });

    it('are sent by the first, when it goes on and has the client that waits', async () => {
      facilitator().settles = [timedOut, { kind: 'settled', transaction: TX }];
      const outcome = a.pay(payment);
      await a.until(() => settles() === 1);
      a.pause();
      await b.pass(TAKE_OVER_MS);
      expect(await row()).to.include({ epoch: 2, isUnattended: true });
      a.goOn();
      a.chain.says = a.unused();
      const repeated = a.pay(payment);
      await a.pass(6_000);
      expect((await outcome).kind, 'after so long a silence').to.equal('unknown');
      expect(await repeated).to.include({ kind: 'answered', transaction: TX });
      expect([a.runs.count, settles(), (await row())!.isUnattended]).to.deep.equal([1, 2, undefined]);
    });

    it('are taken over at once when it stopped in good order', async () => {
      const { outcome } = await settling();
      await a.stop();
      expect((await outcome).kind).to.equal('unknown');
      a.chain.says = paid;
      await b.pass(2_000);
      expect(await row()).to.include({ state: 'SETTLED', epoch: 2 });
    });
  });

  describe('of which one was stopped for longer than its lease, and goes on', () => {
    /** Time in which the other takes over what it can. */
    const sleepTooLong = async () => {
      a.pause();
      await b.pass(TAKE_OVER_MS);
      a.goOn();
    };

    it('settle once: the intent is not written for a claim that was lost', async () => {
      const { outcome, verified } = await verifying();
      a.pause();
      const copy = b.pay(payment);
      await b.pass(TAKE_OVER_MS);
      expect((await copy).kind).to.equal('answered');
      a.goOn();
      verified({ kind: 'valid' });
      await a.pass(1_000);
      expect(await outcome).to.include({ kind: 'answered', transaction: TX });
      expect(settles()).to.equal(1);
    });

    it('write no intent beside the one of the process that has claimed them since', async () => {
      const { outcome, verified } = await verifying();
      const second = deferred<SettleOutcome>();
      facilitator().settles = second.promise;
      a.pause();
      const copy = b.pay(payment);
      await b.pass(TAKE_OVER_MS);
      a.goOn();
      verified({ kind: 'valid' });
      await a.pass(3_000);
      expect(settles(), 'the owner alone has sent it').to.equal(1);
      expect(await row()).to.include({ state: 'SETTLING' });
      second.resolve({ kind: 'settled', transaction: TX });
      await a.pass(1_000);
      expect([(await copy).kind, (await outcome).kind]).to.deep.equal(['answered', 'answered']);
    });

    it('tell nobody that nothing was charged when the other has settled them', async () => {
      const { outcome, verified } = await verifying();
      a.pause();
      const copy = b.pay(payment);
      await b.pass(TAKE_OVER_MS);
      await copy;
      a.goOn();
      verified({ kind: 'invalid', reason: 'nonce_already_used' });
      await a.pass(1_000);
      expect(await outcome).to.include({ kind: 'answered', transaction: TX });
    });

    it('are sent again by it only when they are its own again', async () => {
      facilitator().settles = [timedOut, { kind: 'settled', transaction: TX }];
      const outcome = a.pay(payment);
      await a.until(() => a.chain.requested.length > 0);
      await sleepTooLong();
      a.chain.says = a.unused();
      expect([settles(), (await row())!.epoch]).to.deep.equal([1, 2]);
      const repeated = a.pay(payment);
      await a.pass(10_000);
      expect((await outcome).kind, 'after so long a silence').to.equal('unknown');
      expect([settles(), (await row())!.epoch]).to.deep.equal([2, 3]);
      expect(await repeated).to.include({ kind: 'answered', transaction: TX });
    });

    it('are not called failed by it, and its clients get the outcome of the other', async () => {
      const { outcome, settled } = await settling();
      await sleepTooLong();
      a.chain.says = a.unused();
      facilitator().settles = { kind: 'rejected', reason: REASON };
      settled({ kind: 'rejected', reason: REASON });
      const repeated = a.pay(payment);
      await a.pass(5_000);
      expect((await outcome).kind, 'after so long a silence').to.equal('unknown');
      expect(await row()).to.include({ state: 'SETTLING' });
      a.chain.says = paid;
      await a.pass(5_000);
      expect(await repeated).to.include({ kind: 'answered', transaction: TX });
    });

    it('are settled by it all the same when it has the proof', async () => {
      const { outcome, settled } = await settling();
      await sleepTooLong();
      settled({ kind: 'settled', transaction: TX });
      await a.pass(500);
      expect(await outcome).to.include({ kind: 'answered', transaction: TX });
      expect(await row()).to.include({ state: 'SETTLED' });
      await a.pass(5_000);
      expect(b.payments.report()).to.include({ inWork: 1 });
    });

    it('are begun by nobody before it has its lease again', async () => {
      a.pause();
      await b.pass(TAKE_OVER_MS);
      expect((await a.pay(payment)).kind).to.equal('unknown');
      expect([await row(), facilitator().requested]).to.deep.equal([null, []]);
      a.goOn();
      await a.pass(2_000);
      expect((await a.pay(payment)).kind).to.equal('answered');
    });
  });

  describe('whose wall clock is set', () => {
    for (const [title, stepMs] of [
      ['an hour on', 3_600_000],
      ['an hour back', -3_600_000],
    ] as const) {
      it(`${title}: stay with their owner as long as it lives, and not longer`, async () => {
        const { settled } = await settling();
        a.clock.step(stepMs);
        await a.pass(TAKE_OVER_MS);
        expect(await row()).to.include({ state: 'SETTLING', epoch: 1 });
        a.pause();
        a.chain.says = paid;
        await b.pass(TAKE_OVER_MS);
        expect(await row()).to.include({ state: 'SETTLED', epoch: 2 });
        settled({ kind: 'settled', transaction: TX });
      });
    }
  });

  describe('of one wallet', () => {
    const WALLET = address(7);

    it('are limited at both together', async () => {
      const verification = deferred<VerifyOutcome>();
      facilitator().verifies = verification.promise;
      const running = Array.from({ length: PAYER_IN_WORK_MAX }, (_, n) =>
        (n % 2 === 0 ? a : b).pay(newPayment(a.clock, WALLET)),
      );
      await a.pass(200);
      for (const process of [a, b]) {
        const more = await process.pay(newPayment(a.clock, WALLET));
        expect(more).to.include({ kind: 'unavailable' });
      }
      verification.resolve({ kind: 'valid' });
      await a.pass(500);
      for (const outcome of running) expect((await outcome).kind).to.equal('answered');
    });

    it('may be unresolved no more than a few times at both together', async () => {
      facilitator().settles = timedOut;
      const running = Array.from({ length: PAYER_UNRESOLVED_MAX }, (_, n) =>
        (n % 2 === 0 ? a : b).pay(newPayment(a.clock, WALLET)),
      );
      await a.pass(REQUEST_BUDGET_MS);
      for (const outcome of running) expect((await outcome).kind).to.equal('unknown');
      for (const process of [a, b]) {
        expect((await process.pay(newPayment(a.clock, WALLET))).kind).to.equal('unavailable');
      }
      a.chain.says = paid;
      await a.pass(5_000);
      expect((await b.pay(newPayment(a.clock, WALLET))).kind, 'when they are resolved').to.equal('answered');
    });
  });

  it('have no third process, which is told of the two', async () => {
    expect((await rejectionOf(a.beside())).message).to.match(
      /^store: the processes \d+ and \d+ are at work on this store/,
    );
  });

  it('are taken up again by their own process when it has lost its run', async () => {
    await close();
    let isDown = false;
    const down = () => Promise.reject(new Error('no flush within 2500 ms'));
    await open({
      store: (store) => ({
        ...store,
        transact: (keys, decide, how) => (isDown ? down() : store.transact(keys, decide, how)),
      }),
    });
    const { outcome, verified } = await verifying();
    isDown = true;
    verified({ kind: 'invalid', reason: REASON });
    expect((await outcome).kind, 'whether the claim was given up is not known').to.equal('unknown');
    isDown = false;
    await a.pass(2_000);
    expect(await row()).to.equal(null);
  });
});
