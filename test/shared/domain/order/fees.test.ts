import { expect } from 'chai';
import { Ladder } from '#domain/book/ladder';
import type { FeeSchedule } from '#domain/market';
import { exact } from '#domain/order/exact';
import { feePower, feePowerScale } from '#domain/order/fee-power';
import type { Rules } from '#domain/order/rules';

const USD = 1_000_000;

const schedule = (rate: number, exponent = 1): FeeSchedule => ({ rate, exponent, category: 'other', known: true });

/** Returns the asks of these prices in ticks and sizes in micro-shares, best first. */
function asksOf(...levels: readonly (readonly [ticks: number, sizeMicros: number])[]): Ladder {
  const asks = new Ladder('asks');
  for (const [ticks, sizeMicros] of levels) asks.set(ticks, sizeMicros);
  return asks;
}

/** Returns the fee of an order of so much, or of one that takes all levels. */
function feeOf(asks: Ladder, fee: FeeSchedule, usdMicros = 1_000_000 * USD, rules: Rules = 2) {
  const { feeE5, feePerShareMicros } = exact.fill(asks, usdMicros, fee, rules);
  return { feeE5, feePerShareMicros };
}

// 4 % of p(1-p) at one half are a cent a share, so 500 micro-shares are half of 1e-5 USD.
const CENT_A_SHARE = schedule(0.04);

describe('taker fee, of which the venue cuts what is below the fifth decimal', () => {
  for (const [sizeMicros, feeE5] of [
    [499, 0],
    [999, 0],
    [1_000, 1],
    [1_999, 1],
    [2_000, 2],
    [100_000_000, 100_000],
  ] as const) {
    it(`is ${feeE5}e-5 USD for ${sizeMicros} micro-shares at a cent a share`, () => {
      expect(feeOf(asksOf([5_000, sizeMicros]), CENT_A_SHARE)).to.deep.equal({ feeE5, feePerShareMicros: 10_000 });
    });
  }

  it('is cut at each level, which is a fill of its own', () => {
    // 0.16 x 5 % are 0.008 USD a share: 1.6e-5 USD each, which are 1e-5 twice and not 3e-5 at once.
    expect(feeOf(asksOf([2_000, 2_000], [8_000, 2_000]), schedule(0.05))).to.deep.equal({
      feeE5: 2,
      feePerShareMicros: 8_000,
    });
  });

  it('goes up from a half of a micro-USD a share', () => {
    // 0.005 x 0.995 x 2 % are 99.5 micro-USD; 0.005 x 0.995 x 2.1 % are 104.475.
    expect(feeOf(asksOf([50, 1_000_000]), schedule(0.02)).feePerShareMicros).to.equal(100);
    expect(feeOf(asksOf([50, 1_000_000]), schedule(0.021)).feePerShareMicros).to.equal(104);
  });

  it('counts the level that is taken in part by what is taken of it', () => {
    // 25 USD of 100 at one half: 50 shares at a cent each.
    const asks = asksOf([5_000, 200_000_000]);
    expect(feeOf(asks, CENT_A_SHARE, 25 * USD)).to.deep.equal({ feeE5: 50_000, feePerShareMicros: 10_000 });
    // 500 micro-USD: 1000 micro-shares; a micro-USD less is cut to nothing.
    expect(feeOf(asks, CENT_A_SHARE, 500)).to.deep.equal({ feeE5: 1, feePerShareMicros: 10_000 });
    expect(feeOf(asks, CENT_A_SHARE, 499)).to.deep.equal({ feeE5: 0, feePerShareMicros: 10_000 });
  });

  it('raises the curve to the power of the market', () => {
    // 25 % of (1/4)^2 are 0.015625 USD a share; 640 micro-shares are 1e-5 USD.
    for (const [sizeMicros, feeE5] of [
      [639, 0],
      [640, 1],
      [1_920, 3],
    ] as const) {
      expect(feeOf(asksOf([5_000, sizeMicros]), schedule(0.25, 2))).to.deep.equal({ feeE5, feePerShareMicros: 15_625 });
    }
  });

  it('takes a power that is no whole one as it is', () => {
    // The root of 1/4 is a half: 5 % of it are 2.5 cents a share, 1 USD for 40 shares.
    expect(feeOf(asksOf([5_000, 40_000_000]), schedule(0.05, 0.5))).to.deep.equal({
      feeE5: 100_000,
      feePerShareMicros: 25_000,
    });
    // (0.38 x 0.62)^0.5 is 0.485386444...: 5 % of it for 10 shares are 0.242693...
    expect(feeOf(asksOf([3_800, 10_000_000]), schedule(0.05, 0.5)).feeE5).to.equal(24_269);
  });
});

describe('the powers of the curve', () => {
  const powerOf = (ticks: number, exponent: number) =>
    Number(feePower(ticks, exponent)) / Number(feePowerScale(exponent));

  it('are those of floating point to its last digits, at every price and any exponent', () => {
    for (const exponent of [0, 0.1, 0.25, 0.5, 0.75, 1, 1.37, 1.5, 2, 2.75, 3.999, 4]) {
      for (let ticks = 1; ticks < 10_000; ticks += 97) {
        const right = ((ticks * (10_000 - ticks)) / 1e8) ** exponent;
        expect(powerOf(ticks, exponent), `${ticks} ^ ${exponent}`).to.be.closeTo(right, right * 1e-13);
      }
    }
  });

  it('are exact where a root comes out', () => {
    expect(feePower(5_000, 0.5) * 2n).to.equal(feePowerScale(0.5));
    // p(1-p) at 0.2 is 0.16, whose root is 0.4.
    expect(feePower(2_000, 1.5) * 1_000n).to.equal(feePowerScale(1.5) * 64n);
  });
});

describe('taker fee by the first rules, rounded once for a whole order, a half up', () => {
  for (const [sizeMicros, feeE5] of [
    [499, 0],
    [500, 1],
    [1_499, 1],
    [1_500, 2],
    [3_500, 4],
  ] as const) {
    it(`is ${feeE5}e-5 USD for ${sizeMicros} micro-shares at a cent a share`, () => {
      expect(feeOf(asksOf([5_000, sizeMicros]), CENT_A_SHARE, USD * USD, 1).feeE5).to.equal(feeE5);
    });
  }

  it('is one sum over the levels', () => {
    // 0.6e-5 USD each, and 1.2e-5 USD together.
    expect(feeOf(asksOf([2_000, 750], [8_000, 750]), schedule(0.05), USD * USD, 1).feeE5).to.equal(1);
  });
});
