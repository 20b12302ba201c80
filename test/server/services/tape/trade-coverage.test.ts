import { expect } from 'chai';
import fc from 'fast-check';
import { missingSpans } from '#domain/time-spans';
import {
  FEED_LAG_S,
  missingTrades,
  noteWalk,
  OPEN_WALKS_MAX,
  readCoverage,
  type TradeCoverage,
  wantSpan,
} from '#services/tape/trade-coverage';

const NOW_S = 10_000;
const EMPTY = readCoverage(null, NOW_S);
const spans = fc.array(
  fc
    .record({ from: fc.integer({ min: 9_000, max: NOW_S }), length: fc.nat(40) })
    .map(({ from, length }) => ({ from, to: from + length })),
  { maxLength: 60 },
);
const heldAndOpen = ({ held, open }: TradeCoverage) => [
  ...held,
  ...open.map(({ fromS, toS }) => ({ from: fromS, to: toS })),
];

/** Every walk goes through. */
function finishAll(coverage: TradeCoverage): TradeCoverage {
  return coverage.open.reduce(
    (now, walk) => noteWalk(now, { ...walk, state: 'REACHED', reachedS: walk.fromS }, true, NOW_S),
    coverage,
  );
}

describe('what the tape holds of a feed', () => {
  it('has a walk for every second that is wanted and not held, and no more walks than it may have', () => {
    fc.assert(
      fc.property(spans, fc.integer({ min: 9_000, max: NOW_S }), (held, from) => {
        const wanted = { from, to: NOW_S };
        const coverage = wantSpan({ ...EMPTY, held }, wanted, NOW_S);
        expect(missingSpans(wanted, heldAndOpen(coverage))).to.deep.equal([]);
        expect(coverage.open.length).to.be.at.most(OPEN_WALKS_MAX);
        expect(new Set(coverage.open.map(({ id }) => id)).size).to.equal(coverage.open.length);
        expect(wantSpan(coverage, wanted, NOW_S).open).to.deep.equal(coverage.open);
      }),
    );
  });

  it('holds everything that was wanted once its walks are through, but the seconds that are still to come in', () => {
    fc.assert(
      fc.property(spans, fc.integer({ min: 9_000, max: NOW_S - 200 }), (held, from) => {
        const done = finishAll(wantSpan({ ...EMPTY, held }, { from, to: NOW_S }, NOW_S));
        expect(done.open).to.deep.equal([]);
        expect(missingSpans({ from, to: NOW_S - FEED_LAG_S }, done.held)).to.deep.equal([]);
      }),
    );
  });

  it('asks for no second again at once that could not be read, however many there are', () => {
    const lost = Array.from({ length: 400 }, (_, n) => ({ from: 9_000 + 2 * n, to: 9_000 + 2 * n }));
    const wanted = { from: 9_000, to: 9_900 };
    const begun = wantSpan(EMPTY, wanted, NOW_S);
    const walk = { ...begun.open[0]!, state: 'REACHED' as const, reachedS: 9_000, lost };
    const done = noteWalk(begun, walk, true, NOW_S);
    expect(wantSpan(done, wanted, NOW_S).open).to.deep.equal([]);
    for (const { from } of lost)
      expect(missingTrades(done, wanted).some((span) => span.from <= from && from <= span.to)).to.equal(true);
    const later = wantSpan(done, wanted, NOW_S + 600).open;
    expect(
      missingSpans(
        { from: 9_000, to: 9_800 },
        later.map(({ fromS, toS }) => ({ from: fromS, to: toS })).concat(done.held),
      ),
    ).to.deep.equal([]);
  });

  it('gives a number to a walk once', () => {
    const first = wantSpan(EMPTY, { from: 9_000, to: 9_100 }, NOW_S);
    const second = wantSpan(finishAll(first), { from: 9_000, to: 9_200 }, NOW_S);
    expect([first.open[0]?.id, second.open[0]?.id]).to.deep.equal([NOW_S, NOW_S + 1]);
  });

  it('claims no second that is still to come, nor the hour before where a clock that was ahead did', () => {
    const aheadS = NOW_S + 172_800;
    const span = { from: 1_000, to: aheadS };
    const lost = [{ ...span, tries: 1, againAtS: aheadS }];
    const begun = wantSpan(EMPTY, { from: 500, to: aheadS }, aheadS);
    const kept = readCoverage({ ...begun, held: [span], lost }, NOW_S);
    const believed = { from: 1_000, to: NOW_S - FEED_LAG_S - 3_600 };
    expect(kept.held).to.deep.equal([believed]);
    expect(kept.lost).to.deep.equal([{ ...believed, tries: 1, againAtS: NOW_S + 86_400 }]);
    expect(kept.open, 'what the feed had when it began is not known').to.deep.equal([]);
    expect(missingTrades(kept, { from: 1_000, to: NOW_S })).to.deep.equal([{ from: believed.to + 1, to: NOW_S }]);
  });

  it('gives up but the last seconds where the clock was set back a little', () => {
    const held = [{ from: 1_000, to: NOW_S - FEED_LAG_S }];
    expect(readCoverage({ ...EMPTY, held }, NOW_S - 5).held).to.deep.equal([
      { from: 1_000, to: NOW_S - 5 - FEED_LAG_S },
    ]);
  });

  it('begins anew where what was kept cannot be read', () => {
    for (const stored of [null, 7, {}, { held: 'all' }]) expect(readCoverage(stored, NOW_S)).to.deep.equal(EMPTY);
    const coverage = wantSpan(EMPTY, { from: 1, to: 2 }, NOW_S);
    expect(readCoverage(JSON.parse(JSON.stringify(coverage)), NOW_S)).to.deep.equal(coverage);
  });
});
