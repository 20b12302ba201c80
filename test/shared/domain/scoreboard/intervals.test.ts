import { expect } from 'chai';
import fc from 'fast-check';
import { clusteredInterval, wilsonInterval } from '#domain/scoreboard/intervals';

describe('the interval of a share', () => {
  const TABLE: readonly (readonly [number, number, number, number])[] = [
    // From Newcombe, "Two-sided confidence intervals for the single proportion" (1998), method 3.
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ];
  for (const [hits, n, low, high] of TABLE) {
    it(`of ${hits} in ${n} is the published one`, () => {
      const found = wilsonInterval(hits, n)!;
      expect(found.low).to.be.closeTo(low, 5e-5);
      expect(found.high).to.be.closeTo(high, 5e-5);
    });
  }

  it('is none of nothing', () => {
    expect(wilsonInterval(0, 0)).to.equal(null);
  });

  it('holds the share, lies between 0 and 1, and narrows with more samples', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), fc.double({ min: 0, max: 1, noNaN: true }), (n, share) => {
        const hits = Math.round(n * share);
        const { low, high } = wilsonInterval(hits, n)!;
        const more = wilsonInterval(hits * 4, n * 4)!;
        expect(low).to.be.within(0, hits / n);
        expect(high).to.be.within(hits / n, 1);
        expect(more.high - more.low).to.be.at.most(high - low);
      }),
    );
  });
});

describe('the interval of a share with markets as clusters', () => {
  const group = fc
    .tuple(fc.integer({ min: 1, max: 500 }), fc.double({ min: 0, max: 1, noNaN: true }))
    .map(([n, share]) => ({ n, hits: Math.round(n * share) }));

  it('is never narrower than the one of independent samples', () => {
    fc.assert(
      fc.property(fc.array(group, { minLength: 2, maxLength: 64 }), (groups) => {
        const found = clusteredInterval(groups);
        if (found === null) return;
        const [hits, n] = [groups.reduce((sum, g) => sum + g.hits, 0), groups.reduce((sum, g) => sum + g.n, 0)];
        const alone = wilsonInterval(hits, n)!;
        expect(found.low).to.be.at.most(alone.low + 1e-12);
        expect(found.high).to.be.at.least(alone.high - 1e-12);
      }),
    );
  });

  it('does not care for the order of the groups, nor for those without samples', () => {
    fc.assert(
      fc.property(fc.array(group, { minLength: 2, maxLength: 20 }), (groups) => {
        const [one, other] = [
          clusteredInterval(groups),
          clusteredInterval([...groups.toReversed(), { n: 0, hits: 0 }]),
        ];
        expect(other === null).to.equal(one === null);
        expect(other?.low ?? 0).to.be.closeTo(one?.low ?? 0, 1e-9);
        expect(other?.high ?? 0).to.be.closeTo(one?.high ?? 0, 1e-9);
      }),
    );
  });

  it('is as wide for a hundred samples of each group as for one, where each group is all or nothing', () => {
    const [once, often] = [1, 100].map((n) =>
      clusteredInterval(Array.from({ length: 40 }, (_, at) => ({ n, hits: at < 10 ? n : 0 }))),
    );
    expect(often!.high - often!.low).to.be.closeTo(once!.high - once!.low, 1e-9);
  });

  it('is none of a single group, nor of what happened never or always', () => {
    expect(clusteredInterval([{ n: 100, hits: 3 }])).to.equal(null);
    expect(
      clusteredInterval([
        { n: 10, hits: 0 },
        { n: 10, hits: 0 },
      ]),
    ).to.equal(null);
    expect(
      clusteredInterval([
        { n: 10, hits: 10 },
        { n: 5, hits: 5 },
      ]),
    ).to.equal(null);
  });
});
