import { expect } from 'chai';
import type { WalletAddress } from '#domain/ids';
import { DAY_MS } from '#domain/time';
import type { PurchaseName } from '#machines/payment-events';
import { PAYER_IN_WORK_MAX } from '#services/payments/payer-limits';
import { REQUEST_BUDGET_MS } from '#services/payments/payment-run';
import { REPEAT_NAMES } from '#services/payments/purchase-names';
import { REFUSED_PAYMENTS_LIMIT } from '#services/payments/refused-payments';
import type { ManualClock } from '#test/support/manual-clock';
import { believedFrom } from '../support/believed.js';
import { newPayment, type PaymentsRig, paid, startPaymentsRig, TX, timedOut } from '../support/payments-rig.js';

const WALLET = `0x${'5a'.repeat(20)}` as WalletAddress;
const KEY: PurchaseName = { kind: 'idempotency_key', name: 'order-17' };
const IDENTIFIER: PurchaseName = { kind: 'payment_identifier', name: 'pay_0123456789abcdef' };
const CREDITS = { kind: 'pack', fingerprint: 'credits', secret: null } as const;

describe('a purchase with a name', () => {
  let rig: PaymentsRig;
  beforeEach(async () => {
    rig = await startPaymentsRig({ facilitators: 1 });
  });
  afterEach(() => rig.close());

  const facilitator = () => rig.facilitators[0]!;
  /** Another authorization of one wallet, as a client signs after a lost answer. */
  const signed = (wallet = WALLET) => newPayment(rig.clock, wallet);
  /** Pays, and lets pass what others are waited for. */
  const pay: PaymentsRig['pay'] = async (payment, work) => {
    const outcome = rig.pay(payment, work);
    await rig.pass(1_000);
    return outcome;
  };
  /** Begins a payment in a process that dies while it is verified: its claim is removed. */
  const dieWhileVerifying = async (...args: Parameters<PaymentsRig['pay']>) => {
    facilitator().verifies = new Promise(() => {});
    void rig.pay(...args);
    await rig.pass(300);
    rig = await rig.restart();
    await rig.pass(2_000);
    facilitator().verifies = { kind: 'valid' };
  };
  /** Pays what is sent in vain for as long as its client waits. */
  const leaveUnresolved = async (...args: Parameters<PaymentsRig['pay']>) => {
    facilitator().settles = timedOut;
    rig.chain.says = rig.unused();
    const outcome = rig.pay(...args);
    await rig.pass(REQUEST_BUDGET_MS + 1_000);
    expect((await outcome).kind).to.equal('unknown');
  };
  const settles = () => facilitator().requested.filter((step) => step === 'settle').length;

  for (const name of [KEY, IDENTIFIER]) {
    describe(`(${name.kind})`, () => {
      const names = [name];

      it('is paid for once, whatever authorizations are signed for it', async () => {
        const first = await pay(signed(), { names });
        expect(first).to.include({ kind: 'answered', replayed: false, began: true });
        const second = await pay(signed(), { names });
        expect(second).to.include({ kind: 'answered', replayed: true, transaction: TX });
        expect(second).to.have.property('body', (first as { body: string }).body);
        expect(facilitator().requested).to.deep.equal(['verify', 'settle']);
        expect(rig.runs.count).to.equal(1);
      });

      it('is paid for once by several authorizations at once, of which the others wait', async () => {
        const outcomes = [signed(), signed(), signed()].map((payment) => rig.pay(payment, { names }));
        await rig.pass(1_000);
        const bodies = (await Promise.all(outcomes)).map((outcome) => outcome.kind === 'answered' && outcome.body);
        expect(new Set(bodies)).to.have.property('size', 1);
        expect(settles()).to.equal(1);
      });

      it('is paid for once across processes and their lives', async () => {
        const first = await pay(signed(), { names });
        const other = await rig.beside();
        const seen = other.pay(signed(), { names });
        await rig.pass(1_000);
        expect(await seen).to.include({ kind: 'answered', body: (first as { body: string }).body });
        rig = await rig.restart();
        const later = rig.pay(signed(), { names });
        await rig.pass(1_000);
        expect(await later).to.include({ kind: 'answered', body: (first as { body: string }).body });
        expect(settles()).to.equal(1);
      });

      it('is that of one request: another under it is refused before anybody is asked', async () => {
        await pay(signed(), { names });
        const asked = facilitator().requested.length;
        const other = await pay(signed(), { names, fingerprint: 'order-2' });
        expect(other).to.deep.equal({ kind: 'conflict', by: name.kind });
        expect(facilitator().requested).to.have.length(asked);
      });

      it('is its wallet’s: another wallet buys under the same', async () => {
        await pay(signed(), { names });
        const other = await pay(newPayment(rig.clock), { names, fingerprint: 'order-2' });
        expect(other).to.include({ kind: 'answered', replayed: false });
      });

      it('may be paid for by another authorization once the first has ended unpaid', async () => {
        facilitator().verifies = { kind: 'invalid', reason: 'invalid_exact_evm_insufficient_balance' };
        expect((await pay(signed(), { names })).kind).to.equal('refused');
        facilitator().verifies = { kind: 'valid' };
        expect(await pay(signed(), { names })).to.include({ kind: 'answered', replayed: false });
      });

      it('may be paid for by another authorization once the chain shows that the first did not pay', async () => {
        facilitator().settles = [timedOut, { kind: 'settled', transaction: TX }];
        rig.chain.says = { kind: 'expired' };
        expect(await pay(signed(), { names })).to.include({ kind: 'refused' });
        expect(await pay(signed(), { names })).to.include({ kind: 'answered', replayed: false });
      });

      it('is not paid for by another authorization while the outcome of the first is not known', async () => {
        facilitator().settles = timedOut;
        const first = rig.pay(signed(), { names });
        await rig.until(() => rig.chain.requested.length > 0);
        const second = rig.pay(signed(), { names });
        await rig.pass(REQUEST_BUDGET_MS + 1_000);
        expect((await first).kind).to.equal('unknown');
        expect((await second).kind).to.equal('unknown');
        const sent = settles();
        const third = rig.pay(signed(), { names });
        rig.chain.says = paid;
        await rig.pass(3_000);
        expect(await third).to.include({ kind: 'answered', replayed: true });
        expect(settles()).to.equal(sent);
      });

      it('is sent again for another authorization, when the clients of the first have gone', async () => {
        await leaveUnresolved(signed(), { names });
        facilitator().settles = { kind: 'settled', transaction: TX };
        const sent = settles();
        rig.chain.says = rig.unused();
        const second = rig.pay(signed(), { names });
        await rig.pass(6_000);
        expect(await second).to.include({ kind: 'answered', replayed: true, transaction: TX });
        expect(settles()).to.equal(sent + 1);
      });

      it('is sent by the process where a client waits, when those of its owner have gone', async () => {
        const other = await rig.beside();
        const payment = signed();
        await leaveUnresolved(payment, { names });
        await rig.until(async () => (await rig.row(payment))?.isUnattended === true);
        facilitator().settles = { kind: 'settled', transaction: TX };
        const sent = settles();
        rig.chain.says = rig.unused();
        const second = other.pay(signed(), { names });
        await other.pass(6_000);
        expect(await second).to.include({ kind: 'answered', replayed: true, transaction: TX });
        expect(settles()).to.equal(sent + 1);
      });

      it('is free again when its claim died with its process, for that request and for another', async () => {
        await dieWhileVerifying(signed(), { names });
        const outcome = rig.pay(signed(), { names, fingerprint: 'order-2' });
        await rig.pass(1_000);
        expect(await outcome).to.include({ kind: 'answered', replayed: false });
      });

      it('never has the answer of what the authorization of a claim that died bought later', async () => {
        const first = signed();
        await dieWhileVerifying(first, { names });
        const answerOf = (order: string) => ({ compute: async () => JSON.stringify({ order }) });
        const bought = rig.pay(first, { fingerprint: 'order-2', ...answerOf('another') });
        await rig.pass(1_000);
        expect(await bought).to.include({ kind: 'answered' });
        const again = rig.pay(signed(), { names, ...answerOf('the named one') });
        await rig.pass(1_000);
        expect(await again)
          .to.have.property('body')
          .that.includes('the named one');
      });

      it('is known to have begun from its claim on, by whatever authorization its wallet signs', async () => {
        const begun = (request: string, payment = signed(), operation = 'preflight_trade') =>
          rig.payments.hasBegun(payment, request, { operation, names });
        const work = { names, fingerprint: 'order-1' };
        expect(await begun('order-1')).to.equal(false);
        facilitator().verifies = new Promise(() => {});
        void rig.pay(signed(), work);
        await rig.pass(300);
        expect(await begun('order-1'), 'at work').to.equal(true);
        rig = await rig.restart();
        await rig.pass(2_000);
        expect(await begun('order-1'), 'its process has died').to.equal(false);
        facilitator().verifies = { kind: 'valid' };
        await pay(signed(), work);
        expect(await begun('order-1'), 'settled').to.equal(true);
        expect(await begun('order-2'), 'another request').to.equal(false);
        expect(await begun('order-1', newPayment(rig.clock)), 'another wallet').to.equal(false);
        const ofOther = await begun('order-1', signed(), 'leaderboard');
        expect(ofOther, 'another operation').to.equal(name.kind === 'payment_identifier');
      });

      it('has not begun where what was to be bought ended unpaid', async () => {
        facilitator().settles = { kind: 'rejected', reason: 'insufficient_funds' };
        rig.chain.says = rig.unused();
        await pay(signed(), { names });
        const named = { operation: 'preflight_trade', names };
        expect(await rig.payments.hasBegun(signed(), 'order-1', named)).to.equal(false);
      });

      it('has begun for nobody whose own key did not sign', async () => {
        await rig.close();
        const madeUp = '0x00';
        const check = ({ signature }: { readonly signature: string }) =>
          signature === madeUp ? 'mismatch' : 'matches';
        rig = await startPaymentsRig({ facilitators: 1, signatures: { check } });
        await pay(signed(), { names });
        const named = { operation: 'preflight_trade', names };
        expect(await rig.payments.hasBegun(signed(), 'order-1', named)).to.equal(true);
        const stranger = { ...signed(), signature: madeUp };
        expect(await rig.payments.hasBegun(stranger, 'order-1', named)).to.equal(false);
      });

      it('does not hold more requests of its wallet in work than a wallet may have', async () => {
        facilitator().settles = timedOut;
        rig.chain.says = rig.unused();
        void rig.pay(signed(), { names });
        await rig.pass(500);
        const others = Array.from({ length: 3 * PAYER_IN_WORK_MAX }, () => rig.pay(signed(), { names }));
        await rig.pass(1_000);
        expect(rig.payments.report().inWork).to.be.at.most(PAYER_IN_WORK_MAX + 1);
        rig.chain.says = paid;
        await rig.pass(3_000);
        const ends = new Set((await Promise.all(others)).map(({ kind }) => kind));
        expect([...ends].sort()).to.deep.equal(['answered', 'unavailable']);
      });

      it('stands also for a payment that was made without it, once a repeat has brought it', async () => {
        const payment = signed();
        const first = await pay(payment);
        expect(await pay(payment, { names })).to.include({ kind: 'answered', replayed: true });
        const { body } = first as { body: string };
        expect(await pay(signed(), { names })).to.include({ kind: 'answered', replayed: true, body });
        expect(settles()).to.equal(1);
        const other = await pay(signed(), { names, fingerprint: 'order-2' });
        expect(other).to.deep.equal({ kind: 'conflict', by: name.kind });
      });

      it('is not taken by a stranger who repeats another payment of the wallet: the signature is on the chain', async () => {
        const payment = signed();
        await pay(payment);
        const stranger = await pay(payment, { names, isBuyer: () => false });
        expect(stranger).to.include({ kind: 'answered', replayed: true });
        expect(await pay(signed(), { names, fingerprint: 'order-2' })).to.include({
          kind: 'answered',
          replayed: false,
        });
        expect(settles()).to.equal(2);
      });

      it('is nobody’s whose own key did not sign: anybody can write another’s address into a payment', async () => {
        await rig.close();
        rig = await startPaymentsRig({ facilitators: 1, signatures: { check: () => 'mismatch' } });
        await pay(signed(), { names });
        expect(await pay(signed(), { names, fingerprint: 'order-2' })).to.include({ replayed: false });
      });

      it('is free again when its buyer gets the answer no longer', async () => {
        await pay(signed(), { names });
        rig.clock.step(7 * DAY_MS + 1);
        expect(await pay(signed(), { names, fingerprint: 'order-2' })).to.include({ replayed: false });
      });

      it('buys one pack', async () => {
        const first = await pay(signed(), { ...CREDITS, names });
        await rig.pass(5_000);
        const second = rig.pay(signed(), { ...CREDITS, names });
        await rig.pass(5_000);
        expect(await second).to.include({ kind: 'answered', body: (first as { body: string }).body });
        expect(settles()).to.equal(1);
      });
    });
  }

  it('is paid for once though a clock that nobody has confirmed says that its name is over', async () => {
    await rig.close();
    const time = (clock: ManualClock) => believedFrom(clock, { hears: false }).time;
    rig = await startPaymentsRig({ facilitators: 1, time });
    await pay(signed(), { names: [KEY] });
    rig.clock.step(8 * DAY_MS);
    expect(await pay(signed(), { names: [KEY] })).to.include({ kind: 'answered', replayed: true });
    expect(settles()).to.equal(1);
  });

  it('may be brought by so many repeats of one payment an hour, and by no more', async () => {
    const payment = signed();
    await pay(payment);
    const namesOf = (n: number) => [{ ...KEY, name: `order-${n}` }];
    for (let n = 0; n <= REPEAT_NAMES.max; n++) await pay(payment, { names: namesOf(n) });
    const isFree = async (n: number) => (await pay(signed(), { names: namesOf(n), fingerprint: 'order-2' })).kind;
    expect([await isFree(REPEAT_NAMES.max - 1), await isFree(REPEAT_NAMES.max)]).to.deep.equal([
      'conflict',
      'answered',
    ]);
  });

  it('may have two that stand for payments which have both ended unpaid', async () => {
    facilitator().settles = [1, 2].map(() => ({ kind: 'rejected', reason: 'insufficient_funds' }) as const);
    rig.chain.says = rig.unused();
    expect((await pay(signed(), { names: [KEY, IDENTIFIER] })).kind).to.equal('refused');
    const otherKey = { ...KEY, name: 'order-18' };
    expect((await pay(signed(), { names: [otherKey, IDENTIFIER] })).kind).to.equal('refused');
    facilitator().settles = { kind: 'settled', transaction: TX };
    expect(await pay(signed(), { names: [KEY, IDENTIFIER] })).to.include({ kind: 'answered', replayed: false });
  });

  describe('behind an address of which too many payments were refused', () => {
    const refuseMany = async () => {
      facilitator().verifies = { kind: 'invalid', reason: 'insufficient_funds' };
      for (let n = 0; n < REFUSED_PAYMENTS_LIMIT.max; n++) await rig.pay(newPayment(rig.clock));
      facilitator().verifies = { kind: 'valid' };
    };

    it('has its answer for another authorization also when its wallet has spent all that it had', async () => {
      const first = await pay(signed(), { names: [KEY] });
      rig.chain.poor.add(WALLET);
      rig = await rig.restart();
      await refuseMany();
      const body = (first as { body: string }).body;
      expect(await pay(signed(), { names: [IDENTIFIER, KEY] })).to.include({ kind: 'answered', replayed: true, body });
      const unused: PurchaseName = { ...IDENTIFIER, name: 'pay_for_nothing_yet' };
      expect(await pay(signed(), { names: [unused] }), 'under a name of nothing').to.include({ kind: 'limited' });
      rig.clock.step(7 * DAY_MS + 1);
      expect(await pay(signed(), { names: [KEY] }), 'after its time').to.include({ kind: 'limited' });
    });

    it('lets no other authorization pass while the first is only verified', async () => {
      await refuseMany();
      facilitator().verifies = new Promise(() => {});
      void rig.pay(signed(), { names: [KEY] });
      await rig.until(() => facilitator().requested.length > REFUSED_PAYMENTS_LIMIT.max);
      rig.chain.poor.add(WALLET);
      expect(await pay(signed(), { names: [KEY] })).to.include({ kind: 'limited' });
    });
  });

  it('may have two, and is refused where they stand for different requests', async () => {
    await pay(signed(), { names: [KEY] });
    const both = [KEY, IDENTIFIER];
    expect(await pay(signed(), { names: both })).to.include({ kind: 'answered', replayed: true });
    expect(await pay(signed(), { names: both, fingerprint: 'order-2' })).to.deep.equal({
      kind: 'conflict',
      by: 'idempotency_key',
    });
    expect(settles()).to.equal(1);
  });

  it('has its Idempotency-Key for one operation, and its payment-identifier for all', async () => {
    const other = { operation: 'preflight_copy', fingerprint: 'wallet-1' } as const;
    await pay(signed(), { names: [KEY, IDENTIFIER] });
    expect(await pay(signed(), { ...other, names: [KEY] })).to.include({ kind: 'answered', replayed: false });
    expect(await pay(signed(), { ...other, names: [IDENTIFIER] })).to.include({ kind: 'conflict' });
  });
});

