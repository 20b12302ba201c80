import { expect } from 'chai';
import fc from 'fast-check';
import { RATING_CONFIG } from '#domain/rating/rating-config';
import { sumWallet } from '#domain/rating/sum-wallet';
import { AS_OF_S, DAY_S, LAST_MONTH_S, TAPE_END_S, TAPE_START_S } from './calendar.js';
import { messyFills, tidyFills, walletAddress } from './entry-fills.js';
import { copierReturn, forwardOf } from './ground-truth.js';
import { acceptanceOf, winChance } from './plant-edge.js';
import { BY_DATE_BUYERS, POPULATIONS, type Population, populationOf, withoutSkill } from './populations.js';
import { rateEntries, rateOnBoards } from './rate-world.js';
import { placeboDice, placeboMarkets } from './redraw-markets.js';
import { type Entry, entriesOf } from './wallet-entries.js';
import { makeWorld, type World } from './world.js';

const SEED = 5;
const named = (name: string): Population => POPULATIONS.find((population) => population.name === name)!;

describe('generated wallets', () => {
  let world: World;
  before(() => {
    world = makeWorld(SEED, 'open', 40);
  });

  const entriesOfMany = (population: Population, wallets: number): readonly Entry[] =>
    Array.from({ length: wallets }, (_, wallet) => entriesOf(world, population, SEED, wallet)).flat();
  const isWon = ({ market, outcome }: Entry) => world.winners[market] === outcome;

  it('come in the shares of their populations, also when they are few', () => {
    for (const wallets of [1_000, 20_000]) {
      const counts = new Map<string, number>();
      for (let wallet = 0; wallet < wallets; wallet++) {
        const { name } = populationOf(wallet);
        counts.set(name, (counts.get(name) ?? 0) + 1);
      }
      for (const { name, share } of POPULATIONS) expect(counts.get(name)).to.be.closeTo(share * wallets, 3);
    }
    expect(POPULATIONS.reduce((sum, { share }) => sum + share, 0)).to.be.closeTo(1, 1e-9);
  });

  for (const population of POPULATIONS.filter(({ edgeUntilS }) => edgeUntilS === undefined)) {
    it(`win as often as the edge of "${population.name}" says`, () => {
      const entries = entriesOfMany({ ...population, entriesMedian: 60 }, 60);
      expect(entries.length).to.be.above(4_000);
      const surprise = zOf(entries.map((entry) => [entry.winChance, isWon(entry)]));
      // Entries share markets and siblings, so they are not quite independent.
      expect(Math.abs(surprise)).to.be.below(6);
      const middle = entries.filter(({ priceMicros }) => priceMicros > 1e5 && priceMicros < 8e5);
      if (population.edgeMicros === 0 || middle.length === 0) return;
      const [chances, prices] = [
        middle.map((entry) => entry.winChance),
        middle.map((entry) => entry.priceMicros / 1e6),
      ];
      // Hedges buy the other side, whose chance is lower by as much.
      const hedged = 1 - 2 * 0.05;
      const edge = mean(chances) - mean(prices);
      expect(edge / (population.edgeMicros / 1e6)).to.be.within(hedged - 0.1, 1.02);
    });
  }

  it('hedge with the chances that their first purchase has left', () => {
    const entries = entriesOfMany({ ...named('skilled +15c'), entriesMedian: 100 }, 100);
    const hedges = entries.filter(({ market, outcome }, i) => {
      const before = entries[i - 1];
      return before !== undefined && before.market === market && before.outcome !== outcome;
    });
    expect(hedges.length).to.be.above(400);
    expect(Math.abs(zOf(hedges.map((entry) => [entry.winChance, isWon(entry)])))).to.be.below(4);
  });

  it('lose their skill with the last month where they are meant to', () => {
    const entries = entriesOfMany(named('decayed (+12c)'), 60);
    const edgeOf = (some: readonly Entry[]) =>
      mean(some.map((entry) => entry.winChance)) - mean(some.map((entry) => entry.priceMicros / 1e6));
    expect(edgeOf(entries.filter(({ timeS }) => timeS < LAST_MONTH_S))).to.be.above(0.08);
    // Late hedges of early entries still know what those knew.
    expect(edgeOf(entries.filter(({ timeS }) => timeS >= LAST_MONTH_S))).to.be.closeTo(0, 2e-3);
  });

  it('keep their habits: prices, sides, events', () => {
    expect(
      entriesOfMany(named('near certain'), 20).filter(({ priceMicros }) => priceMicros < 9e5),
    ).to.have.lengthOf.below(60);
    const both = entriesOf(world, named('both sides'), SEED, 3);
    expect(new Set(both.map(({ market }) => market)).size).to.be.at.most(Math.ceil(both.length * 0.6));
    const few = entriesOf(world, { ...named('few events'), entriesMedian: 100 }, SEED, 4);
    expect(new Set(few.map(({ market }) => world.eventOf[market])).size).to.be.below(few.length / 2);
    for (const { market, outcome } of entriesOf(world, { ...BY_DATE_BUYERS, entriesMedian: 30 }, SEED, 5)) {
      if (outcome === 0) expect(world.events[world.eventOf[market]!]!.byDate).to.equal(true);
    }
  });

  it('buy each token once, inside the tape, while its market is open', () => {
    const entries = entriesOf(world, { ...named('no edge'), entriesMedian: 300 }, SEED, 6);
    expect(new Set(entries.map(({ market, outcome }) => market * 2 + outcome)).size).to.equal(entries.length);
    for (const { market, timeS, priceMicros } of entries) {
      const { startS, lifeS } = world.events[world.eventOf[market]!]!;
      expect(timeS).to.be.within(Math.max(TAPE_START_S, startS), Math.min(TAPE_END_S - 1, startS + lifeS));
      expect(priceMicros).to.be.within(1_000, 999_000);
    }
  });

  it('do the same again from the same seed, and without skill where it is taken away', () => {
    const skilled = named('skilled +10c');
    expect(entriesOf(world, skilled, SEED, 7)).to.deep.equal(entriesOf(world, skilled, SEED, 7));
    expect(entriesOf(world, skilled, SEED, 7)).to.not.deep.equal(entriesOf(world, skilled, SEED, 8));
    const bare = entriesOf(world, withoutSkill(skilled), SEED, 7);
    for (const { winChance: chance, priceMicros } of bare) expect(chance).to.be.closeTo(priceMicros / 1e6, 1e-12);
  });

  it('are rated the same from a messy tape as from a tidy one', () => {
    for (let wallet = 0; wallet < 30; wallet++) {
      const population = { ...populationOf(wallet), entriesMedian: 60 };
      const entries = entriesOf(world, population, SEED, wallet);
      const rate = (messy: boolean) => rateEntries(wallet, population, entries, { world, seed: SEED, messy }).sums;
      expect(resultsOf(rate(true))).to.deep.equal(resultsOf(rate(false)));
    }
  });

  it('look messy where they are meant to', () => {
    const entries = entriesOfMany(named('no edge'), 40);
    const tidy = tidyFills(world, walletAddress(SEED, 1), entries);
    const messy = messyFills(tidy, SEED, 1);
    const repeats = messy.length - new Set(messy.map((fill) => JSON.stringify(fill))).size;
    expect(repeats / messy.length).to.be.closeTo(0.02, 0.01);
    expect(messy.filter(({ side }) => side === 'SELL').length / tidy.length).to.be.closeTo(0.19, 0.05);
    expect(messy.filter(({ sizeMicros }) => sizeMicros < 5_000_000).length / tidy.length).to.be.closeTo(0.06, 0.03);
  });

  it('have no future that the rating sees', () => {
    const population = { ...named('no edge'), entriesMedian: 2_000 };
    const entries = entriesOf(world, population, SEED, 9);
    expect(entries.some(({ timeS }) => timeS >= AS_OF_S - DAY_S && timeS < AS_OF_S)).to.equal(true);
    const address = walletAddress(SEED, 9);
    const all = sumWallet(address, tidyFills(world, address, entries), world.markets, AS_OF_S, RATING_CONFIG);
    const { sums, forward } = rateEntries(9, population, entries, { world, seed: SEED, messy: false });
    expect(entries.some(({ timeS }) => timeS >= AS_OF_S)).to.equal(true);
    expect(sums).to.deep.equal(all);
    expect(forward!.expectedRoi).to.be.below(0);
  });

  it('are drawn anew on the placebo board as often as their prices say', () => {
    const dice = placeboDice(SEED, world.marketCount);
    const results = Array.from({ length: 60 }, (_, wallet) => {
      const entries = entriesOf(world, withoutSkill(named('skilled +15c')), SEED, wallet);
      const fills = tidyFills(world, walletAddress(SEED, wallet), entries);
      const markets = placeboMarkets(fills, world.markets, dice);
      // A hedge is drawn by the price of the first purchase.
      const first = fills.filter(({ condition }, i) => fills.findIndex((fill) => fill.condition === condition) === i);
      return first.map((fill): [number, boolean] => [
        fill.priceMicros / 1e6,
        markets.get(fill.condition)!.payoutMicros![fill.outcomeIndex] === 1e6,
      ]);
    }).flat();
    expect(results.length).to.be.above(3_000);
    expect(Math.abs(zOf(results))).to.be.below(4);
  });

  it('are themselves on every board where they never had skill', () => {
    const options = { world, seed: SEED, messy: false, placeboDice: placeboDice(SEED, world.marketCount) };
    const never = rateOnBoards(0, options);
    expect(never.real.population.skill).to.equal('never');
    expect(never.unskilled).to.equal(never.real);
  });
});

