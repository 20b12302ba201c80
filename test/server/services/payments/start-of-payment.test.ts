import { expect } from 'chai';
import type { SignedPayment } from '#domain/payment/payment';
import { LONG_LIVED_MAX } from '#services/payments/payer-limits';
import { newPayment, type PaymentsRig, rpcDown, startPaymentsRig, timedOut } from '../support/payments-rig.js';

const secondsOf = (ms: number) => Math.floor(ms / 1e3);

describe('a payment that begins about now', () => {
  let rig: PaymentsRig;
  /** What the newest block is behind our clock. */
  let lagS: number;
  let heads: number;

  beforeEach(async () => {
    lagS = 2;
    heads = 0;
    rig = await startPaymentsRig({
      around: (outside, clock) => {
        const head = async () => {
          heads++;
          const newest = await outside.chain.head();
          return newest && { ...newest, timestampS: secondsOf(clock.nowMs()) - lagS };
        };
        return { ...outside, chain: { ...outside.chain, head } };
      },
    });
  });
  afterEach(() => rig.close());

  const beginningIn = (seconds: number): SignedPayment => {
    const payment = newPayment(rig.clock);
    const validAfter = String(secondsOf(rig.clock.nowMs()) + seconds);
    return { ...payment, authorization: { ...payment.authorization, validAfter } };
  };
  const verified = () =>
    rig.facilitators.flatMap(({ requested }) => requested).filter((one) => one === 'verify').length;

  it('is verified when the chain has come to it, and pays', async () => {
    for (const seconds of [-1, 0]) {
      const before = verified();
      const outcome = rig.pay(beginningIn(seconds));
      await rig.pass(900);
      expect(verified(), 'while the chain is behind').to.equal(before);
      await rig.pass(2_500);
      expect((await outcome).kind).to.equal('answered');
    }
  });

  it('is not verified in the second of the chain in which it begins: the token takes it after that one', async () => {
    const outcome = rig.pay(beginningIn(0));
    await rig.pass(2_500);
    expect(verified()).to.equal(0);
    await rig.pass(1_000);
    expect(verified()).to.equal(1);
    expect((await outcome).kind).to.equal('answered');
  });

  it('is asked about at once where it began long ago, and the chain is not asked for the time', async () => {
    for (const seconds of [-600, -11]) {
      const before = heads;
      expect((await rig.pay(beginningIn(seconds))).kind).to.equal('answered');
      expect(heads - before).to.equal(0);
    }
  });

  it('goes to the facilitator after 3 s where the chain stands still, whose refusal is named by the time', async () => {
    lagS = 60;
    for (const facilitator of rig.facilitators) {
      facilitator.verifies = { kind: 'invalid', reason: 'invalid_exact_evm_transaction_simulation_failed' };
    }
    const outcome = rig.pay(beginningIn(0));
    await rig.pass(2_500);
    expect(verified()).to.equal(0);
    await rig.pass(1_500);
    const { kind, reason } = (await outcome) as { kind: string; reason: string };
    expect(kind).to.equal('refused');
    expect(reason).to.match(/authorization_valid_after: begins \d\d s after the chain's time \d+$/);
    expect(verified()).to.equal(1);
  });

  it('is refused where it begins later than in 3 s, with our time and the difference', async () => {
    const nowS = secondsOf(rig.clock.nowMs());
    expect(await rig.pay(beginningIn(61))).to.deep.equal({
      kind: 'refused',
      reason: `invalid_exact_evm_payload_authorization_valid_after: begins 61 s after the server's time ${nowS}`,
    });
    const outcome = rig.pay(beginningIn(3));
    await rig.pass(6_000);
    expect((await outcome).kind).to.equal('answered');
  });

  it('is not held up by a chain that cannot be asked', async () => {
    rig.chain.head = null;
    expect(await rig.pay(beginningIn(0))).to.deep.equal({ kind: 'unavailable', reason: 'the chain cannot be read' });
    expect(verified()).to.equal(1);
  });
});

describe('a payment that soon ends', () => {
  it('is taken with 20 s left, and with less it is refused by our time', async () => {
    const rig = await startPaymentsRig();
    const nowS = secondsOf(rig.clock.nowMs());
    const endingIn = (seconds: number): SignedPayment => {
      const payment = newPayment(rig.clock);
      return { ...payment, authorization: { ...payment.authorization, validBefore: String(nowS + seconds) } };
    };
    expect(await rig.pay(endingIn(19))).to.deep.equal({
      kind: 'refused',
      reason: `invalid_exact_evm_payload_authorization_valid_before: ends 19 s after the server's time ${nowS}, and 20 s must be left`,
    });
    expect((await rig.pay(endingIn(20))).kind).to.equal('answered');
    await rig.close();
  });
});

describe('a payment that stays open for long', () => {
  it('is taken, up to a number of those whose outcome is open; all others go on', async () => {
    const rig = await startPaymentsRig();
    const lasting = (): SignedPayment => {
      const payment = newPayment(rig.clock);
      return { ...payment, authorization: { ...payment.authorization, validBefore: String(2n ** 256n - 1n) } };
    };
    expect((await rig.pay(lasting())).kind).to.equal('answered');
    for (const facilitator of rig.facilitators) facilitator.settles = timedOut;
    rig.chain.says = rpcDown;
    const open = Array.from({ length: LONG_LIVED_MAX }, () => rig.pay(lasting()));
    await rig.pass(26_000);
    for (const outcome of open) expect((await outcome).kind).to.equal('unknown');
    for (const facilitator of rig.facilitators)
      facilitator.settles = { kind: 'settled', transaction: `0x${'7a'.repeat(32)}` };
    const refused = (await rig.pay(lasting())) as { kind: string; reason: string };
    expect(refused.kind).to.equal('unavailable');
    expect(refused.reason).to.include('longer than maxTimeoutSeconds');
    expect((await rig.pay(newPayment(rig.clock))).kind).to.equal('answered');
    await rig.close();
  });
});
