import { expect } from 'chai';
import fc from 'fast-check';
import { atLeast, atMost, goalTable, isMet, show, table } from './support/report.js';
import { interleave, median, medianRatio, medians, percentile } from './support/rounds.js';

describe('benchmark report', () => {
  it('aligns every column of a table in plain text, whatever the cells hold', () => {
    const cell = fc.string({ unit: 'grapheme-ascii', maxLength: 30 });
    fc.assert(
      fc.property(
        fc.array(cell, { minLength: 3, maxLength: 3 }),
        fc.array(fc.tuple(cell, cell, cell)),
        (head, rows) => {
          const widths = new Set(
            table(head, rows)
              .split('\n')
              .map((line) => line.length),
          );
          expect(widths.size).to.equal(1);
        },
      ),
    );
  });

  it('shows three digits that matter and groups thousands', () => {
    expect([0.08123, 4.567, 45.67, 1234.5, 0].map(show)).to.deep.equal(['0.081', '4.57', '45.7', '1,235', '0']);
  });

  it('calls a goal met at its very limit and not met beyond it', () => {
    expect(isMet(atLeast(3), 3)).to.equal(true);
    expect(isMet(atLeast(3), 2.99)).to.equal(false);
    expect(isMet(atMost(10), 10)).to.equal(true);
    expect(isMet(atMost(10), 10.1)).to.equal(false);
    const goalOf = (measured: number) => goalTable([{ path: 'p99', goal: atMost(10), measured, unit: 'ms' }]);
    expect(goalOf(7)).to.match(/ at most 10 ms \| +met /);
    expect(goalOf(11)).to.match(/ NOT MET /);
  });
});

describe('benchmark rounds', () => {
  it('takes the median of odd and even numbers of values, in any order', () => {
    expect(median([9, 1, 5])).to.equal(5);
    expect(median([8, 1, 2, 100])).to.equal(5);
    expect(
      medians([
        { a: 1, b: 9 },
        { a: 3, b: 7 },
        { a: 2, b: 8 },
      ]),
    ).to.deep.equal({ a: 2, b: 8 });
  });

  it('compares results of the same round, so that a slow round does not tell', () => {
    expect(medianRatio([2, 4, 200], [1, 2, 100], (value) => value)).to.equal(2);
    expect(medianRatio([1, 9, 8], [2, 3, 4], (value) => value)).to.equal(2);
  });

  it('finds the value below which a part of the values lies', () => {
    const values = Array.from({ length: 100 }, (_, i) => i + 1);
    expect([0, 0.5, 0.99, 1].map((part) => percentile(values, part))).to.deep.equal([1, 51, 100, 100]);
  });

  it('runs every variant once a round, and each as often in the wake of each of the others', async () => {
    const order: string[] = [];
    const variants = ['a', 'b', 'c'].map((name) => ({ name, run: () => order.push(name) }));
    const results = await interleave('test', variants, 6, () => undefined);
    expect(order.join('').match(/.{3}/g)).to.have.members(['abc', 'cba', 'bca', 'acb', 'cab', 'bac']);
    expect([...results.values()].map((all) => all.length)).to.deep.equal([6, 6, 6]);
  });
});
