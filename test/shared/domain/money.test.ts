import { expect } from 'chai';
import fc from 'fast-check';
import { divideDown, divideRounded, divideSafe, multiplyDivideDown } from '#domain/money';
import { Doubles } from '#domain/order/doubles';
import { COVERING_RUNS, PROPERTY_RUNS } from '#test/support/size';

const check = (property: fc.IPropertyWithHooks<[number, number]>) => fc.assert(property, { numRuns: PROPERTY_RUNS });

const safe = fc.maxSafeNat();
const divisor = fc.oneof(
  fc.integer({ min: 1, max: 1_000 }),
  fc.maxSafeNat().map((n) => n + 1),
);

/**
 * Quotients on a half or a whole number, or so near to it that a double may show the other side.
 */
const nearHalves = fc
  .tuple(fc.integer({ min: 1, max: 2 ** 40 }), fc.integer({ min: 1, max: 2 ** 30 }), fc.integer({ min: -2, max: 2 }))
  .map(([halves, half, off]) => [BigInt(halves) * BigInt(half) + BigInt(off), BigInt(half) * 2n] as const)
  // What is asked of them is promised above zero; one times one, less two, is below.
  .filter(([n]) => n > 0n);

describe('whole quotients', () => {
  it('of safe integers are rounded as those of bigints', () => {
    check(
      fc.property(safe, divisor, (n, d) => {
        expect(divideSafe(n, d)).to.equal(Number(divideRounded(BigInt(n), BigInt(d))));
        expect(divideDown(n, d)).to.equal(Number(BigInt(n) / BigInt(d)));
      }),
    );
  });

  it('of safe integers on either side of a half go down below it, and up from it', () => {
    for (const d of [200, 2_000_000, 100_000_000]) {
      const half = Math.floor(Number.MAX_SAFE_INTEGER / d - 1) * d + d / 2;
      expect([half - 1, half, half + 1].map((n) => divideSafe(n, d) - divideDown(n, d))).to.deep.equal([0, 1, 1]);
    }
  });

  it('of products that are not safe are cut as those of bigints, also beside a whole number', () => {
    const safe = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
    const expectCut = (a: number, b: number, divisor: number) => {
      const right = (BigInt(a) * BigInt(b)) / BigInt(divisor);
      if (right < 2n ** 50n)
        expect(multiplyDivideDown(a, b, divisor), `${a} x ${b} / ${divisor}`).to.equal(Number(right));
    };
    const parts = fc.tuple(safe, fc.integer({ min: 1, max: 2.5e13 }), fc.integer({ min: 1, max: 9_999 }));
    fc.assert(
      fc.property(
        parts,
        fc.integer({ min: 1, max: 1e12 }),
        fc.integer({ min: -2, max: 2 }),
        ([a, b, ticks], whole, off) => {
          for (const divisor of [1e15, ticks * 1e15]) {
            expectCut(a, b, divisor);
            // The size whose product lies as near to a whole number of the divisor as can be.
            const near = Number((BigInt(whole) * BigInt(divisor)) / BigInt(b)) + off;
            if (near >= 0 && Number.isSafeInteger(near)) expectCut(near, b, divisor);
          }
        },
      ),
      { numRuns: PROPERTY_RUNS },
    );
  });

  it('computed in doubles are right or uncertain, also beside a half', () => {
    let certain = 0;
    fc.assert(
      fc.property(nearHalves, ([n, d]) => {
        // Two roundings where the numerator is no double, and one more.
        const quotient = Number(n) / Number(d);
        const [rounding, flooring] = [new Doubles(), new Doubles()];
        const rounded = rounding.round(quotient, 3);
        const floored = flooring.floor(quotient, 3);
        if (rounding.certain) expect(rounded).to.equal(Number(divideRounded(n, d)));
        if (flooring.certain) expect(floored).to.equal(Number(n / d));
        if (rounding.certain || flooring.certain) certain++;
      }),
      { numRuns: COVERING_RUNS },
    );
    expect(certain).to.be.above(COVERING_RUNS / 20);
  });
});
