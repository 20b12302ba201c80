import { expect } from 'chai';
import { RATING_REASONS } from '#domain/rating/rating';
import { BoardTally } from './board-tally.js';
import { emptyTrap, springTrap } from './by-date-trap.js';
import { BY_DATE_BUYERS } from './populations.js';
import { rateEntries, rateOnBoards } from './rate-world.js';
import { placeboDice, settledOnlyMarkets } from './redraw-markets.js';
import { CHOSEN, NAIVE } from './rules.js';
import { nothingTable, powerTable, prevalenceTable, reasonTable, ruleTable, summary, variantTable } from './tables.js';
import { isCovered, Mean } from './tally.js';
import { entriesOf } from './wallet-entries.js';
import { makeWorld } from './world.js';

const SEED = 9;
const WALLETS = 400;

describe('measured error rate of the rating', () => {
  const world = makeWorld(SEED, 'open', 40);
  const board = new BoardTally();
  before(() => {
    const options = { world, seed: SEED, messy: false, placeboDice: placeboDice(SEED, world.marketCount) };
    for (let wallet = 0; wallet < WALLETS; wallet++) board.add(rateOnBoards(wallet, options));
    board.endWorld();
  });

  it('counts every wallet once', () => {
    expect(board.wallets).to.equal(WALLETS);
    const byReason = RATING_REASONS.map((reason) => board.reasons.of(reason).wallets);
    expect(byReason.reduce((sum, count) => sum + count)).to.equal(WALLETS);
    expect(board.neverSkilledCovered).to.be.within(board.neverSkilledTestable, WALLETS);
    expect(board.unskilled.covered).to.be.at.least(board.neverSkilledCovered);
  });

  it('finds fewer COPY the more a rule asks for', () => {
    const counts = board.rules.map(({ copies }) => copies.wallets);
    expect(counts).to.deep.equal(counts.toSorted((a, b) => b - a));
    expect(counts[0]).to.be.above(0);
    expect(board.ruleOf(CHOSEN).copies.wallets).to.equal(board.reasons.of('validated').wallets);
    expect(board.ruleOf(NAIVE).copies.neverSkilled).to.be.above(0);
  });

  it('knows that only the planted skill is worth copying', () => {
    const { trulyGood, expectedRoi } = board.reasons.of('lost_money');
    expect(trulyGood / board.reasons.of('lost_money').wallets).to.be.below(0.05);
    expect(expectedRoi.value).to.be.within(-0.12, -0.04);
    expect(board.trulyGood).to.be.within(1, WALLETS * 0.02);
  });

  it('sees wallets without skill win by being seen early, where the scheduled end is not asked for', () => {
    const [matured, settled] = [new Mean(), new Mean()];
    const options = { world, seed: SEED, messy: false };
    for (let wallet = 0; wallet < 60; wallet++) {
      const entries = entriesOf(world, BY_DATE_BUYERS, SEED, wallet);
      const rated = rateEntries(wallet, BY_DATE_BUYERS, entries, options);
      const early = rateEntries(wallet, BY_DATE_BUYERS, entries, options, (fills) =>
        settledOnlyMarkets(fills, world.markets),
      );
      if (!isCovered(rated)) continue;
      if (rated.rating.outOfSample.roiFee !== null) matured.add(rated.rating.outOfSample.roiFee);
      if (early.rating.outOfSample.roiFee !== null) settled.add(early.rating.outOfSample.roiFee);
    }
    expect(settled.value).to.be.above(0.1);
    expect(matured.value).to.be.below(settled.value - 0.15);
  });

  it('writes tables without holes', () => {
    const trap = springTrap(emptyTrap(), world, SEED, 10);
    const tables = [ruleTable, reasonTable, powerTable, prevalenceTable, variantTable].map((toTable) => toTable(board));
    for (const text of [summary(board), nothingTable(board, trap), ...tables]) {
      expect(text).to.not.match(/NaN|undefined|Infinity/);
    }
  });
});
