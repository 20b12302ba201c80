import { expect } from 'chai';
import fc from 'fast-check';
import { decimalText } from '#domain/decimal-text';
import { PROPERTY_RUNS } from '#test/support/size';

const decimals = fc
  .tuple(fc.nat(Number.MAX_SAFE_INTEGER), fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 15 }))
  .map(([units, places, digits]) => (units % 10 ** digits) / 10 ** places);
const edges = [0, -0, 1e-6, 1e-7, 0.1 + 0.2, 0.9999995, 1e9, 1e21, 999_999_999.999999, 5e-324, Number.NaN, -1.5];

describe('the text of a decimal', () => {
  it('is that of the number, whatever number it is', () => {
    for (const value of [...edges, Number.POSITIVE_INFINITY]) expect(decimalText(value)).to.equal(String(value));
    fc.assert(
      fc.property(fc.oneof(decimals, fc.double()), (value) => decimalText(value) === String(value)),
      { numRuns: PROPERTY_RUNS },
    );
  });
});
