import { expect } from 'chai';
import type { StatusHistory } from '#api/status-history';
import { stripOf } from '#page/model/status/strip';

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
  it('has a cell for each quarter of an hour, degraded if a minute of it was', () => {
    const { cells } = stripOf(history(sample(40), sample(39, 'books_stale'), sample(38), sample(1)), NOW_S);
    expect(cells).to.have.length(96);
    expect(cells.slice(-4)).to.deep.equal(['unseen', 'degraded', 'unseen', 'ok']);
    expect(new Set(cells.slice(0, -4))).to.deep.equal(new Set(['unseen']));
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
    const { cells, summary } = stripOf(history(sample(1_441, 'a'), sample(-5, 'a')), NOW_S);
    expect(new Set(cells)).to.deep.equal(new Set(['unseen']));
    expect(summary).to.match(/^Nothing was seen yet/);
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