describe('planted edge', () => {
  const price = fc.integer({ min: 1_000, max: 999_000 });
  const edge = fc.integer({ min: -150_000, max: 150_000 });

  it('makes an entry win exactly so much more often, inside its bounds', () => {
    fc.assert(
      fc.property(price, edge, (priceMicros, edgeMicros) => {
        const acceptance = acceptanceOf(priceMicros, edgeMicros);
        expect(acceptance.ifWin).to.be.within(0, 1);
        expect(acceptance.ifLoss).to.be.within(0, 1);
        const chance = winChance(priceMicros, acceptance);
        const aim = (priceMicros + edgeMicros) / 1e6;
        if (aim >= 0.01 && aim <= 0.99) expect(chance).to.be.closeTo(aim, 1e-9);
        else expect(Math.abs(chance - priceMicros / 1e6)).to.be.at.most(Math.abs(edgeMicros) / 1e6 + 1e-9);
      }),
    );
  });

  it('is worth to a copier what the rating would count', () => {
    // Golden example A: 0.40 bought with 2 cents of slippage and a rate of 0.03 pays 1.363552381.
    expect(copierReturn(400_000, 1, 30_000, RATING_CONFIG)).to.be.closeTo(1.363552381, 1e-9);
    expect(copierReturn(550_000, 0, 40_000, RATING_CONFIG)).to.be.closeTo(-1.0172, 1e-9);
    expect(copierReturn(990_000, 1, 70_000, RATING_CONFIG)).to.be.closeTo(0.000931001, 1e-9);
  });

  it('is nothing to copy where there is no entry after the moment of the rating', () => {
    expect(forwardOf(makeWorld(SEED, 'listed', 1), [])).to.equal(null);
  });
});

/** What the mess must not change: entries and what they brought. */
function resultsOf(sums: ReturnType<typeof sumWallet>) {
  const { firstEntries, resolved, wins, returnSlippageNano, returnFeeNano, entryPriceMicros, priceBuckets } = sums;
  const { inSample, outOfSample, window, older, bothSidedMarkets, markets, nearCertain } = sums;
  const counts = { firstEntries, resolved, wins, bothSidedMarkets, markets, nearCertain, priceBuckets };
  return { ...counts, returnSlippageNano, returnFeeNano, entryPriceMicros, inSample, outOfSample, window, older };
}

/** Returns how many standard errors lie between what was won and what was to be expected. */
function zOf(results: readonly (readonly [chance: number, won: boolean])[]): number {
  let surplus = 0;
  let variance = 0;
  for (const [chance, won] of results) {
    surplus += (won ? 1 : 0) - chance;
    variance += chance * (1 - chance);
  }
  return surplus / Math.sqrt(variance);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
