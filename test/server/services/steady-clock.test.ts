import { expect } from 'chai';
import { laterOf, steadyClock } from '#services/steady-clock';
import { ManualClock } from '#test/support/manual-clock';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

describe('a steady clock', () => {
  for (const stepMs of [-HOUR, HOUR, 25 * HOUR]) {
    it(`goes on as before when the wall clock is set by ${stepMs / HOUR} h, and is set right a week later`, () => {
      const clock = new ManualClock();
      const steady = steadyClock(clock);
      const startMs = clock.nowMs();
      clock.advance(1_000);
      clock.step(stepMs);
      expect(steady.nowMs()).to.equal(startMs + 1_000);
      clock.advance(7 * DAY - 1);
      expect(steady.nowMs()).to.equal(startMs + 7 * DAY + 999);
      clock.advance(1);
      steady.nowMs();
      expect(steady.nowMs()).to.equal(clock.nowMs());
      expect(steady.elapsedMs()).to.equal(clock.elapsedMs());
    });
  }

  it('takes no notice of a step that is taken back', () => {
    const clock = new ManualClock();
    const steady = steadyClock(clock);
    for (const stepMs of [HOUR, -HOUR]) {
      clock.step(stepMs);
      steady.nowMs();
      clock.advance(5 * DAY);
    }
    expect(steady.nowMs()).to.equal(clock.nowMs());
  });

  it('gives whole milliseconds, as dates have', () => {
    const clock = new ManualClock();
    const steady = steadyClock({ nowMs: () => clock.nowMs(), elapsedMs: () => clock.elapsedMs() / 3 });
    clock.advance(1_000);
    expect(Number.isSafeInteger(steady.nowMs())).to.equal(true);
  });

  it('gives the later of two times, so that nothing looks younger than it is', () => {
    const clock = new ManualClock();
    const later = laterOf(clock, steadyClock(clock));
    const startMs = clock.nowMs();
    clock.step(-HOUR);
    expect(later.nowMs()).to.equal(startMs);
    clock.step(2 * HOUR);
    expect(later.nowMs()).to.equal(startMs + HOUR);
  });
});
