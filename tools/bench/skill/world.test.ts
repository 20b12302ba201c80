import { expect } from 'chai';
import fc from 'fast-check';
import { seededRandom } from '#local/venue/market/seeded-random';
import { AS_OF_S } from './calendar.js';
import { Calibration } from './calibration.js';
import { normalCdf } from './normal.js';
import { poissonInterval } from './poisson.js';
import { byDateTicks, drawByDates, PATH_TICKS } from './price-paths.js';
import { makeWorld, type World } from './world.js';
import { conditionOf } from './world-ids.js';

const SEEDS = [1, 2];
const EVENTS_PER_DAY = 40;
/** Four standard errors: one decile in 16,000 is beyond by chance, and the seeds are fixed. */
const Z_MAX = 4;

describe('generated world', () => {
  let worlds: readonly World[];
  let world: World;
  before(() => {
    worlds = SEEDS.map((seed) => makeWorld(seed, 'open', EVENTS_PER_DAY));
    world = worlds[0]!;
  });

  it('has prices that come true as often as they say, in every tenth', () => {
    const calibration = new Calibration();
    for (const [i, each] of worlds.entries()) calibration.add(each, SEEDS[i]!);
    for (const { z, prices, meanPrice, wonShare } of calibration.deciles()) {
      expect(prices).to.be.above(1_000);
      expect(Math.abs(z)).to.be.below(Z_MAX);
      expect(wonShare).to.be.closeTo(meanPrice, 0.05);
    }
  });

  it('has by-date prices that come true, although their markets end early when they do', () => {
    const dice = seededRandom(1);
    for (const part of [0, 0.3, 0.6, 0.9]) {
      const open = Array.from({ length: 20_000 }, () => drawByDates(dice, 1)[0]!).filter(
        ({ happensAt }) => happensAt > part,
      );
      const prices = open.map(({ chance }) => byDateTicks(chance, part) / PATH_TICKS);
      const won = open.map(({ happensAt }) => (happensAt < 1 ? 1 : 0));
      expect(mean(won)).to.be.closeTo(mean(prices), 4 * Math.sqrt(0.25 / open.length));
    }
  });

  it('settles YES of by-date markets before their scheduled end, and nothing else', () => {
    const byDate = new Set(byDateMarkets(world));
    for (let market = 0; market < world.marketCount; market++) {
      const { resolvedAtS, scheduledEndS } = world.markets.get(conditionOf(market))!;
      if (resolvedAtS! >= scheduledEndS!) continue;
      expect(byDate.has(market) && world.winners[market] === 0).to.equal(true);
    }
  });

  it('lets markets of one event end alike, and those of different events not', () => {
    const yes = (market: number) => (world.winners[market] === 0 ? 1 : -1);
    const brownian = world.events.filter(({ byDate, markets }) => !byDate && markets > 1);
    const siblings = brownian.map(({ firstMarket }) => yes(firstMarket) * yes(firstMarket + 1));
    const strangers = brownian.slice(1).map(({ firstMarket }, i) => yes(firstMarket) * yes(brownian[i]!.firstMarket));
    // Signs of two normal numbers with correlation 0.5 agree in two of three cases: 2/3 - 1/3.
    expect(mean(siblings)).to.be.closeTo(1 / 3, 0.06);
    expect(mean(strangers)).to.be.closeTo(0, 0.06);
  });

  it('is the same for the same seed, and another for another', () => {
    const [one, again, other] = [7, 7, 8].map((seed) => makeWorld(seed, 'open', 2));
    expect([...again!.markets.values()]).to.deep.equal([...one!.markets.values()]);
    const prices = ({ yesPriceMicros, marketCount }: World) =>
      Array.from({ length: marketCount }, (_, market) => yesPriceMicros(market, 0.5));
    expect(prices(again!)).to.deep.equal(prices(one!));
    expect(prices(other!)).to.not.deep.equal(prices(one!));
  });

  it('goes on after the moment of the rating', () => {
    const ends = world.events.map(({ startS, lifeS }) => startS + lifeS);
    expect(ends.filter((endS) => endS > AS_OF_S).length).to.be.above(world.events.length / 5);
  });
});

describe('statistics of the benchmark', () => {
  it('knows the normal distribution to the digits of its tables', () => {
    for (const [x, chance] of [
      [0, 0.5],
      [1, 0.8413447],
      [-1.959964, 0.025],
      [2.575829, 0.995],
      [-4, 0.0000317],
    ] as const) {
      expect(normalCdf(x)).to.be.closeTo(chance, 2e-7);
    }
  });

  it('knows the exact intervals of small counts', () => {
    for (const [count, low, high] of [
      [0, 0, 3.6889],
      [1, 0.0253, 5.5716],
      [5, 1.6235, 11.6683],
      [10, 4.7954, 18.3904],
      [100, 81.364, 121.6268],
    ] as const) {
      const [least, most] = poissonInterval(count);
      expect(least).to.be.closeTo(low, 1e-4);
      expect(most).to.be.closeTo(high, 1e-4);
    }
  });

  it('has intervals that hold their count and grow with it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 3_000 }), (count) => {
        const [low, high] = poissonInterval(count);
        const [nextLow, nextHigh] = poissonInterval(count + 1);
        return low <= count && count < high && low < nextLow && high < nextHigh;
      }),
      { numRuns: 30 },
    );
  });
});

function byDateMarkets(world: World): readonly number[] {
  return world.events.flatMap(({ byDate, firstMarket, markets }) =>
    byDate ? Array.from({ length: markets }, (_, i) => firstMarket + i) : [],
  );
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
