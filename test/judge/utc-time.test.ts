import { expect } from 'chai';
import fc from 'fast-check';
import { toUtcText } from '#judge/utc-time';

describe('the text of a moment', () => {
  it('is what Date writes, whatever moments came before', () => {
    const moment = fc.oneof(
      fc.double({ min: 0, max: 253_402_300_799_999, noNaN: true }),
      fc.integer({ min: 1_780_000_000_000, max: 1_780_000_300_000 }),
    );
    fc.assert(
      fc.property(moment, (timeMs) => {
        expect(toUtcText(timeMs)).to.equal(new Date(timeMs).toISOString());
      }),
      { numRuns: 5_000 },
    );
  });
});
