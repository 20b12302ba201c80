import { expect } from 'chai';
import type { StatusHistory } from '#api/status-history';
import { latencyOf } from '#page/model/status/latency';
import { componentDays, stripOf } from '#page/model/status/strip';

const NOW_S = Date.parse('2026-08-02T12:00:00Z') / 1e3;
const sample = (minutesAgo: number, ...rules: string[]) => ({
  t: NOW_S - minutesAgo * 60,
  rules,
  p50: null,
  p95: null,
  age: null,
});
const history = (...samples: StatusHistory['samples']): StatusHistory => ({ every_seconds: 60, hours: 24, samples });

describe('the strip of a day', () => {
  it('draws one bad minute as one minute, and nothing where nothing was seen', () => {
    const { runs } = stripOf(history(sample(40), sample(39, 'books_stale'), sample(38), sample(1)), NOW_S);
    expect(runs).to.deep.equal([
      { isBad: false, fromMin: 1_400, minutes: 1 },
      { isBad: true, fromMin: 1_401, minutes: 1 },
      { isBad: false, fromMin: 1_402, minutes: 1 },
      { isBad: false, fromMin: 1_439, minutes: 1 },
    ]);
  });

  it('is one run for a whole day of good minutes, whatever seconds they were taken at', () => {
    const samples = Array.from({ length: 1_440 }, (_, n) => ({
      ...sample(1_440 - n),
      t: NOW_S - 86_399 + n * 60 + (n % 7),
    }));
    expect(stripOf(history(...samples), NOW_S).runs).to.have.length(1);
  });

  it('has a day for each component, with the minutes that it was down', () => {
    const samples = [sample(3), sample(2, 'component_down:gamma', 'books_stale'), sample(1, 'books_stale')];
    const { gamma, store } = componentDays(history(...samples), ['gamma', 'store'], NOW_S);
    expect(gamma!.runs.map(({ isBad }) => isBad)).to.deep.equal([false, true, false]);
    expect(gamma!.summary).to.equal('down for 1 min');
    expect(store).to.deep.equal({ runs: [{ isBad: false, fromMin: 1_437, minutes: 3 }], summary: 'never down' });
  });

  it('tells the stretches that were degraded, the latest first, each with its rules', () => {
    const samples = [sample(50, 'a'), sample(49, 'a'), sample(48), sample(20, 'a'), sample(19, 'a', 'b'), sample(0)];
    const { stretches, summary } = stripOf(history(...samples), NOW_S);
    expect(stretches).to.deep.equal([
      { when: '2026-08-02 11:41 UTC', rules: 'a, b' },
      { when: '2026-08-02 11:40 UTC', rules: 'a' },
      { when: '2026-08-02 11:10 to 11:11 UTC', rules: 'a' },
    ]);
    expect(summary).to.equal('Of the last 24 hours 6 min were seen, and the service was degraded for 4 min.');
  });

  it('does not count what was not seen as well, and leaves out what is older or in the future', () => {
    const { runs, summary } = stripOf(history(sample(1_441, 'a'), sample(-5, 'a')), NOW_S);
    expect(runs).to.deep.equal([]);
    expect(summary).to.match(/^Nothing was seen/);
  });

  it('names both days of a stretch over midnight', () => {
    const atNoon = 12 * 60;
    const { stretches } = stripOf(history(sample(atNoon + 1, 'a'), sample(atNoon, 'a')), NOW_S);
    expect(stretches.map(({ when }) => when)).to.deep.equal(['2026-08-01 23:59 UTC to 2026-08-02 00:00 UTC']);
  });

  it('shows eight stretches at most', () => {
    const samples = Array.from({ length: 100 }, (_, n) => sample(500 - n * 5, 'a'));
    expect(stripOf(history(...samples), NOW_S).stretches).to.have.length(8);
  });
});

describe('the line of latency', () => {
  const asked = (minutesAgo: number, ms: number | null) => ({
    ...sample(minutesAgo),
    p50: ms,
    p95: ms === null ? null : ms * 2,
  });

  it('shows the slowest of each five minutes, and ends where nothing was asked', () => {
    const { p95, topMs } = latencyOf(
      history(asked(60, 1), asked(59, 3), asked(55, 2), asked(50, null), asked(2, 4)),
      NOW_S,
    )!;
    expect(p95.map((line) => line.map(({ ms }) => ms))).to.deep.equal([[6, 4], [8]]);
    expect(topMs).to.equal(10);
  });

  it('is none without a verdict', () => {
    expect(latencyOf(history(asked(5, null)), NOW_S)).to.equal(null);
  });
});
