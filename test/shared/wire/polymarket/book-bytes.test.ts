import { expect } from 'chai';
import fc from 'fast-check';
import type { Level } from '#domain/book/book';
import { OrderBook } from '#domain/book/order-book';
import type { ConditionId, TokenId } from '#domain/ids';
import { PROPERTY_RUNS } from '#test/support/size';
import { heldBookHash } from '#wire/polymarket/book-bytes';
import { bookHash } from '#wire/polymarket/book-hash';

const FIELDS = { minOrderSize: '5', tickSize: '0.001', negRisk: true, lastTradePrice: '0.490' };

const level: fc.Arbitrary<Level> = fc.record({
  priceTicks: fc.integer({ min: 1, max: 9_999 }),
  // Of every length, whole and with every number of decimals, below and above what a double tells
  // apart.
  sizeMicros: fc
    .tuple(fc.integer({ min: 1, max: 999_999 }), fc.integer({ min: 0, max: 10 }))
    .map(([digits, zeros]) => Math.min(digits * 10 ** zeros, Number.MAX_SAFE_INTEGER)),
});
const side = fc.array(level, { maxLength: 12 });

function held(
  bids: readonly Level[],
  asks: readonly Level[],
  market = '0xab',
  timestampMs = 1_785_130_185_252,
): OrderBook {
  const book = new OrderBook('7' as TokenId, market as ConditionId);
  book.bids.replace(bids);
  book.asks.replace(asks);
  book.timestampMs = timestampMs;
  return book;
}

function fromText(book: OrderBook, fields = FIELDS): string | null {
  const { tokenId, conditionId, timestampMs } = book;
  const sides = { bidsAscending: book.bids.levels(), asksDescending: book.asks.levels() };
  return bookHash({ ...fields, ...sides, tokenId, conditionId, timestampMs });
}

describe('the hash of a book that is held', () => {
  it('is that of its text', () => {
    fc.assert(
      fc.property(side, side, fc.string({ unit: 'binary' }), fc.nat(), (bids, asks, text, timestampMs) => {
        const book = held(bids, asks, text, timestampMs);
        const fields = { ...FIELDS, lastTradePrice: text };
        expect(heldBookHash(book, fields)).to.equal(fromText(book, fields));
      }),
      { numRuns: PROPERTY_RUNS },
    );
  });

  it('is that of its text for sizes at every edge of their decimals', () => {
    const sizes = [
      1,
      9,
      10,
      999_999,
      1_000_000,
      1_000_001,
      10_000_000,
      999_999_999_999_999,
      1e15,
      1e15 + 1,
      9_007_199_253_999_999,
      2 ** 53 - 1,
    ];
    for (const sizeMicros of sizes) {
      const book = held([{ priceTicks: 1, sizeMicros }], [{ priceTicks: 9_990, sizeMicros }]);
      expect(heldBookHash(book, FIELDS), String(sizeMicros)).to.equal(fromText(book));
    }
  });

  it('is that of its text for books of any length, and for texts of any', () => {
    const cases: readonly [levels: number, market: string, lastTradePrice: string][] = [
      [0, 'é'.repeat(10), '0.5'],
      [3_900, '0xab', '0.5'],
      [4_100, '0xab', '0.5'],
      [9_999, '0xab', '0.5'],
      [10, 'm'.repeat(300_000), '0.5'],
      [3_900, '0xab', '5'.repeat(300_000)],
    ];
    for (const [levels, market, lastTradePrice] of cases) {
      const ladder = Array.from({ length: levels }, (_, n) => ({
        priceTicks: n + 1,
        sizeMicros: 123_456_789_012_345 - n,
      }));
      const book = held(ladder, [], market);
      const fields = { ...FIELDS, lastTradePrice };
      expect(heldBookHash(book, fields), `${levels} levels`).to.equal(fromText(book, fields));
      const both = held(ladder, ladder, market);
      expect(heldBookHash(both, fields), `${levels} levels a side`).to.equal(fromText(both, fields));
    }
  });

  it('is not known while a field that it covers is missing', () => {
    expect(heldBookHash(held([], []), { ...FIELDS, tickSize: null })).to.equal(null);
  });
});
