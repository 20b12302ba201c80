import { expect } from 'chai';
import { Ladder } from '#domain/book/ladder';
import type { FeeSchedule } from '#domain/market';
import { exact } from '#domain/order/exact';

const USD = 1_000_000;

const schedule = (rate: number, exponent = 1): FeeSchedule => ({ rate, exponent, category: 'other', known: true });

/** Returns the asks of these prices in ticks and sizes in micro-shares, best first. */
function asksOf(...levels: readonly (readonly [ticks: number, sizeMicros: number])[]): Ladder {
  const asks = new Ladder('asks');
  for (const [ticks, sizeMicros] of levels) asks.set(ticks, sizeMicros);
  return asks;
}

/** Returns the fee of an order of so much, or of one that takes all levels. */
function feeOf(asks: Ladder, fee: FeeSchedule, usdMicros = 1_000_000 * USD) {
  const { feeE5, feePerShareMicros } = exact.fill(asks, usdMicros, fee);
  return { feeE5, feePerShareMicros };
}

describe('taker fee, to the fifth decimal, where a half goes up', () => {
  // 4 % of p(1-p) at one half are a cent a share, so 500 micro-shares are half of 1e-5 USD.
  const CENT_A_SHARE = schedule(0.04);

  for (const [sizeMicros, feeE5] of [
    [499, 0],
    [500, 1],
    [1_499, 1],
    [1_500, 2],
    [2_500, 3],
    [3_500, 4],
    [100_000_000, 100_000],
  ] as const) {
    it(`is ${feeE5}e-5 USD for ${sizeMicros} micro-shares at a cent a share`, () => {
      expect(feeOf(asksOf([5_000, sizeMicros]), CENT_A_SHARE)).to.deep.equal({ feeE5, feePerShareMicros: 10_000 });
    });
  }

  it('is rounded once for all levels together', () => {
    // 0.16 x 5 % are 0.008 USD a share: 0.6e-5 USD each, and 1.2e-5 USD together.
    expect(feeOf(asksOf([2_000, 750], [8_000, 750]), schedule(0.05))).to.deep.equal({
      feeE5: 1,
      feePerShareMicros: 8_000,
    });
  });

  it('goes up from a half of a micro-USD a share, too', () => {
    // 0.005 x 0.995 x 2 % are 99.5 micro-USD; 0.005 x 0.995 x 2.1 % are 104.475.
    expect(feeOf(asksOf([50, 1_000_000]), schedule(0.02)).feePerShareMicros).to.equal(100);
    expect(feeOf(asksOf([50, 1_000_000]), schedule(0.021)).feePerShareMicros).to.equal(104);
  });

  it('counts the level that is taken in part by what is taken of it', () => {
    // 25 USD of 100 at one half: 50 shares at a cent each.
    const asks = asksOf([5_000, 200_000_000]);
    expect(feeOf(asks, CENT_A_SHARE, 25 * USD)).to.deep.equal({
      feeE5: 50_000,
      feePerShareMicros: 10_000,
    });
    // 2.5e-4 USD: 500 micro-shares, the half again.
    expect(feeOf(asks, CENT_A_SHARE, 250)).to.deep.equal({ feeE5: 1, feePerShareMicros: 10_000 });
  });

  it('raises the curve to the power of the market', () => {
    // 25 % of (1/4)^2 are 0.015625 USD a share; 640 micro-shares are 1e-5 USD, 320 the half of it.
    for (const [sizeMicros, feeE5] of [
      [319, 0],
      [320, 1],
      [960, 2],
    ] as const) {
      expect(feeOf(asksOf([5_000, sizeMicros]), schedule(0.25, 2))).to.deep.equal({ feeE5, feePerShareMicros: 15_625 });
    }
  });
});
