import { expect } from 'chai';
import { parseCondition } from '#domain/ids';

const hex = (digits: number) => 'Ab'.repeat(digits / 2);

describe('the form of a condition id', () => {
  const rows: readonly (readonly [string, string, boolean])[] = [
    ['32 bytes, of the first protocol', `0x${hex(64)}`, true],
    ['31 bytes, of the second', `0x${hex(62)}`, true],
    ['30 bytes', `0x${hex(60)}`, false],
    ['33 bytes', `0x${hex(66)}`, false],
    ['half a byte too few', `0x${hex(64).slice(1)}`, false],
    ['no 0x', hex(64), false],
    ['what is no digit', `0x${hex(62)}zz`, false],
    ['something behind it', `0x${hex(64)}\n`, false],
    ['nothing', '', false],
  ];
  for (const [what, text, isOne] of rows) {
    it(`${what}: ${isOne ? 'taken, in lower case' : 'none'}`, () => {
      expect(parseCondition(text)).to.equal(isOne ? text.toLowerCase() : null);
    });
  }
});
