import { expect } from 'chai';
import fc from 'fast-check';
import { formatScaled, parsePriceTicks, parseScaled, parseSizeMicros } from '#domain/decimal';
import { PROPERTY_RUNS } from '#test/support/size';

/**
 * The same rule, said slowly: a plain decimal of at most 15 and 18 digits, without significant
 * digits beyond `places`.
 */
function parseSlowly(text: string, places: number): number | null {
  const match = /^(\d{0,15})(?:\.(\d{0,18}))?$/.exec(text);
  const fraction = match?.[2] ?? '';
  if (match === null || `${match[1]}${fraction}` === '' || /[1-9]/.test(fraction.slice(places))) return null;
  const units = BigInt(`${match[1]}${fraction.slice(0, places).padEnd(places, '0')}` || '0');
  return units <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(units) : null;
}

describe('decimal texts of the venue', () => {
  it('reads what the venue writes', () => {
    expect(parsePriceTicks('0.48')).to.equal(4_800);
    expect(parsePriceTicks('.48')).to.equal(4_800);
    expect(parsePriceTicks('0.490')).to.equal(4_900);
    expect(parsePriceTicks('1')).to.equal(10_000);
    expect(parsePriceTicks('0.0001')).to.equal(1);
    expect(parseSizeMicros('5579792.8')).to.equal(5_579_792_800_000);
    expect(parseSizeMicros('0')).to.equal(0);
    expect(parseSizeMicros('5.')).to.equal(5_000_000);
  });

  it('refuses what is no plain decimal, what is finer than the unit and what is too large to be exact', () => {
    for (const text of ['', '.', '-1', '+1', '1e3', ' 1', '1 ', '1,5', '1.2.3', '..', 'NaN', 'Infinity', '0x1', '١']) {
      expect(parseScaled(text, 6), text).to.equal(null);
    }
    expect(parsePriceTicks('0.00001')).to.equal(null);
    expect(parsePriceTicks('0.12340')).to.equal(1_234);
    expect(parseSizeMicros('9007199254.740991')).to.equal(Number.MAX_SAFE_INTEGER);
    expect(parseSizeMicros('9007199254.740992')).to.equal(null);
    expect(parseScaled('1234567890123456', 0)).to.equal(null);
  });

  it('agrees with the same rule said slowly, on any text', () => {
    const digitsAndDots = fc.string({ unit: fc.constantFrom(...'0123456789000.'), maxLength: 24 });
    fc.assert(
      fc.property(fc.oneof(digitsAndDots, fc.string()), fc.constantFrom(0, 2, 4, 6), (text, places) => {
        expect(parseScaled(text, places)).to.equal(parseSlowly(text, places));
      }),
      { numRuns: PROPERTY_RUNS / 2 },
    );
  });

  it('reads back what it writes, in the shortest form', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), fc.constantFrom(4, 6), (units, places) => {
        const text = formatScaled(units, places);
        expect(parseScaled(text, places)).to.equal(units);
        expect(text).to.not.match(/\.$|\.\d*0$/);
      }),
    );
  });
});
