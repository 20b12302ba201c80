import { expect } from 'chai';
import { debitCredits } from '#domain/credits/credit-changes';
import { noteDebit } from '#domain/credits/unanswered';
import { paymentKey, type SignedPayment } from '#domain/payment/payment';
import { UNPROVEN_FACILITATOR_MICROS_MAX } from '#domain/payment/proof';
import type { ReceiptReading, Resolution } from '#ports/settlement';
import { FINAL_DEPTH_BLOCKS } from '#services/payments/proof-check';
import { samplePayment } from '#test/contract/support/sample-payment';
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
} from '../support/payments-rig.js';

const CREDITS = { kind: 'pack', fingerprint: 'credits', secret: null, names: [] } as const;
const missing: ReceiptReading = { kind: 'missing' };
const other: ReceiptReading = { kind: 'other' };
/** Paid by the transfer at this place of one and the same transaction. */
const at = (logIndex: number): ReceiptReading => ({ kind: 'paid', transaction: TX, blockNumber: HEAD, logIndex });
const isSame = (one: SignedPayment, other: SignedPayment) => one.authorization.nonce === other.authorization.nonce;
const away: ReceiptReading = { kind: 'unknown', reason: 'endpoint 1 timed out' };
const expired: Resolution = { kind: 'expired' };
/** Answers that one facilitator's word is good for. */
const TRUSTED = Number(UNPROVEN_FACILITATOR_MICROS_MAX / DEMAND.amountMicros);
const TAKEN = 'the transfer that pays for this is noted for another payment: both are looked at again';
const REFUTED = 'a reported settlement is refuted: this was never paid';

