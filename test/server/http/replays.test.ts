import { expect } from 'chai';
import { systemClock } from '#adapters/process/system-clock';
import { paymentOffer } from '#api/operations';
import type { SignedPayment } from '#domain/payment/payment';
import { createToAnswer } from '#http/answers/gate-answer';
import { deferred } from '#test/support/promises';
import { CONSTANT_ANSWER, type Door, openDoor, TERMS } from './support/door.js';

const NOW_MS = Date.parse('2026-07-14T04:00:00Z');
const PAYMENT = { version: 2, authorization: { from: '0x1', value: '20000' } } as unknown as SignedPayment;

/** The headers of an answer by their names. */
function headersOf(pairs: readonly string[] = []): Record<string, string> {
  const names = pairs.filter((_, i) => i % 2 === 0);
  return Object.fromEntries(names.map((name, i) => [name, pairs[2 * i + 1]!]));
}

describe('a repeated answer', () => {
  let door: Door;
  let aheadMs = 0;
  before(async () => {
    door = await openDoor({ deps: { clock: { ...systemClock, nowMs: () => Date.now() + aheadMs } } });
  });
  after(() => door.stop());

  it('keeps its bytes, is marked as a replay and tells its age; the first answer is not', async () => {
    const ask = () => door.order('slug=a', { 'Idempotency-Key': 'k' });
    const first = await ask();
    aheadMs = 43_000;
    const again = await ask();
    aheadMs = 0;
    expect([first.headers.get('idempotent-replayed'), first.headers.get('age')]).to.deep.equal([null, null]);
    expect(again.headers.get('idempotent-replayed')).to.equal('true');
    expect(Number(again.headers.get('age'))).to.be.within(43, 60);
    expect(again.headers.get('access-control-expose-headers')).to.include('Idempotent-Replayed').and.to.include('Age');
    expect(await again.text()).to.equal(await first.text());
  });

  it('is marked also for a copy that joined the first while it ran', async () => {
    const held = deferred();
    const slow = await openDoor({ handler: () => held.promise.then(() => CONSTANT_ANSWER) });
    const copies = [1, 2, 3].map(() => slow.order('slug=a', { 'Idempotency-Key': 'k' }));
    while (slow.orders.length === 0) await new Promise((resolve) => setTimeout(resolve, 2));
    // The others join before it is answered, or find what was kept.
    held.resolve();
    const marks = (await Promise.all(copies)).map(({ headers }) => headers.get('idempotent-replayed'));
    expect(marks.filter((mark) => mark === 'true')).to.have.length(2);
    await slow.stop();
  });

  it('that was settled on the chain is as old as its verdict, not as its settlement', () => {
    const toAnswer = createToAnswer(paymentOffer('preflight_trade', TERMS), { nowMs: () => NOW_MS }, () => 'secret');
    const sold = { kind: 'paid', body: '{}', nextRefreshS: null, madeAtMs: NOW_MS - 90_500 } as const;
    const answer = (replayed: boolean) =>
      headersOf(toAnswer({ ...sold, replayed, payment: PAYMENT, transaction: '0xaa' }).headers);
    expect(answer(true)).to.include({ 'Idempotent-Replayed': 'true', Age: '90' }).and.have.property('PAYMENT-RESPONSE');
    expect(answer(false)).to.not.have.any.keys('Idempotent-Replayed', 'Age');
  });
});

describe('a paid answer that may be kept', () => {
  const toAnswer = createToAnswer(paymentOffer('leaderboard', TERMS), { nowMs: () => NOW_MS }, () => 'secret');
  const sold = { kind: 'answered', body: '{}', nextRefreshS: NOW_MS / 1e3 + 1_800 } as const;
  const VARY = 'Authorization, PAYMENT-SIGNATURE, X-PAYMENT';

  it('names in Vary what it was paid with, and only then', () => {
    const stored = toAnswer({ ...sold, replayed: false, madeAtMs: NOW_MS });
    expect([stored.cacheControl, headersOf(stored.headers).Vary]).to.deep.equal(['private, max-age=1800', VARY]);
    const free = toAnswer({ ...sold, kind: 'free', status: 200, retryAfterS: null });
    expect(headersOf(free.headers).Vary).to.equal(VARY);
    const live = toAnswer({ ...sold, nextRefreshS: null, replayed: false, madeAtMs: NOW_MS });
    expect([live.cacheControl, live.headers]).to.deep.equal([undefined, []]);
  });

  it('may be kept until its next refresh also where it is a repeat, whose age a cache takes off', () => {
    const { cacheControl, headers } = toAnswer({ ...sold, replayed: true, madeAtMs: NOW_MS - 600_000 });
    expect([cacheControl, headersOf(headers).Age]).to.deep.equal(['private, max-age=2400', '600']);
  });
});
