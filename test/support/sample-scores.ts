import { type ScoreDay, ScoreTally } from '#domain/scoreboard/score-day';

/** A day on which so many orders were priced again, in two categories. */
export function scoreDay(day: string, orders: number): ScoreDay {
  const tally = new ScoreTally();
  tally.passes = orders;
  for (let n = 0; n < orders; n++) {
    for (const category of ['sports_fees_v2', 'fee-free']) {
      const outcome = { becameVeto: n % 7 === 0, becameCaution: n % 3 === 0, isGone: false };
      const key = { verdict: 'OK', usd: n % 2 === 0 ? 100 : 1_000, horizon: '1', category } as const;
      tally.add(key, `0x${n}`, { ...outcome, worseMicros: (n % 5) * 10_000 });
    }
  }
  tally.addUnseen({ verdict: 'CAUTION', usd: 100, horizon: '60', category: 'sports_fees_v2' });
  return tally.toDay(day);
}
