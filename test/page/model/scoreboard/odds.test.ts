import { expect } from 'chai';
import { dayAfter, type ScoreDay, ScoreTally } from '#domain/scoreboard/score-day';
import { daysOf, oddsOf, wholeRows } from '#page/model/scoreboard/odds';
import { seriesOf, toScoreboard } from '#services/scoreboard/report';
import { scoreDay } from '#test/support/sample-scores';

const DAY = '2026-11-27';

/** A day on which so many of 1,000 orders in 40 markets became five cents worse within ten seconds. */
function dayWith(day: string, worse: number): ScoreDay {
  const tally = new ScoreTally();
  for (let n = 0; n < 1_000; n++) {
    const outcome = { becameVeto: false, becameCaution: false, isGone: false, worseMicros: n < worse ? 50_000 : 0 };
    tally.add({ verdict: 'OK', usd: 100, horizon: '10', category: 'sports' }, `0x${n % 40}`, outcome);
  }
  return tally.toDay(day);
}

const boardOf = (days: readonly ScoreDay[]) =>
  toScoreboard(new ScoreTally(days).toDay(DAY), { isOn: true, from: DAY, to: DAY, series: days.flatMap(seriesOf) });

describe('the pictures of the scoreboard', () => {
  it('have one line for each verdict, size and horizon, OK first and the sooner first', () => {
    const { lines } = oddsOf(wholeRows(boardOf([scoreDay(DAY, 10)])));
    expect(lines.map(({ name }) => name)).to.deep.equal(['OK, 100 USD, 1 s', 'OK, 1,000 USD, 1 s']);
  });

  it('lie on an axis that holds every interval, and begins at nothing', () => {
    const { lines, end } = oddsOf(wholeRows(boardOf([dayWith(DAY, 30)])));
    expect(end).to.equal('5.00%');
    const [line] = lines;
    expect(line!.at).to.be.closeTo(0.6, 1e-6);
    expect(line!.low).to.be.within(0, line!.at);
    expect(line!.high).to.be.within(line!.at, 1);
    expect(line!.text).to.match(/^3\.00% \([\d.]+% to [\d.]+%\) of 1,000$/);
  });

  it('have the highest day on top, and days without any at the bottom', () => {
    const days = [0, 40, 20].map((worse, at) => dayWith(dayAfter(DAY, at), worse));
    expect(daysOf(boardOf(days)).map(({ height }) => height)).to.deep.equal([0, 1, 0.5]);
    expect(daysOf(boardOf([dayWith(DAY, 0)])).map(({ height }) => height)).to.deep.equal([0]);
    expect(daysOf(boardOf([]))).to.deep.equal([]);
  });
});
