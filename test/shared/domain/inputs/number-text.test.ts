import { expect } from 'chai';
import fc from 'fast-check';
import { readNumber } from '#domain/inputs/number-text';

describe('a number as people give it', () => {
  for (const [text, number] of [
    ['250', 250],
    [' 0.5 ', 0.5],
    ['1e3', 1_000],
    ['.5', 0.5],
    ['-1', -1],
  ] as const) {
    it(`is ${number} in "${text}"`, () => expect(readNumber(text)).to.equal(number));
  }

  for (const text of ['', '$1000', '1,000', '1 000', '0x10', 'Infinity', 'NaN', '1e999', '1'.repeat(65), 'ten']) {
    it(`is none in "${text.slice(0, 20)}"`, () => expect(readNumber(text)).to.equal(null));
  }

  it('is the same number for everything that is one', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (n) => readNumber(String(n)) === n || n === 0),
    );
  });
});
