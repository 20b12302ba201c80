import { expect } from 'chai';
import fc from 'fast-check';
import { UNFILLED_MICROS } from '#domain/scoreboard/cents-bins';
import { ScoreTally } from '#domain/scoreboard/score-day';
import type { ScoreKey } from '#domain/scoreboard/score-key';
import { toScoreTable } from '#domain/scoreboard/score-table';

const KEY: ScoreKey = { verdict: 'OK', usd: 100, horizon: '1', category: 'sports' };

/** The row of orders that would have filled so much worse, in micro-USD per share. */
function rowOf(amounts: readonly number[]) {
  const tally = new ScoreTally();
  for (const worseMicros of amounts) {
    tally.add(KEY, '0xa', { becameVeto: false, becameCaution: false, worseMicros, isGone: false });
  }
  return toScoreTable(tally.toDay('2026-11-27')).find(({ category }) => category === KEY.category)!;
}

describe('a row of the scoreboard', () => {
  for (const [what, amounts, expected] of [
    ['rounds its quantiles up to 0.1 cents', [1_100, 1_100, 9_900], { medianCents: 0.2, p95Cents: 0.99 }],
    ['has no quantile above the worst order of all', [1_234], { medianCents: 0.1234, p95Cents: 0.1234 }],
    ['has none above the worst where bins are whole cents', [123_400], { p95Cents: 12.34, worstCents: 12.34 }],
    ['has a quantile of 100 if that many did not fill whole', [UNFILLED_MICROS], { p95Cents: 100, worstCents: 100 }],
    ['has quantiles of 0 if nothing was worse', [-5_000, 0], { medianCents: 0, p95Cents: 0, worstCents: 0 }],
  ] as const) {
    it(what, () => expect(rowOf(amounts)).to.include(expected));
  }

  it('has its median at or below its p95, and that at or below its worst', () => {
    const amount = fc.integer({ min: -200_000, max: UNFILLED_MICROS });
    fc.assert(
      fc.property(fc.array(amount, { minLength: 1, maxLength: 40 }), (amounts) => {
        const { medianCents, p95Cents, worstCents } = rowOf(amounts);
        expect(medianCents).to.be.at.most(p95Cents!);
        expect(p95Cents).to.be.at.most(worstCents!);
      }),
    );
  });
});
