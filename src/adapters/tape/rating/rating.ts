import type { RatingConfig } from '#domain/rating/rating-config';
import type { RatingSums } from '#domain/rating/rating-sums';
import type { Tape } from '#ports/tape';
import type { TapeSession } from '../engine/database.js';
import { tapeFault } from '../engine/fault.js';
import { readSnapshot, type Snapshot } from '../files/snapshot.js';
import { sqlMarkets } from '../sql/markets.js';
import { PLACEBO_TABLE, sqlPlaceboEntries, sqlPlaceboMarkets } from '../sql/placebo.js';
import { sqlRatedMarkets, sqlScoreSteps } from '../sql/scores.js';
import { sqlSpotSteps, WINDOW_DAYS_MAX } from '../sql/spots.js';
import { sqlSums } from '../sql/sums.js';
import { openPass, runSteps } from './passes.js';
import { listPasses, type WalletPass } from './ranges.js';
import { toRatingSums } from './sums.js';

type RateOptions = NonNullable<Parameters<Tape['rateAll']>[2]>;

/** One rating of the board. */
interface Board {
  readonly session: TapeSession;
  readonly dir: string;
  readonly snapshot: Snapshot;
  readonly passes: readonly WalletPass[];
  readonly asOfS: number;
  readonly config: RatingConfig;
  readonly options: RateOptions;
}

/** Rates the whole board, one pass of wallets after the other, so that memory is bounded by the largest pass. */
export async function* rateBoard(
  session: TapeSession,
  dir: string,
  asOfS: number,
  config: RatingConfig,
  options: RateOptions,
): AsyncGenerator<readonly RatingSums[]> {
  assertWindow(config);
  const snapshot = await readSnapshot(dir);
  const passes = await listPasses(session, snapshot);
  const board: Board = { session, dir, snapshot, passes, asOfS, config, options };
  await session.run(`CREATE TEMP TABLE market AS ${sqlRatedMarkets(`(${sqlMarkets(snapshot.markets)})`, asOfS)}`);
  if (options.placeboSeed !== undefined) await drawOutcomes(board, options.placeboSeed);
  for await (const _ of eachPass(board, 'rate')) {
    await runSteps(session, sqlScoreSteps(asOfS, config));
    for await (const columns of session.columns(sqlSums(asOfS, config))) yield toRatingSums(columns);
  }
}

function assertWindow({ windowDays }: RatingConfig): void {
  if (windowDays <= WINDOW_DAYS_MAX) return;
  throw tapeFault(`a window has at most ${WINDOW_DAYS_MAX} days; rate with a shorter windowDays`);
}

/** Opens one pass after the other, up to what happened at each place and its market (table `spot`). */
async function* eachPass(board: Board, step: string): AsyncGenerator<void> {
  const { session, dir, snapshot, passes, asOfS, config, options } = board;
  for (const [i, pass] of passes.entries()) {
    options.progress?.(step, i, passes.length);
    await openPass(session, dir, snapshot, pass);
    await runSteps(session, sqlSpotSteps(asOfS, config, snapshot.manifest.sorted?.cutOffs ?? ''));
    yield;
  }
  options.progress?.(step, passes.length, passes.length);
}

/** Replaces the payouts by drawn ones. It takes all entries of a market, so the tape is gone through once more before. */
async function drawOutcomes(board: Board, seed: number): Promise<void> {
  const { session, asOfS, config } = board;
  await session.run(PLACEBO_TABLE);
  for await (const _ of eachPass(board, 'draw')) await session.run(sqlPlaceboEntries(asOfS, config));
  await session.run(`CREATE TEMP TABLE drawn_market AS ${sqlPlaceboMarkets('market', seed)}`);
  await session.run('DROP TABLE market');
  await session.run('ALTER TABLE drawn_market RENAME TO market');
}
