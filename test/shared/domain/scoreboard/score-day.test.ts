import { expect } from 'chai';
import fc from 'fast-check';
import { BINS_MAX, binOf, quantileCents, UNFILLED_MICROS, upperCentsOf } from '#domain/scoreboard/cents-bins';
import { draw } from '#domain/scoreboard/draw';
import {
  CATEGORIES_MAX,
  dayAfter,
  groupOf,
  MARKET_GROUPS,
  OTHER_CATEGORY,
  type Outcome,
  type ScoreDay,
  ScoreTally,
} from '#domain/scoreboard/score-day';
import {
  HORIZONS,
  horizonsOf,
  SCORED_SIZES,
  SCORED_VERDICTS,
  type ScoreKey,
  sizeFor,
} from '#domain/scoreboard/score-key';

const KEY: ScoreKey = { verdict: 'OK', usd: 100, horizon: '1', category: 'sports' };
const worse = (worseMicros: number): Outcome => ({
  becameVeto: false,
  becameCaution: false,
  worseMicros,
  isGone: false,
});
/** The sums of a cell over its groups. */
const sumsOf = ({ cells }: ScoreDay) =>
  [...cells[0]!.groups.values()].reduce((sums, of) => sums.map((sum, at) => sum + of[at]!), Array<number>(7).fill(0));

describe('a day of the scoreboard', () => {
  for (const [cents, counts] of [
    [0.9999, [1, 0, 0, 0, 0, 0, 0]],
    [1, [1, 0, 0, 1, 0, 0, 0]],
    [2.9999, [1, 0, 0, 1, 0, 0, 0]],
    [3, [1, 0, 0, 1, 1, 0, 0]],
    [10, [1, 0, 0, 1, 1, 1, 0]],
    [-5, [1, 0, 0, 0, 0, 0, 0]],
  ] as const) {
    it(`counts a fill that is ${cents} cents worse`, () => {
      const tally = new ScoreTally();
      tally.add(KEY, '0xa', worse(cents * 1e4));
      expect(sumsOf(tally.toDay('2026-11-27'))).to.deep.equal(counts);
    });
  }

  const outcome = fc.record({
    becameVeto: fc.boolean(),
    becameCaution: fc.boolean(),
    worseMicros: fc.integer({ min: -200_000, max: UNFILLED_MICROS }),
    isGone: fc.boolean(),
  });
  const counted = fc.tuple(
    fc.record({
      verdict: fc.constantFrom(...SCORED_VERDICTS),
      usd: fc.constantFrom(...SCORED_SIZES),
      horizon: fc.constantFrom(...HORIZONS),
      category: fc.constantFrom('sports', 'crypto'),
    }),
    fc.stringMatching(/^0x[0-9a-f]{8}$/),
    outcome,
  );

  it('is the same in one piece as put together from any two', () => {
    fc.assert(
      fc.property(fc.array(counted, { maxLength: 60 }), fc.nat(60), (all, at) => {
        const tallied = (some: typeof all, before: readonly ScoreDay[] = []) => {
          const tally = new ScoreTally(before);
          for (const [key, market, one] of some) tally.add(key, market, one);
          return tally.toDay('2026-11-27');
        };
        const goneOn = tallied(all.slice(at), [tallied(all.slice(0, at))]);
        expect(goneOn).to.deep.equal(tallied(all));
      }),
    );
  });

  it('does not change any more once it was taken', () => {
    const tally = new ScoreTally();
    tally.add(KEY, '0xa', worse(0));
    const taken = tally.toDay('2026-11-27');
    tally.add(KEY, '0xa', worse(0));
    expect(sumsOf(taken)[0]).to.equal(1);
  });

  it('counts the categories beyond its limit together', () => {
    const tally = new ScoreTally();
    for (let n = 0; n < CATEGORIES_MAX + 10; n++) tally.add({ ...KEY, category: `c${n}` }, '0xa', worse(0));
    const { cells } = tally.toDay('2026-11-27');
    expect(cells).to.have.length(CATEGORIES_MAX + 1);
    expect(sumsOf({ cells: cells.filter(({ category }) => category === OTHER_CATEGORY) } as never)[0]).to.equal(10);
  });

  it('is followed by the next, over the end of a year', () => {
    expect(dayAfter('2026-12-31', 1)).to.equal('2027-01-01');
    expect(dayAfter('2026-03-01', -1)).to.equal('2026-02-28');
  });
});

describe('amounts in bins', () => {
  it('lie in a bin whose upper end is not below them, and less than its width above', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e6, max: UNFILLED_MICROS }), (micros) => {
        const bin = binOf(micros);
        expect(bin).to.be.within(0, BINS_MAX - 1);
        const above = upperCentsOf(bin) - Math.max(0, micros / 1e4);
        expect(above).to.be.within(-1e-9, micros <= 100_000 ? 0.1 : 1);
      }),
    );
  });

  it('have the quantile of their amounts', () => {
    const bins = new Map<number, number>();
    for (const cents of [0, 0, 0, 0.4, 50]) bins.set(binOf(cents * 1e4), (bins.get(binOf(cents * 1e4)) ?? 0) + 1);
    expect([0.5, 0.8, 0.95].map((q) => quantileCents(bins, q))).to.deep.equal([0, 0.4, 50]);
    expect(quantileCents(new Map(), 0.5)).to.equal(null);
  });
});

describe('what is drawn', () => {
  it('is the same for the same seed, without repetition, and of the items', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string()), fc.nat(30), fc.string(), (items, count, seed) => {
        const drawn = draw(items, count, seed);
        expect(drawn).to.deep.equal(draw(items, count, seed));
        expect(new Set(drawn).size).to.equal(Math.min(count, items.length));
        expect(items).to.include.members([...drawn]);
      }),
    );
  });

  it('comes to each item about as often', () => {
    const counts = new Map<number, number>();
    const items = Array.from({ length: 50 }, (_, n) => n);
    for (let pass = 0; pass < 5_000; pass++) {
      for (const one of draw(items, 10, `seed/${pass}`)) counts.set(one, (counts.get(one) ?? 0) + 1);
    }
    for (const one of items) expect(counts.get(one)).to.be.within(850, 1_150);
  });
});

describe('the keys of the scoreboard', () => {
  it('name the horizons of a market, its own delay with those that coincide', () => {
    expect([...horizonsOf(0)].map(([ms, names]) => [ms, ...names])).to.deep.equal([
      [1_000, '1'],
      [3_000, '3'],
      [10_000, '10'],
      [60_000, '60'],
    ]);
    expect(horizonsOf(3).get(3_000)).to.deep.equal(['3', 'delay']);
    expect(horizonsOf(7).get(7_000)).to.deep.equal(['delay']);
  });

  for (const [usd, size] of [
    [1, 100],
    [100, 100],
    [100.01, 1_000],
    [50_000, 1_000],
  ] as const) {
    it(`take an order of ${usd} USD for one of ${size}`, () => expect(sizeFor(usd)).to.equal(size));
  }

  it('put every market into a group', () => {
    fc.assert(fc.property(fc.string(), (id) => groupOf(id) >= 0 && groupOf(id) < MARKET_GROUPS));
  });
});
