import { expect } from 'chai';
import fc from 'fast-check';
import type { Side } from '#domain/market';
import { feePower, feePowerScale } from '#domain/order/fee-power';
import { breakEvenTicks, type ToBreakEven } from '#domain/plan/break-even';
import { PROPERTY_RUNS } from '#test/support/size';

/** The same by the exact fee of each price, from the price of the entry on. */
function byExactFees({ exitSide, sharesMicros, usdMicros, fee, tickTicks }: ToBreakEven): number | null {
  const isSell = exitSide === 'SELL';
  const even = Number((usdMicros * 10_000n) / sharesMicros);
  const grid = Array.from({ length: 10_000 / tickTicks - 1 }, (_, n) => (n + 1) * tickTicks);
  const onWay = isSell
    ? grid.filter((ticks) => ticks > even - tickTicks || ticks === grid.at(-1))
    : grid.filter((ticks) => ticks < even + tickTicks || ticks === grid[0]).reverse();
  const found = onWay.find((ticks) => {
    const gross = (sharesMicros * BigInt(ticks)) / 10_000n;
    const rate = BigInt(Math.round(fee.rate * 1e6));
    const micros = (sharesMicros * rate * feePower(ticks, fee.exponent)) / (feePowerScale(fee.exponent) * 1_000_000n);
    const feeMicros = (micros / 10n) * 10n;
    return isSell ? gross - feeMicros >= usdMicros : gross + feeMicros <= usdMicros;
  });
  return found ?? null;
}

const amount = fc
  .tuple(fc.integer({ min: 1, max: 9_999 }), fc.integer({ min: 0, max: 12 }))
  .map(([digits, zeros]) => BigInt(digits) * 10n ** BigInt(zeros));
const position: fc.Arbitrary<ToBreakEven> = fc
  .record({
    exitSide: fc.constantFrom<Side>('BUY', 'SELL'),
    sharesMicros: amount,
    part: fc.double({ min: 0, max: 1.1, noNaN: true }),
    fee: fc.record({
      rate: fc.constantFrom(0, 0.03, 0.07, 0.25, 0.9, 1),
      exponent: fc.constantFrom(0, 0.05, 0.5, 1, 1.7, 2),
      category: fc.constant('test'),
      known: fc.constant(true),
    }),
    tickTicks: fc.constantFrom(1_000, 100),
  })
  .map(({ part, ...rest }) => ({ ...rest, usdMicros: BigInt(Math.floor(Number(rest.sharesMicros) * part)) }));

describe('the price that breaks even', () => {
  it('is that of exact fees, of dust and of a whale, on any curve', () => {
    fc.assert(
      fc.property(position, (one) => {
        expect(breakEvenTicks(one)).to.equal(byExactFees(one));
      }),
      { numRuns: PROPERTY_RUNS },
    );
  });

  it('is none where a fee takes all, whatever the exponent', () => {
    const fee = { rate: 0.9, exponent: 0.05, category: 'test', known: true };
    const rest = { exitSide: 'SELL', sharesMicros: 10n ** 12n, usdMicros: 10n ** 12n - 1n, tickTicks: 1 } as const;
    expect(breakEvenTicks({ ...rest, fee })).to.equal(null);
  });
});