describe('what a facilitator reported as settled', () => {
  let rig: PaymentsRig;
  beforeEach(async () => {
    rig = await startPaymentsRig({ isStarted: false });
  });
  afterEach(() => rig.close());

  const proof = async (payment: SignedPayment) => (await rig.row(payment))?.proof ?? null;
  const kindOf = async (payment: SignedPayment) => (await proof(payment))?.kind;
  const words = () => rig.payments.report().proofs.facilitators;

  /** Pays for an answer of another wallet each time. Returns how it ended. */
  const answer = async () => (await rig.pay(newPayment(rig.clock))).kind;

  /** Starts a purchase and lets time pass until it has ended, or was given up. */
  async function buy(payment: SignedPayment): Promise<string> {
    let kind: string | null = null;
    void rig.pay(payment, CREDITS).then((outcome) => {
      kind = outcome.kind;
    });
    await rig.until(() => kind !== null);
    return kind!;
  }

  describe('for an answer', () => {
    it('goes out at once, is counted, and is proven by its receipt afterwards', async () => {
      const payment = newPayment(rig.clock);
      expect(await rig.pay(payment)).to.include({ kind: 'answered' });
      expect(await proof(payment)).to.deep.include({ kind: 'unproven', facilitator: 'first' });
      await rig.payments.start();
      await rig.until(async () => (await kindOf(payment)) === 'proven');
      expect(await proof(payment)).to.deep.include({ transaction: TX, blockNumber: HEAD - 1, isFinal: true });
      await rig.pass(2_000);
      expect(words().get('first')).to.equal(undefined);
      expect(rig.alarms).to.deep.equal([]);
    });

    it('is looked for more and more rarely while the chain does not show it', async () => {
      rig.chain.receipt = missing;
      rig.chain.says = rig.unused();
      await rig.pay(newPayment(rig.clock));
      await rig.payments.start();
      const looks: number[] = [];
      for (let minute = 0; minute < 2; minute++) {
        const before = rig.chain.requested.length;
        await rig.pass(60_000);
        looks.push(rig.chain.requested.length - before);
      }
      expect(looks[0]).to.be.within(4, 10);
      expect(looks[1]).to.be.within(1, 4);
    });

    it('is checked on after a restart, and by two processes at once to the same end', async () => {
      const payments = Array.from({ length: 20 }, () => newPayment(rig.clock));
      for (const payment of payments) await rig.pay(payment);
      rig = await rig.restart();
      await (await rig.beside()).payments.start();
      await rig.until(async () => (await Promise.all(payments.map(kindOf))).every((kind) => kind === 'proven'));
      expect([...(await rig.store.exposures())]).to.deep.equal([]);
      expect((await rig.store.uncheckedPayments(null, 10)).items).to.deep.equal([]);
      expect(rig.alarms).to.deep.equal([]);
    });

    it('is proven at once where the chain itself showed the payment', async () => {
      const payment = newPayment(rig.clock);
      rig.facilitators[0]!.settles = { kind: 'unknown', reason: 'timeout', transaction: null };
      rig.chain.says = paid;
      expect(await rig.pay(payment)).to.include({ kind: 'answered' });
      expect(await proof(payment)).to.deep.include({ kind: 'proven', blockNumber: HEAD, isFinal: true });
    });

    it('is neither proven nor refuted while the chain cannot be asked or does not show it, however long', async () => {
      const payment = newPayment(rig.clock);
      await rig.pay(payment);
      rig.chain.receipt = away;
      await rig.payments.start();
      for (const [receipt, says] of [
        [away, rpcDown],
        [missing, rpcDown],
        [other, rpcDown],
        [away, rig.unused()],
        [missing, rig.unused()],
        [other, rig.unused()],
      ] as const) {
        Object.assign(rig.chain, { receipt, says });
        await rig.pass(40_000);
        expect(await kindOf(payment), JSON.stringify([receipt, says])).to.equal('unproven');
      }
      expect(rig.alarms).to.deep.equal([]);
      expect(rig.payments.report().proofs.oldestUnprovenMs).to.be.above(200_000);
      rig.chain.receipt = 'paid';
      await rig.until(async () => (await kindOf(payment)) === 'proven');
    });

    for (const receipt of [missing, other, away]) {
      it(`is refuted when its authorization is dead, with an alarm (receipt ${receipt.kind})`, async () => {
        const payment = newPayment(rig.clock);
        await rig.pay(payment);
        Object.assign(rig.chain, { receipt, says: expired });
        await rig.payments.start();
        await rig.until(() => rig.alarms.length > 0);
        expect(rig.alarms).to.deep.equal([REFUTED]);
        expect(await proof(payment)).to.deep.include({ kind: 'refuted', reason: 'authorization_expired' });
        await rig.pass(2_000);
        expect(words().get('first')).to.include({ unprovenMicros: 0n, refutedMicros: DEMAND.amountMicros });
        expect(rig.payments.report().proofs.lastRefutedAtMs).to.be.a('number');
        await rig.pass(60_000);
        expect(rig.alarms).to.deep.equal([REFUTED]);
        // The answer is out: a repeat gets it again.
        expect(await rig.pay(payment)).to.include({ kind: 'answered', replayed: true });
      });
    }

    it('is proven where another transaction than the reported one made the transfer', async () => {
      const payment = newPayment(rig.clock);
      rig.facilitators[0]!.settles = { kind: 'settled', transaction: `0x${'0e'.repeat(32)}` };
      await rig.pay(payment);
      Object.assign(rig.chain, { receipt: missing, says: paid });
      await rig.payments.start();
      await rig.until(async () => (await kindOf(payment)) === 'proven');
      expect(await proof(payment)).to.deep.include({ transaction: TX, blockNumber: HEAD });
    });

    it('is not proven by a transfer from before the intent', async () => {
      const payment = newPayment(rig.clock);
      await rig.pay(payment);
      rig.chain.receipt = { kind: 'paid', transaction: TX, blockNumber: HEAD - 21, logIndex: 1 };
      rig.chain.says = { kind: 'consumed_elsewhere' };
      await rig.payments.start();
      await rig.until(() => rig.alarms.length > 0);
      expect(await proof(payment)).to.deep.include({ kind: 'refuted', reason: 'authorization_consumed_elsewhere' });
    });

    it('is proven by a transfer of its own: one that is the proof of another payment proves nothing', async () => {
      const payments = [newPayment(rig.clock), newPayment(rig.clock)];
      for (const payment of payments) await rig.pay(payment);
      rig.chain.receipt = at(1);
      await rig.payments.start();
      await rig.pass(60_000);
      expect((await Promise.all(payments.map(kindOf))).toSorted()).to.deep.equal(['proven', 'unproven']);
      expect(rig.alarms).to.deep.equal([]);
      rig.chain.receipt = 'paid';
      await rig.until(async () => (await Promise.all(payments.map(kindOf))).every((kind) => kind === 'proven'));
    });

    it('is proven where a reorganization has put it where an earlier one was, which is found where it is now', async () => {
      const [earlier, later] = [newPayment(rig.clock), newPayment(rig.clock)];
      rig.chain.receipt = at(1);
      await rig.payments.start();
      await rig.pay(earlier);
      await rig.until(async () => (await kindOf(earlier)) === 'proven');
      rig.chain.receiptOf = (payment) => at(isSame(payment, earlier) ? 3 : 1);
      await rig.pay(later);
      await rig.until(async () => (await kindOf(later)) === 'proven');
      const places = (await Promise.all([earlier, later].map(proof))).map((one) => one?.kind === 'proven' && one);
      expect(places.map((one) => one && [one.logIndex, one.isFinal])).to.deep.equal([
        [3, true],
        [1, true],
      ]);
      expect(rig.alarms).to.deep.equal([]);
    });

    it('is proven where a payment was before whose proof says another place: an earlier version left it there', async () => {
      const moved = samplePayment(1, { state: 'SETTLED', open: false, body: '{}', transaction: TX });
      for (const logIndex of [1, 3]) {
        const proof = { kind: 'proven', transaction: TX, blockNumber: HEAD, logIndex, isFinal: true } as const;
        const payment = { ...moved, proof };
        await rig.store.transact({ payment: moved.key }, () => ({ writes: { payment }, result: null }));
      }
      const payment = newPayment(rig.clock);
      rig.chain.receipt = at(1);
      await rig.pay(payment);
      await rig.payments.start();
      await rig.until(async () => (await kindOf(payment)) === 'proven');
      expect((await rig.store.payment(moved.key))?.proof).to.deep.include({ logIndex: 3, isFinal: true });
    });

    it('leaves its place when it is refuted', async () => {
      const payment = newPayment(rig.clock);
      expect(await buy(payment)).to.equal('answered');
      const place = (await proof(payment)) as { readonly transaction: string; readonly logIndex: number };
      Object.assign(rig.chain, { receipt: missing, says: expired });
      await rig.payments.start();
      await rig.until(() => rig.alarms.length > 0);
      const noted = await rig.store.transact({ transfer: place }, ({ transfer }) => ({ writes: {}, result: transfer }));
      expect([rig.alarms, noted]).to.deep.equal([[REFUTED], null]);
    });
  });

  it('is refuted once by two processes that find it out at the same time', async () => {
    const payment = newPayment(rig.clock);
    await rig.pay(payment);
    Object.assign(rig.chain, { receipt: missing, says: expired });
    const rigs = [rig, await rig.beside()];
    await Promise.all(rigs.map(({ payments }) => payments.start()));
    await rig.until(() => rig.alarms.length > 0);
    await rig.pass(60_000);
    expect(rig.alarms).to.deep.equal([REFUTED]);
    expect((await rig.store.exposures()).get('first')).to.include({ refutedMicros: DEMAND.amountMicros });
  });

  it('buys nothing by the transfer of another payment, and is not refused: it may be where that one was before', async () => {
    rig.facilitators[0]!.settles = { kind: 'unknown', reason: 'timeout', transaction: null };
    rig.chain.says = { ...paid };
    expect(await answer()).to.equal('answered');
    const payment = newPayment(rig.clock);
    const outcome = rig.pay(payment);
    await rig.pass(26_000);
    expect(await outcome).to.include({ kind: 'unknown' });
    expect(rig.alarms).to.deep.equal([TAKEN]);
    rig.chain.says = paid;
    await rig.until(async () => (await rig.row(payment))?.state === 'SETTLED');
    expect(await rig.pay(payment)).to.include({ kind: 'answered', replayed: true });
    expect(rig.alarms).to.have.length(1);
  });

  describe('for more than its word is good for', () => {
    const unprovenAnswers = async (count: number) => {
      for (let n = 0; n < count; n++) expect(await answer()).to.equal('answered');
    };

    it('waits for its receipt, also after a restart', async () => {
      rig.chain.receipt = missing;
      rig.chain.says = rig.unused();
      await unprovenAnswers(TRUSTED);
      rig = await rig.restart();
      const late = newPayment(rig.clock);
      let kind: string | null = null;
      void rig.pay(late).then((outcome) => {
        kind = outcome.kind;
      });
      await rig.pass(1_000);
      expect(kind).to.equal(null);
      expect((await rig.row(late))?.state).to.equal('SETTLING');
      rig.chain.receipt = 'paid';
      await rig.until(() => kind !== null);
      expect(kind).to.equal('answered');
      expect(await proof(late)).to.deep.include({ kind: 'proven' });
    });

    it('is told to be unknown when no receipt comes, and not to have failed', async () => {
      rig.chain.receipt = missing;
      rig.chain.says = rpcDown;
      await unprovenAnswers(TRUSTED);
      let outcome: object | null = null;
      void rig.pay(newPayment(rig.clock)).then((settled) => {
        outcome = settled;
      });
      await rig.until(() => outcome !== null);
      expect(outcome).to.include({ kind: 'unknown', transaction: TX });
    });

    it('is counted across two processes on one store', async () => {
      rig.chain.receipt = missing;
      rig.chain.says = rig.unused();
      await unprovenAnswers(TRUSTED - 1);
      const second = await rig.beside();
      expect((await second.pay(newPayment(rig.clock))).kind).to.equal('answered');
      const over = newPayment(rig.clock);
      void rig.pay(over);
      await rig.pass(1_000);
      expect((await rig.row(over))?.state).to.equal('SETTLING');
    });

    it('waits for one wallet whatever the facilitator', async () => {
      rig.chain.receipt = missing;
      rig.chain.says = rig.unused();
      const wallet = address(77);
      for (let n = 0; n < TRUSTED; n++) await rig.pay(newPayment(rig.clock, wallet));
      rig.facilitators[0]!.verifies = { kind: 'unavailable', reason: 'down' };
      rig.facilitators[0]!.settles = { kind: 'not_sent', reason: 'down' };
      const [same, another] = [newPayment(rig.clock, wallet), newPayment(rig.clock)];
      void rig.pay(same);
      void rig.pay(another);
      await rig.until(async () => (await rig.row(another))?.state === 'SETTLED');
      await rig.pass(1_000);
      expect((await rig.row(same))?.state).to.equal('SETTLING');
    });

    it('stays more than it is good for when it was refuted', async () => {
      await unprovenAnswers(TRUSTED);
      Object.assign(rig.chain, { receipt: missing, says: expired });
      await rig.payments.start();
      await rig.until(() => rig.alarms.length === TRUSTED);
      rig.chain.says = rig.unused();
      const late = newPayment(rig.clock);
      void rig.pay(late);
      await rig.pass(1_000);
      expect((await rig.row(late))?.state).to.equal('SETTLING');
    });

    it('is good for more when it was proven', async () => {
      await rig.payments.start();
      for (let n = 0; n < 3 * TRUSTED; n++) {
        expect(await answer()).to.equal('answered');
        if (n % 10 === 0) await rig.pass(1_000);
      }
      expect(rig.alarms).to.deep.equal([]);
    });
  });

  describe('for a credit pack', () => {
    const credits = async (payment: SignedPayment) =>
      (await rig.store.account(payment.authorization.from))?.lots.map(({ remaining }) => remaining) ?? [];

    it('gives nothing for an invented transaction, to a hundred wallets', async () => {
      rig.chain.receipt = missing;
      rig.chain.says = rig.unused();
      const payments = Array.from({ length: 100 }, () => newPayment(rig.clock));
      const kinds: string[] = [];
      for (const payment of payments) void rig.pay(payment, CREDITS).then(({ kind }) => void kinds.push(kind));
      await rig.until(() => kinds.length === payments.length);
      expect(new Set(kinds)).to.deep.equal(new Set(['unknown']));
      for (const payment of payments) expect(await credits(payment)).to.deep.equal([]);
      // In the end the chain says that none of them will ever pay.
      rig.chain.says = expired;
      await rig.until(async () => (await rig.row(payments[99]!))?.state === 'FAILED');
      for (const payment of payments) expect(await credits(payment)).to.deep.equal([]);
    });

    it('is credited when the receipt is there with a block on top, and not before', async () => {
      const payment = newPayment(rig.clock);
      rig.chain.head = HEAD - 1;
      let kind: string | null = null;
      void rig.pay(payment, CREDITS).then((outcome) => {
        kind = outcome.kind;
      });
      await rig.pass(5_000);
      expect([kind, await credits(payment)]).to.deep.equal([null, []]);
      rig.chain.head = HEAD;
      await rig.until(() => kind !== null);
      expect([kind, await credits(payment)]).to.deep.equal(['answered', [500]]);
      expect(await proof(payment)).to.deep.include({ kind: 'proven', isFinal: false });
    });

    it('is settled by the next facilitator when the first one’s transaction is about something else', async () => {
      const payment = newPayment(rig.clock);
      rig.chain.receipt = other;
      rig.chain.says = rig.unused();
      const [, second] = rig.facilitators;
      const settle = second!.settle.bind(second);
      second!.settle = () => {
        rig.chain.receipt = 'paid';
        return settle();
      };
      expect(await buy(payment)).to.equal('answered');
      expect(await credits(payment)).to.deep.equal([500]);
      expect(rig.alarms).to.deep.equal(['what a facilitator reported as a settlement is none']);
    });

    it('is proven for good some blocks later', async () => {
      const payment = newPayment(rig.clock);
      expect(await buy(payment)).to.equal('answered');
      await rig.payments.start();
      rig.chain.head = HEAD + FINAL_DEPTH_BLOCKS - 2;
      await rig.pass(40_000);
      expect(await proof(payment)).to.deep.include({ kind: 'proven', isFinal: false });
      rig.chain.head = HEAD + FINAL_DEPTH_BLOCKS - 1;
      await rig.until(async () => JSON.stringify(await proof(payment)).includes('"isFinal":true'));
      expect(await credits(payment)).to.deep.equal([500]);
    });

    it('is taken back, as far as it is unspent, when a reorganization took the payment back', async () => {
      const payment = newPayment(rig.clock);
      const wallet = payment.authorization.from;
      expect(await buy(payment)).to.equal('answered');
      const spend = { operation: 'preflight_trade', requestId: 'r', atMs: rig.clock.nowMs() };
      await rig.store.transact({ account: wallet }, ({ account }) => {
        const debit = debitCredits(account!, 3, spend);
        if (debit.kind !== 'debited') throw new Error('too few credits');
        const change = { ...debit, account: noteDebit(account!, debit, 'of another process') };
        return { writes: { change }, result: null };
      });
      rig.chain.receipt = missing;
      rig.chain.says = rig.unused();
      await rig.payments.start();
      await rig.pass(40_000);
      expect(await credits(payment)).to.deep.equal([497]);
      rig.chain.says = expired;
      await rig.until(() => rig.alarms.length > 0);
      expect(rig.alarms).to.deep.equal([REFUTED]);
      expect(await credits(payment)).to.deep.equal([]);
      const { unanswered } = (await rig.store.account(wallet))!;
      expect(unanswered, 'what was spent cannot be given back either').to.deep.equal([]);
      const ledger = (await rig.store.ledger(wallet, 10)).map(({ kind, credits, operation }) => [
        kind,
        credits,
        operation,
      ]);
      expect(ledger).to.deep.equal([
        ['grant', 500, 'purchase'],
        ['debit', 3, 'preflight_trade'],
        ['revoke', 497, 'purchase refuted'],
      ]);
      await rig.pass(60_000);
      expect(await rig.store.ledger(wallet, 10)).to.have.length(3);
    });
  });

  it('takes back the credits of one pack where one transaction has paid for two of a wallet', async () => {
    const wallet = address(78);
    const bought = [newPayment(rig.clock, wallet), newPayment(rig.clock, wallet)] as const;
    for (const [n, payment] of bought.entries()) {
      void rig.pay(payment, { ...CREDITS, fingerprint: `credits ${n}`, requestId: `request ${n}` });
      await rig.until(async () => (await rig.row(payment))?.state === 'SETTLED');
    }
    rig.chain.receiptOf = (payment) => (isSame(payment, bought[1]) ? missing : null);
    rig.chain.says = expired;
    await rig.payments.start();
    await rig.until(() => rig.alarms.length > 0);
    expect((await rig.store.account(wallet))!.lots.map(({ id, remaining }) => [id, remaining])).to.deep.equal([
      [1, 500],
    ]);
  });

  it('is not checked any more where the row is from before receipts were looked at', async () => {
    const payment = newPayment(rig.clock);
    const before = { state: 'SETTLED', body: '{"ok":true}', transaction: TX, open: false, proof: null } as const;
    const row = { ...samplePayment(1, before), key: paymentKey(payment), payment };
    await rig.store.transact({ payment: row.key }, () => ({ writes: { payment: row }, result: null }));
    Object.assign(rig.chain, { receipt: missing, says: expired });
    await rig.payments.start();
    await rig.pass(60_000);
    expect(await proof(payment)).to.equal(null);
    expect(rig.alarms).to.deep.equal([]);
  });
});
