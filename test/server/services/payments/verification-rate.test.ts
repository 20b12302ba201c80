import { expect } from 'chai';
import { VerificationRate } from '#services/payments/verification-rate';
import { ManualClock } from '#test/support/manual-clock';

const MINUTE_MS = 60_000;

describe('the share of payments that nobody verified', () => {
  let clock: ManualClock;
  let rate: VerificationRate;
  beforeEach(() => {
    clock = new ManualClock();
    rate = new VerificationRate(clock);
  });

  it('is not known of fewer than three payments', () => {
    expect(rate.share()).to.equal(null);
    for (const isVerified of [true, false]) rate.note(isVerified);
    expect(rate.share()).to.equal(null);
  });

  it('is of those that were verified and those that were not', () => {
    for (const isVerified of [true, false, true, false, false]) rate.note(isVerified);
    expect(rate.share()).to.equal(0.6);
  });

  it('forgets what ended more than five minutes ago', () => {
    for (let n = 0; n < 3; n++) rate.note(false);
    clock.advance(4 * MINUTE_MS);
    for (let n = 0; n < 3; n++) rate.note(true);
    expect(rate.share()).to.equal(0.5);
    clock.advance(MINUTE_MS);
    expect(rate.share()).to.equal(0);
    clock.advance(5 * MINUTE_MS);
    expect(rate.share()).to.equal(null);
  });
});
