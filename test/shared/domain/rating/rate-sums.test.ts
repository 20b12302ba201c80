import { expect } from 'chai';
import { edgeOf } from '#domain/rating/rate-pool';
import { rateSums } from '#domain/rating/rate-sums';
import type { RatingSums } from '#domain/rating/rating-sums';
import { AS_OF_S, CONFIG, EMPTY_POOL, poolOf, sumsOf } from '../support/tape-fixtures.js';

const rate = (changes: Partial<RatingSums>) => rateSums(sumsOf(changes), AS_OF_S, CONFIG);

const NO_POOL = {
  entries: 0,
  events: 0,
  winRate: null,
  roiSlippage: null,
  roiFee: null,
  z: null,
  standardError: null,
  ciLow: null,
  ciHigh: null,
  roiWithoutBestEvent: null,
};

describe('rateSums', () => {
  it('rounds percentages and prices to four decimals, half away from zero', () => {
    const rating = rate({
      resolved: 64,
      wins: 1,
      returnSlippageNano: 64_000n,
      returnFeeNano: -32_000n,
      firstEntries: 64,
      entryPriceMicros: 64n * 50n,
      clips: 65,
      categories: { sports: 21, politics: 43, other: 0, crypto: 0 },
    });
    expect(rating).to.deep.include({
      winRatePct: 1.5625,
      roiSlippagePct: 0.0001,
      roiFeePct: -0.0001,
      avgEntryPrice: 0.0001,
      clipsPerEntryAvg: 1.0156,
      categoryMixPct: { sports: 32.8125, politics: 67.1875, other: 0, crypto: 0 },
    });
  });

  it('hides ROI below the floor, and what cannot be told where nothing is resolved', () => {
    expect(rate({ firstEntries: 9 })).to.include({ roiSlippagePct: null, roiFeePct: null, winRatePct: 60 });
    const open = rate({ resolved: 0, wins: 0, returnSlippageNano: 0n, returnFeeNano: 0n });
    expect(open).to.include({ roiSlippagePct: null, roiFeePct: null, winRatePct: null, pending: 100 });
  });

  it('rates a wallet without entries', () => {
    const none = rate({ firstEntries: 0, resolved: 0, wins: 0, entryPriceMicros: 0n, clips: 0, markets: 0 });
    expect(none).to.include({ verdict: 'NO_COVERAGE', avgEntryPrice: null, clipsPerEntryAvg: null, bothSidesPct: 0 });
    expect(none.categoryMixPct).to.deep.equal({ sports: 0, politics: 0, other: 0, crypto: 0 });
  });

  it('shows a pool without entries as nothing, not as zero', () => {
    expect(rate({ older: EMPTY_POOL }).older).to.deep.equal(NO_POOL);
  });

  it('weighs the spread inside events half as independent, half as one bet', () => {
    // Four entries of v 1: independent 4, as one bet 16.
    const sums = { varianceNano: 4_000_000_000n, returnFeeNano: 2_000_000_000n };
    // Of the score: weights of 2 each, so 8 and 32.
    const score = { scoreNano: 3_000_000_000n, weightNano: 8_000_000_000n, eventWeightRootsAtto: 32n * 10n ** 18n };
    const pool = poolOf(4, 0n, { ...sums, ...score, events: 1, eventRootsAtto: 16n * 10n ** 18n });
    const { window } = rate({ window: pool });
    expect(window.z).to.be.closeTo(3 / Math.sqrt(20), 1e-12);
    expect(edgeOf(pool, CONFIG)?.mean).to.be.closeTo(3 / 8, 1e-12);
    expect(edgeOf(pool, CONFIG)?.low).to.be.closeTo(3 / 8 - (1.96 * Math.sqrt(20)) / 8, 1e-12);
    expect(window.standardError).to.be.closeTo(Math.sqrt(10) / 4, 1e-12);
    expect(window.ciHigh).to.be.closeTo(0.5 + (1.96 * Math.sqrt(10)) / 4, 1e-12);
  });

  it('tells no z where nothing can be weighed', () => {
    const nothing = { varianceNano: 0n, eventRootsAtto: 0n, weightNano: 0n, eventWeightRootsAtto: 0n };
    const { window } = rate({ window: poolOf(25, 1n, nothing) });
    expect(window).to.include({ z: null, standardError: 0 });
    expect(edgeOf(poolOf(25, 1n, nothing), CONFIG)).to.equal(null);
  });

  it('flags samples of the window by their size', () => {
    const sampleOf = (entries: number) => rate({ window: poolOf(entries, 1n) }).sample;
    expect([0, 34, 35, 99, 100].map(sampleOf)).to.deep.equal(['thin', 'thin', 'fair', 'fair', 'solid']);
  });

  it('tells how many more entries the interval needs to lie above zero', () => {
    const needed = (entries: number, returnFeeNano: bigint) =>
      rate({ window: poolOf(entries, returnFeeNano) }).entriesNeeded;
    // 15 % on even odds: (1.96 / 0.15) squared is 170.7.
    expect(needed(20, 3_000_000_000n)).to.equal(151);
    expect(needed(20, 20_000_000_000n), 'has enough').to.equal(0);
    expect(needed(20, 0n)).to.equal(null);
    expect(needed(20, -1n)).to.equal(null);
    expect(rate({ window: EMPTY_POOL }).entriesNeeded).to.equal(null);
    expect(needed(20, 1n), 'more than can be counted').to.equal(Number.MAX_SAFE_INTEGER);
  });
});
