import { expect } from 'chai';
import fc from 'fast-check';
import { OpenNumbers } from '#services/credits/open-numbers';
import { PROPERTY_RUNS } from '#test/support/size';

describe('numbers that are under way', () => {
  it('are those of a set, in whatever order they end', () => {
    const step = fc.oneof(fc.constant('begin' as const), fc.nat(60));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const numbers = new OpenNumbers();
        const model = new Set<number>();
        let begun = 0;
        for (const one of steps) {
          if (one === 'begin') {
            expect(numbers.begin()).to.equal(begun);
            model.add(begun++);
          } else {
            numbers.end(one);
            model.delete(one);
          }
          for (let number = -1; number <= begun; number++) expect(numbers.has(number)).to.equal(model.has(number));
        }
      }),
      { numRuns: PROPERTY_RUNS },
    );
  });

  it('take no more places than twice those since the oldest one, and none where none is under way', () => {
    const numbers = new OpenNumbers();
    for (let number = 0; number < 100_000; number++) {
      numbers.begin();
      if (number >= 64) numbers.end(number - 64);
      expect(numbers.slots).to.be.at.most(64 + 1_000 + 65);
    }
    for (let number = 100_000 - 64; number < 100_000; number++) numbers.end(number);
    expect(numbers.slots).to.equal(0);
    expect(numbers.begin()).to.equal(100_000);
  });

  it('are still known after one that took long', () => {
    const numbers = new OpenNumbers();
    const slow = numbers.begin();
    for (let number = 1; number < 5_000; number++) {
      numbers.begin();
      if (number % 100 !== 0) numbers.end(number);
    }
    numbers.end(slow);
    expect(numbers.has(slow)).to.equal(false);
    for (let number = 1; number < 5_000; number++) expect(numbers.has(number)).to.equal(number % 100 === 0);
  });
});
