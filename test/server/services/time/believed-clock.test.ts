import { expect } from 'chai';
import fc from 'fast-check';
import { agreement } from '#services/time/agreement';
import { BelievedClock, CHAIN_SOURCE } from '#services/time/believed-clock';
import { ManualClock } from '#test/support/manual-clock';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Each source, or the wall clock, by how much it is ahead of the right time. */
function believing(wallMs: number, heard: Readonly<Record<string, number>>) {
  const clock = new ManualClock();
  clock.step(wallMs);
  const time = new BelievedClock(clock);
  const say = (source: string, aheadMs: number) => time.hear(source, clock.elapsedMs() + aheadMs);
  for (const [source, aheadMs] of Object.entries(heard)) say(source, aheadMs);
  return { clock, time, say, wrongByMs: () => time.nowMs() - clock.elapsedMs() };
}

describe('the believed time', () => {
  const cases: readonly [string, number, Readonly<Record<string, number>>, { by: number; sure: boolean }][] = [
    ['is the clock of the machine where nobody is heard', HOUR, {}, { by: HOUR, sure: false }],
    ['is confirmed by one who agrees with it', 0, { gamma: -700 }, { by: 0, sure: true }],
    ['is followed while it is less than 5 s away', 4_900, { gamma: 0, clob: 0 }, { by: 4_900, sure: true }],
    ['is that of two others who agree', 5_100, { gamma: 0, clob: 0 }, { by: 0, sure: true }],
    ['is in doubt between two clocks', HOUR, { gamma: 0 }, { by: HOUR, sure: false }],
    ["is the chain's, in doubt, and not confirmed by it", HOUR, { [CHAIN_SOURCE]: 0 }, { by: 0, sure: false }],
    ['is not that of a chain that stands still', 0, { [CHAIN_SOURCE]: -HOUR, gamma: 0 }, { by: 0, sure: true }],
    ['is not that of one host that is wrong', 0, { gamma: HOUR, clob: 0 }, { by: 0, sure: true }],
    ['is kept where as many say the one and the other', 0, { a: 0, b: HOUR, c: HOUR }, { by: 0, sure: true }],
    ['moves where more say the other', 0, { a: 0, b: HOUR, c: HOUR, d: HOUR }, { by: HOUR, sure: true }],
  ];
  for (const [title, wallMs, heard, { by, sure }] of cases) {
    it(title, () => {
      const { time, wrongByMs } = believing(wallMs, heard);
      expect([wrongByMs(), time.isConfirmed]).to.deep.equal([by, sure]);
    });
  }

  it('goes on by the monotonic clock when the wall clock is set and nobody is heard', () => {
    const { clock, time, wrongByMs } = believing(0, { gamma: 0 });
    clock.step(HOUR);
    clock.advance(HOUR);
    expect([wrongByMs(), time.report().aheadMs]).to.deep.equal([0, HOUR]);
  });

  it('follows a machine that slept once somebody else says how long', () => {
    const { clock, say, wrongByMs } = believing(0, { [CHAIN_SOURCE]: 0, gamma: 0 });
    // Asleep the monotonic clock stands still, so that all others are ahead of it.
    clock.step(HOUR);
    say('gamma', HOUR);
    expect(wrongByMs()).to.equal(0);
    say(CHAIN_SOURCE, HOUR);
    expect(wrongByMs()).to.equal(HOUR);
  });

  it('takes a late answer for a late one, and a clock that is put right for right in a minute', () => {
    const { clock, say, wrongByMs } = believing(HOUR, { a: 0, b: 0 });
    say('a', -20_000);
    say('b', -20_000);
    expect(wrongByMs()).to.equal(0);
    clock.advance(MINUTE);
    say('a', -20_000);
    say('b', -20_000);
    say('c', -20_000);
    expect(wrongByMs()).to.equal(-20_000);
  });

  it('forgets who has not been heard for ten minutes, and keeps no more than 32', () => {
    const { clock, time, say } = believing(0, {});
    for (let host = 0; host < 40; host++) say(`host ${host}`, 0);
    expect(time.report().sources).to.equal(32);
    clock.advance(10 * MINUTE + 1);
    expect(time.report().sources).to.equal(0);
  });

  it('is never that of one alone, nor one that others outnumber', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(-HOUR, 0, 1_000, HOUR), { maxLength: 9 }), (offsets) => {
        const votes = offsets.map((offsetMs) => ({ offsetMs }));
        const agreed = agreement(votes, 5_000);
        if (agreed === null) return;
        const withIt = votes.filter(({ offsetMs }) => Math.abs(offsetMs - agreed.offsetMs) <= 5_000).length;
        const against = (offset: number) => votes.filter(({ offsetMs }) => offsetMs === offset).length;
        expect(withIt).to.be.at.least(2);
        for (const other of [-HOUR, HOUR]) if (other !== agreed.offsetMs) expect(against(other)).to.be.below(withIt);
      }),
    );
  });

  it('gives whole milliseconds, as dates have', () => {
    const clock = new ManualClock();
    const time = new BelievedClock({ nowMs: () => clock.nowMs(), elapsedMs: () => clock.elapsedMs() / 3 });
    time.hear('gamma', clock.nowMs());
    clock.advance(1_000);
    expect(Number.isSafeInteger(time.nowMs())).to.equal(true);
  });
});
