import { expect } from 'chai';
import { DayTallies } from '#services/scoreboard/day-tallies';
import { scoreDay } from '#test/support/sample-scores';

const [MONDAY, TUESDAY] = ['2026-11-23', '2026-11-24'];

describe('the days of the scoreboard that are counted', () => {
  it('are the sum of what the store has and what was counted before it was read', () => {
    const days = new DayTallies();
    days.of(MONDAY).pass();
    expect(days.unopened()).to.deep.equal([MONDAY]);
    days.open(MONDAY, scoreDay(MONDAY, 50));
    days.of(MONDAY).pass();
    expect(days.unopened()).to.deep.equal([]);
    const { cells } = scoreDay(MONDAY, 50);
    expect(days.takeChanged()).to.deep.equal([{ ...scoreDay(MONDAY, 52), cells }]);
    expect(days.takeChanged()).to.deep.equal([]);
  });

  it('are read again where one that was forgotten is counted on', () => {
    const days = new DayTallies();
    days.of(MONDAY).pass();
    days.open(MONDAY, null);
    expect(days.forgetBefore(TUESDAY)).to.equal(true);
    expect(days.unopened()).to.deep.equal([]);
    days.of(MONDAY).miss(4);
    expect(days.unopened()).to.deep.equal([MONDAY]);
  });
});
