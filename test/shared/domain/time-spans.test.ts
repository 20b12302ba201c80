import { expect } from 'chai';
import fc from 'fast-check';
import { mergeSpans, missingSpans, type Span } from '#domain/time-spans';

const spans = fc.array(
  fc
    .record({ from: fc.nat(60), length: fc.integer({ min: -1, max: 15 }) })
    .map(({ from, length }) => ({ from, to: from + length })),
);
const secondsOf = (list: readonly Span[]): number[] =>
  list.flatMap(({ from, to }) => Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i));

describe('spans of time', () => {
  it('hold the same seconds after they were merged, apart from each other, newest first', () => {
    fc.assert(
      fc.property(spans, (list) => {
        const merged = mergeSpans(list);
        expect(secondsOf(merged).toSorted((a, b) => a - b)).to.deep.equal(
          [...new Set(secondsOf(list))].toSorted((a, b) => a - b),
        );
        for (const [i, span] of merged.entries()) if (i > 0) expect(span.to).to.be.below(merged[i - 1]!.from - 1);
      }),
    );
  });

  it('are missing exactly where nothing is held', () => {
    fc.assert(
      fc.property(spans, fc.nat(80), fc.nat(30), (list, from, length) => {
        const wanted = { from, to: from + length };
        const held = new Set(secondsOf(list));
        const missing = missingSpans(wanted, list);
        expect(secondsOf(missing).toSorted((a, b) => a - b)).to.deep.equal(
          secondsOf([wanted]).filter((second) => !held.has(second)),
        );
        for (const [i, span] of missing.entries()) if (i > 0) expect(span.to).to.be.below(missing[i - 1]!.from - 1);
      }),
    );
  });
});