describe('an authorization that strangers repeat', () => {
  let rig: PaymentsRig;
  beforeEach(async () => {
    rig = await startPaymentsRig({
      facilitators: 1,
      signatures: { check: ({ signature }) => (signature === '0xgarbage' ? 'malformed' : 'matches') },
    });
  });
  afterEach(() => rig.close());

  it('answers its payer also while garbage of theirs is looked at', async () => {
    const payment = newPayment(rig.clock);
    await rig.pay(payment);
    const garbage = { ...payment, signature: '0xgarbage' };
    for (let round = 0; round < 60; round++) {
      const strangers = [
        rig.pay(garbage, { fingerprint: 'order-2' }),
        rig.pay(garbage, { fingerprint: 'order-3' }),
        rig.pay(garbage),
      ];
      expect(await rig.pay(payment), `round ${round}`).to.include({ kind: 'answered', replayed: true });
      await Promise.all(strangers);
    }
  });

  it('is begun by its payer also while garbage of theirs is looked at', async () => {
    const payment = newPayment(rig.clock);
    const garbage = { ...payment, signature: '0xgarbage' };
    const strangers = [rig.pay(garbage, { fingerprint: 'order-2' }), rig.pay(garbage)];
    expect(await rig.pay(payment)).to.include({ kind: 'answered', began: true });
    for (const one of await Promise.all(strangers)) expect(one.kind).to.equal('refused');
  });
});
