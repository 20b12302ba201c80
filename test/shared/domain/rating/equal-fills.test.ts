import { expect } from 'chai';
import fc from 'fast-check';
import { continueNumbers, endOf, numberEqualFills, type PageEnd } from '#domain/rating/equal-fills';
import type { Fill } from '#domain/rating/fill';
import { hex64, tradeNumber } from '#test/support/trade-rows';

/** Newest first: transactions of some fills, several of which may be equal; now and then without a hash. */
const reading = fc
  .array(fc.tuple(fc.boolean(), fc.array(fc.nat(2), { minLength: 1, maxLength: 6 })), { maxLength: 12 })
  .map((transactions) =>
    transactions.flatMap(([hasHash, kinds], n) =>
      kinds.map((kind): Fill => ({ ...tradeNumber(kind, 1_780_000_000 - n), tx: hasHash ? hex64(n + 1) : '' })),
    ),
  );

/** Reads it by pages of these sizes, which come again and again. */
function inPages(fills: readonly Fill[], sizes: readonly number[]): readonly Fill[] {
  const read: Fill[] = [];
  let end: PageEnd | null = null;
  for (let at = 0, page = 0; at < fills.length; page++) {
    const size = sizes[page % sizes.length]!;
    const listed = numberEqualFills(fills.slice(at, at + size));
    const numbered: readonly Fill[] = end === null ? listed : continueNumbers(listed, end);
    end = JSON.parse(JSON.stringify(endOf(numbered, end))) as PageEnd | null;
    read.push(...numbered);
    at += size;
  }
  return read;
}

describe('equal fills of a reading', () => {
  it('have the same numbers whatever pages they come in', () => {
    fc.assert(
      fc.property(reading, fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 4 }), (fills, sizes) => {
        expect(inPages(fills, sizes)).to.deep.equal(numberEqualFills(fills));
      }),
    );
  });

  it('are as many fills as there were rows', () => {
    fc.assert(
      fc.property(reading, (fills) => {
        const texts = numberEqualFills(fills).map((fill) => JSON.stringify(fill));
        expect(new Set(texts).size).to.equal(fills.length);
      }),
    );
  });
});
