import type { RatingConfig } from '#domain/rating/rating-config';
import type { RatingSums } from '#domain/rating/rating-sums';
import type { OutcomeSpan, OutcomeSums, Tape, TapeProgress } from '#ports/tape';
import type { TapeSession } from '../engine/database.js';
import { tapeFault } from '../engine/fault.js';
import type { SortedRange } from '../files/manifest.js';
import { readSnapshot, type Snapshot } from '../files/snapshot.js';
import { cutWallets, NO_COUNTS, RANGE_FILLS, toRanges, type WalletRange } from '../sorted/ranges.js';
import { sqlMarkets } from '../sql/markets.js';
import { PLACEBO_TABLE, sqlPlaceboEntries, sqlPlaceboMarkets } from '../sql/placebo.js';
import { sqlPositionSteps, WINDOW_DAYS_MAX } from '../sql/positions.js';
import { sqlRatedMarkets, sqlScoreSteps } from '../sql/scores.js';
import { sqlSums } from '../sql/sums.js';
import { sqlOutcomes, toOutcomeSums } from './outcomes.js';
import { openPass, runSteps } from './passes.js';
import { toRatingSums } from './sums.js';

type RateOptions = NonNullable<Parameters<Tape['rateAll']>[2]> & { readonly rangeFills?: number };

/** One rating of the board. */
interface Board {
  readonly session: TapeSession;
  readonly dir: string;
  readonly snapshot: Snapshot;
  readonly passes: readonly WalletRange[];
  readonly asOfS: number;
  readonly config: RatingConfig;
  readonly options: RateOptions;
}

/**
 * Rates the whole board, one pass of wallets after the other, so that memory is bounded by the
 * largest pass.
 */
export async function* rateBoard(
  session: TapeSession,
  dir: string,
  asOfS: number,
  config: RatingConfig,
  options: RateOptions,
): AsyncGenerator<readonly RatingSums[]> {
  const board = await openBoard(session, dir, asOfS, config, options);
  if (options.placeboSeed !== undefined) await drawOutcomes(board, options.placeboSeed);
  for await (const _ of eachPass(board, 'rate')) {
    await runSteps(session, sqlScoreSteps(asOfS, config));
    for await (const columns of session.columns(sqlSums(asOfS, config))) yield toRatingSums(columns);
  }
}

/**
 * Returns what became of the first entries of a span of time, as far as it was known at `knownS`,
 * by wallet, event and day (docs/history.md, "Backtest").
 */
export async function* sumOutcomes(
  session: TapeSession,
  dir: string,
  { knownS, ...span }: OutcomeSpan,
  config: RatingConfig,
  progress?: TapeProgress,
): AsyncGenerator<readonly OutcomeSums[]> {
  const board = await openBoard(session, dir, knownS, config, progress === undefined ? {} : { progress });
  for await (const _ of eachPass(board, 'results')) {
    for await (const columns of session.columns(sqlOutcomes(span, config))) yield toOutcomeSums(columns);
  }
}

async function openBoard(
  session: TapeSession,
  dir: string,
  asOfS: number,
  config: RatingConfig,
  options: RateOptions,
): Promise<Board> {
  assertWindow(config);
  const snapshot = await readSnapshot(dir);
  const passes = await listPasses(session, snapshot, options.rangeFills);
  await session.run(`CREATE TEMP TABLE market AS ${sqlRatedMarkets(`(${sqlMarkets(snapshot.markets)})`, asOfS)}`);
  return { session, dir, snapshot, passes, asOfS, config, options };
}

function assertWindow({ windowDays }: RatingConfig): void {
  if (windowDays <= WINDOW_DAYS_MAX) return;
  throw tapeFault(`a window has at most ${WINDOW_DAYS_MAX} days; rate with a shorter windowDays`);
}

/**
 * Opens one pass after the other, up to what happened at each place and its market (table
 * `position_as_of`).
 */
async function* eachPass(board: Board, step: string): AsyncGenerator<void> {
  const { session, dir, snapshot, passes, asOfS, config, options } = board;
  for (const [i, pass] of passes.entries()) {
    options.progress?.(step, i, passes.length);
    await openPass(session, dir, snapshot, pass);
    await runSteps(session, sqlPositionSteps(asOfS, config, snapshot.manifest.sorted?.cutOffs ?? ''));
    yield;
  }
  options.progress?.(step, passes.length, passes.length);
}

/**
 * Replaces the payouts by drawn ones. It takes all entries of a market, so the tape is gone through
 * once more before.
 */
async function drawOutcomes(board: Board, seed: number): Promise<void> {
  const { session, asOfS, config } = board;
  await session.run(PLACEBO_TABLE);
  for await (const _ of eachPass(board, 'draw')) await session.run(sqlPlaceboEntries(asOfS, config));
  await session.run(`CREATE TEMP TABLE drawn_market AS ${sqlPlaceboMarkets('market', seed)}`);
  await session.run('DROP TABLE market');
  await session.run('ALTER TABLE drawn_market RENAME TO market');
}

/**
 * Ranges of sorted fills that one pass of a rating takes. Where none are sorted and their texts
 * have to be held, it takes one.
 */
const RANGES_PER_PASS = 3;

/**
 * Returns the passes of a rating, which cover all wallets in their order: files of the base
 * together until they are enough.
 */
async function listPasses(
  session: TapeSession,
  snapshot: Snapshot,
  rangeFills = RANGE_FILLS,
): Promise<readonly WalletRange[]> {
  const files = snapshot.manifest.sorted?.ranges ?? [];
  if (files.length === 0) {
    return toRanges(await cutWallets(session, snapshot.late, NO_COUNTS, rangeFills));
  }
  const groups: SortedRange[][] = [[]];
  let rows = 0;
  for (const file of files) {
    if (rows >= RANGES_PER_PASS * rangeFills) {
      groups.push([]);
      rows = 0;
    }
    groups.at(-1)!.push(file);
    rows += file.rows;
  }
  return toRanges(groups.map(([first]) => first!.fromWallet));
}
