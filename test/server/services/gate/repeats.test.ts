import { expect } from 'chai';
import { createPaymentLane } from '#services/gate/payment-lane';
import { REPEAT_OVER } from '#services/gate/repeats';
import { gateTool } from '#services/gate/tool';
import { ToolCall } from '#services/gate/tool-call';
import { REPEAT_TO_BUYER_MS } from '#services/payments/work';
import { oldRepeats, startTrimmer } from '#services/trimmer';
import { ManualClock } from '#test/support/manual-clock';
import { ManualTimers } from '#test/support/manual-timers';
import { DEMAND } from '#test/support/signed-payments';
import { paymentSecrets } from '#test/support/store-secrets';
import { newPayment, type PaymentsRig, paid as SHOWN, startPaymentsRig, TX } from '../support/payments-rig.js';

const MINE = 'key-of-the-buyer-that-nobody-guesses';
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('the trimmer of answers of payments', () => {
  let rig: PaymentsRig;
  let ageMs: number;
  beforeEach(async () => {
    rig = await startPaymentsRig();
    rig.chain.says = SHOWN;
    ageMs = 0;
  });
  afterEach(() => rig.close());

  /** The wall clock, which moves while the payments stand still. */
  const clock = { nowMs: () => rig.clock.nowMs() + ageMs, elapsedMs: () => rig.clock.elapsedMs() };

  async function ask(payment = newPayment(rig.clock)) {
    const { payments } = rig;
    const lane = createPaymentLane({ payments, demandFor: () => DEMAND, ...paymentSecrets(rig.clock), clock });
    const run = async () => ({ ok: true });
    const tool = gateTool({ credits: 1, exampleBody: '{}', parse: () => ({ kind: 'parsed', args: {} }), run });
    const call = { requestId: 'r', caller: 'c', sandbox: 'absent', x402Probe: 'absent', bearer: null } as const;
    const given = { ...call, payment: { kind: 'payment', payment }, idempotencyKey: MINE, args: {} } as const;
    return lane.run(payment, new ToolCall('preflight_trade', tool, given));
  }

  /** Lets the trimmer look once, and returns how many answers it took. */
  async function trim(): Promise<number> {
    const timers = new ManualTimers(new ManualClock());
    const onError = (error: unknown) => {
      throw error;
    };
    const trimmer = startTrimmer(oldRepeats(rig.store), { clock, timers, onError });
    timers.advance(60_000);
    while (timers.waiting === 0) await turn();
    trimmer.stop();
    return trimmer.removed();
  }

  it('takes them when the buyer gets no repeat any more, after which a repeat is refused and charges nothing', async () => {
    const payment = newPayment(rig.clock);
    const first = await ask(payment);
    expect(first).to.include({ kind: 'paid', replayed: false });
    const row = (await rig.row(payment))!;
    ageMs = row.updatedAtMs + REPEAT_TO_BUYER_MS - rig.clock.nowMs();
    expect(await trim(), 'to the last millisecond of the promise').to.equal(0);
    expect(await ask(payment)).to.deep.include({ kind: 'paid', body: (first as { body: string }).body });
    ageMs += 1;
    expect(await trim()).to.equal(1);
    expect(await rig.row(payment)).to.deep.equal({ ...row, answer: '', body: null });
    const over = { kind: 'payment_refused', reason: REPEAT_OVER, transaction: TX };
    expect(await ask(payment)).to.deep.include(over);
    rig = await rig.restart();
    ageMs = 0;
    expect(await ask(payment), 'by a clock that was set back').to.deep.include(over);
    expect(rig.facilitators.map(({ requested }) => requested.join(' '))).to.deep.equal(['verify settle', '']);
  });

  it('leaves a payment whose outcome is not known, however old it is', async () => {
    const payment = newPayment(rig.clock);
    rig.facilitators[0]!.settles = { kind: 'unknown', reason: 'no answer', transaction: null };
    rig.chain.says = { kind: 'unknown', reason: 'endpoint 1 timed out' };
    const requested = ask(payment);
    await rig.until(async () => (await rig.row(payment))?.state === 'SETTLING');
    ageMs = 2 * REPEAT_TO_BUYER_MS;
    expect(await trim()).to.equal(0);
    rig.chain.says = SHOWN;
    await rig.pass(10_000);
    expect(await requested).to.include({ kind: 'paid' });
  });
});
