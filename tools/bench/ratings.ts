import { BoardTally } from './skill/board-tally.js';
import { emptyTrap, springTrap } from './skill/by-date-trap.js';
import { Calibration } from './skill/calibration.js';
import { rateOnBoards } from './skill/rate-world.js';
import { placeboDice } from './skill/redraw-markets.js';
import {
  calibrationTable,
  nothingTable,
  powerTable,
  prevalenceTable,
  reasonTable,
  ruleTable,
  summary,
  variantTable,
} from './skill/tables.js';
import { type Attention, makeWorld, type World } from './skill/world.js';
import { type Section, show } from './support/report.js';
import { progress } from './support/rounds.js';

/** The full figures take 100,000 wallets in each of three worlds. These make other runs. */
const WALLETS = Number(process.env.BENCH_WALLETS ?? 100_000);
const SEEDS = (process.env.BENCH_SEEDS ?? '211,212,213').split(',').map(Number);
const MESSY = process.env.BENCH_MESSY === '1';
const ATTENTION: Attention = process.env.BENCH_ATTENTION === 'listed' ? 'listed' : 'open';
const IS_EDGE_PROPORTIONAL = process.env.BENCH_EDGE === 'proportional';

/** Wallets that buy YES of by-date markets, per wallet of the board. */
const TRAP_SHARE = 0.06;

/** How many wallets are rated between two words of progress. */
const STEP = 10_000;

/**
 * Measures how often the rating is right, on tapes whose every wallet's skill is known
 * (docs/ratings.md, "Error rates").
 */
export async function benchRatings(): Promise<Section> {
  const board = new BoardTally();
  const calibration = new Calibration();
  let trap = emptyTrap();
  for (const seed of SEEDS) {
    const world = makeWorld(seed, ATTENTION);
    calibration.add(world, seed);
    rateAll(board, world, seed);
    trap = springTrap(trap, world, seed, Math.round(WALLETS * TRAP_SHARE));
  }
  const how =
    `${SEEDS.length} worlds (seeds ${SEEDS.join(', ')}) of ${show(WALLETS)} wallets each; ${MESSY ? 'messy' : 'tidy'} tape; ` +
    `wallets look at ${ATTENTION} markets; edges are ${IS_EDGE_PROPORTIONAL ? 'in proportion to the price' : 'the same at every price'}. ROIs are means over wallets, after slippage and fees.`;
  const tables = [ruleTable, reasonTable, powerTable, prevalenceTable, variantTable].map((toTable) => toTable(board));
  const prices = `One market of each event, at a random moment of its life:\n\n${calibrationTable(calibration.deciles())}`;
  const texts = [how, summary(board), nothingTable(board, trap), ...tables, prices];
  return { title: 'Wallet ratings: who gets a COPY', texts, goals: [] };
}

function rateAll(board: BoardTally, world: World, seed: number): void {
  const options = {
    ...{ world, seed, messy: MESSY, isEdgeProportional: IS_EDGE_PROPORTIONAL },
    placeboDice: placeboDice(seed, world.marketCount),
  };
  for (let wallet = 0; wallet < WALLETS; wallet++) {
    board.add(rateOnBoards(wallet, options));
    if ((wallet + 1) % STEP === 0) progress(`ratings, seed ${seed}: ${show(wallet + 1)} of ${show(WALLETS)} wallets`);
  }
  board.endWorld();
}
