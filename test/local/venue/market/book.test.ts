import { expect } from 'chai';
import fc from 'fast-check';
import type { Side } from '#domain/market';
import { distorted } from '#local/venue/market/book-view';
import { fillFirstBook } from '#local/venue/market/first-book';
import { Ladder } from '#local/venue/market/ladder';
import { idsFromSlug } from '#local/venue/market/live-market';
import { USUAL_SHAPE } from '#local/venue/market/market-spec';
import { matchTaker } from '#local/venue/market/matching';
import { MirrorBook } from '#local/venue/market/mirror-book';
import { seededRandom } from '#local/venue/market/seeded-random';

const side = fc.constantFrom<Side>('BUY', 'SELL');
const change = fc.record({
  side,
  priceTicks: fc.integer({ min: 1, max: 40 }),
  sizeMicros: fc.integer({ min: 0, max: 3 }),
});

function bookFrom(seed: number): MirrorBook {
  const book = new MirrorBook(idsFromSlug('any'), false, '0.01', 0);
  fillFirstBook(book, USUAL_SHAPE, seededRandom(seed));
  return book;
}

function total(book: MirrorBook, of: Side): number {
  return book.ladder.side(of).reduce((sum, level) => sum + level.sizeMicros, 0);
}

describe('local venue: its books', () => {
  it('keeps a ladder as a sorted map would, whatever is set and removed', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 60 }), (changes) => {
        const ladder = new Ladder();
        const map = { BUY: new Map<number, number>(), SELL: new Map<number, number>() };
        for (const { side: on, priceTicks, sizeMicros } of changes) {
          ladder.set(on, priceTicks, sizeMicros);
          if (sizeMicros === 0) map[on].delete(priceTicks);
          else map[on].set(priceTicks, sizeMicros);
        }
        const ascending = (on: Side) => [...map[on]].sort(([a], [b]) => a - b);
        const held = (on: Side) => ladder.side(on).map((level) => [level.priceTicks, level.sizeMicros]);
        expect(held('BUY')).to.deep.equal(ascending('BUY'));
        expect(held('SELL')).to.deep.equal(ascending('SELL').reverse());
      }),
    );
  });

  it('gives a taker the best prices first, no more than it asked for, and loses no share', () => {
    fc.assert(
      fc.property(
        fc.nat(),
        side,
        fc.integer({ min: 1, max: 50_000 }),
        fc.integer({ min: 1, max: 60 }),
        (seed, eats, shares, levelsMax) => {
          const book = bookFrom(seed);
          const before = total(book, eats);
          const fills = matchTaker(book, { eats, sizeMicros: shares * 1_000_000, levelsMax, restRemains: false });
          const filled = fills.reduce((sum, fill) => sum + fill.sizeMicros, 0);
          const prices = fills.map((fill) => fill.priceTicks);
          expect(filled).to.be.at.most(shares * 1_000_000);
          expect(total(book, eats)).to.equal(before - filled);
          expect(book.ladder.side(eats).length).to.be.at.least(1);
          expect(prices).to.deep.equal(prices.toSorted((a, b) => (eats === 'SELL' ? a - b : b - a)));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('never leaves a crossed book behind, also where the rest of an order stays', () => {
    fc.assert(
      fc.property(fc.nat(), side, fc.integer({ min: 1, max: 90_000 }), (seed, eats, shares) => {
        const book = bookFrom(seed);
        matchTaker(book, { eats, sizeMicros: shares * 1_000_000, levelsMax: 3, restRemains: true });
        expect(book.ladder.best('BUY')?.priceTicks).to.be.below(book.ladder.best('SELL')?.priceTicks ?? 0);
      }),
      { numRuns: 60 },
    );
  });

  it('crosses any book on demand, even an empty one', () => {
    const empty = new MirrorBook(idsFromSlug('any'), false, '0.01', 0).view(0);
    for (const view of [empty, bookFrom(1).view(0), bookFrom(1).view(1)]) {
      const crossed = distorted(view, 'crossed');
      expect(crossed.bidsAscending.at(-1)?.priceTicks).to.be.at.least(
        crossed.asksDescending.at(-1)?.priceTicks ?? 10_001,
      );
    }
  });

  it('rolls the same dice for the same seed', () => {
    const rolls = (seed: number) => Array.from({ length: 5 }, seededRandom(seed).next);
    expect(rolls(1)).to.deep.equal(rolls(1));
    expect(rolls(1)).to.not.deep.equal(rolls(2));
    for (const roll of rolls(99)) expect(roll).to.be.within(0, 1);
  });
});
