import { expect } from 'chai';
import { rateSums } from '#domain/rating/rate-sums';
import { RATING_CONFIG } from '#domain/rating/rating-config';
import { sumWallet } from '#domain/rating/sum-wallet';
import { tidyFills, walletAddress } from '../entry-fills.js';
import { populationOf } from '../populations.js';
import { countOf, entriesOf } from '../wallet-entries.js';
import { makeWorld } from '../world.js';
import { betsOf, poolsAt, scoredTimes, zOf } from './bets.js';
import { findCandidates, NIGHTS_S, type WorldNight } from './candidates.js';
import { DISCOVERY } from './discovery.js';
import { jackknifeReach, RuleWorlds } from './paired-tally.js';
import { POOLED } from './pooled.js';
import { IN_FORCE, type NightRule, passes, SCORE_2, STRICT_GATES } from './rule.js';
import { figureTable, pairedTable } from './rule-tables.js';
import { SEQUENTIAL } from './sequential.js';
import { SHRUNKEN } from './shrunken.js';

const SEED = 9;
const WALLETS = 3_000;
const RULES = [SCORE_2, IN_FORCE, ...POOLED, ...SHRUNKEN, ...SEQUENTIAL, ...DISCOVERY];

describe('rules on trial', () => {
  const world = makeWorld(SEED, 'open', 40);
  const scoredAtS = scoredTimes(world);
  let nights: readonly WorldNight[];
  before(() => {
    nights = findCandidates(world, SEED, WALLETS, false);
  });

  it('see in floats what the rating sees in exact sums', () => {
    const busy = Array.from({ length: WALLETS }, (_, wallet) => wallet)
      .filter((wallet) => countOf(populationOf(wallet), SEED, wallet) > 150)
      .slice(0, 20);
    expect(busy.length).to.equal(20);
    for (const wallet of busy) {
      const entries = entriesOf(world, populationOf(wallet), SEED, wallet);
      for (const asOfS of NIGHTS_S) {
        const address = walletAddress(SEED, wallet);
        const seen = entries.filter(({ timeS }) => timeS < asOfS);
        const sums = sumWallet(address, tidyFills(world, address, seen), world.markets, asOfS, RATING_CONFIG);
        const rating = rateSums(sums, asOfS, RATING_CONFIG);
        const pools = poolsAt(betsOf(world, scoredAtS, entries), asOfS);
        for (const name of ['window', 'older', 'inSample', 'outOfSample'] as const) {
          expect(pools[name].bets.length, `${wallet} ${name}`).to.equal(rating[name].entries);
          expect(pools[name].events.size, `${wallet} ${name}`).to.equal(rating[name].events);
          if (rating[name].z !== null) expect(zOf(pools[name])).to.be.closeTo(rating[name].z, 1e-6);
          expect(pools[name].returnFee).to.be.closeTo(Number(sums[name].returnFeeNano) / 1e9, 1e-6);
        }
      }
    }
  });

  it('find again with the gates and the z of score version 2 whom it called COPY', () => {
    const all = nights.flatMap(({ candidates }) => candidates);
    const again = all.filter(
      (candidate) => passes(candidate, STRICT_GATES) && zOf(candidate.pools.window) >= RATING_CONFIG.windowZMin,
    );
    expect(again.length).to.be.above(0);
    expect(new Set(again)).to.deep.equal(new Set(all.filter(({ isScore2Copy }) => isScore2Copy)));
  });

  it('have the rating in force among them', () => {
    const onTrial = SHRUNKEN.find(({ name }) => name === 'edge shrunk to -3c >= 0.6c and z >= 1.96, 10/8/6 entries')!;
    const calledBy = (rule: NightRule) => nights.flatMap((night) => [...rule.copies(night)]);
    expect(calledBy(IN_FORCE).length).to.be.above(0);
    expect(new Set(calledBy(onTrial))).to.deep.equal(new Set(calledBy(IN_FORCE)));
  });

  it('leave no wallet out that has enough entries to be tested', () => {
    const small = Array.from({ length: WALLETS }, (_, wallet) => wallet).filter(
      (wallet) => countOf(populationOf(wallet), SEED, wallet) < 80,
    );
    for (const wallet of small.slice(0, 1_000)) {
      const bets = betsOf(world, scoredAtS, entriesOf(world, populationOf(wallet), SEED, wallet));
      for (const asOfS of NIGHTS_S) {
        const { inSample, outOfSample } = poolsAt(bets, asOfS);
        const isTestable = inSample.bets.length >= 10 && outOfSample.bets.length >= 8;
        expect(isTestable && zOf(poolsAt(bets, asOfS).window) >= RATING_CONFIG.windowZMin, `${wallet}`).to.equal(false);
      }
    }
  });

  it('call COPY nobody who fails the first rows of the decision table', () => {
    for (const { name, copies } of RULES) {
      for (const night of nights) {
        const called = copies(night);
        expect(
          called.filter(({ isEligible }) => !isEligible),
          name,
        ).to.deep.equal([]);
        expect(new Set(called).size, name).to.equal(called.length);
      }
    }
  });

  it('call COPY the fewer the stricter they are', () => {
    const copiesOf = (part: string) => {
      const rule = RULES.find(({ name }) => name.startsWith(part))!;
      return nights.flatMap((night) => [...rule.copies(night)]);
    };
    const pairs = [
      ['COPY also on the last 7', 'COPY also on the last 3'],
      ['COPY also on the last 3', 'score version 2'],
      ['z >= 2.2', 'score version 2'],
      ['e-value of +6c >= 20', 'e-value of +6c >= 6.5'],
      ['edge shrunk to -3c >= 0.6c and z >= 1.96', 'score version 2'],
      ['Benjamini-Hochberg at 0.05', 'Benjamini-Hochberg at 0.2'],
    ] as const;
    for (const [strict, loose] of pairs) expect(copiesOf(loose), strict).to.include.members(copiesOf(strict));
  });

  it('differ by nothing from themselves', () => {
    const rule = new RuleWorlds(IN_FORCE);
    for (const night of nights) for (const seed of [1, 2, 3]) rule.add({ ...night, seed });
    expect(rule.minus(rule, 'found')).to.deep.equal({ value: 0, low: 0, high: 0 });
  });

  it('have intervals that are as wide as the worlds differ', () => {
    // The mean of 1, 2 and 6 is 3, its standard error the root of 7/3; 4.303 of it with two degrees of freedom.
    expect(jackknifeReach([4, 3.5, 1.5])).to.be.closeTo(4.303 * Math.sqrt(7 / 3), 1e-9);
    expect(jackknifeReach([1])).to.equal(Number.POSITIVE_INFINITY);
  });

  it('fill the tables without holes', () => {
    const rules = RULES.map((rule) => new RuleWorlds(rule));
    for (const seed of [1, 2]) for (const night of nights) for (const rule of rules) rule.add({ ...night, seed });
    expect(figureTable(rules)).to.not.match(/undefined|Infinity/);
    expect(pairedTable(rules)).to.not.match(/undefined|Infinity/);
  });
});
