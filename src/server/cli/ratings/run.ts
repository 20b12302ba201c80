import type { Command } from 'commander';
import { createRatingJob } from '#compose/ratings';
import { hasTape, openTapeModule, openTapeSources, tapePath } from '#compose/tape';
import { readVenueUrls } from '#config/venue-urls';
import { asOfOf } from '#domain/rating/rating-windows';
import { isoDay } from '#domain/time';
import type { Board } from '#ports/ratings-store';
import { createTapeMarkets, refreshForBoard } from '#services/tape/markets';
import { printReport } from '../admin/run.js';
import { UsageError } from '../exit.js';
import { withProgress } from '../tape/progress.js';
import { day, type RatingsOptions, withRatings, withRatingsOptions } from './options.js';

type RunOptions = RatingsOptions & { readonly asOf?: number; readonly refresh?: true; readonly replace?: true };

const nothing = () => undefined;
/** The command itself says what came of it. */
const SILENT = { debug: nothing, info: nothing, warn: nothing, error: nothing };

/** Adds `ratings run`. */
export function addRunCommand(ratings: Command): void {
  withRatingsOptions(ratings.command('run'))
    .description('rate every wallet of the tape and put the board in force')
    .option('--as-of <day>', 'rate as of 00:00 UTC of this day (default: today)', day)
    .option(
      '--refresh',
      'first fetch from the venue how markets were resolved (VENUE_GAMMA_URL, VENUE_CLOB_URL, VENUE_DATA_URL)',
    )
    .option('--replace', 'even if the board of a later day is in force')
    .action((options: RunOptions) => run(options));
}

async function run(options: RunOptions): Promise<void> {
  const { dataDir } = options;
  if (!hasTape(dataDir)) {
    throw new UsageError(`there is no tape at ${tapePath(dataDir)}; preflightctl tape backfill or import makes one`);
  }
  const board = await withRatings(options, true, async (store) => {
    const { tape, clock } = await openTapeModule(dataDir);
    const today = asOfOf(Math.floor(clock.nowMs() / 1_000));
    const asOfS = options.asOf ?? today;
    return withProgress(clock, async (shown) => {
      if (asOfS > today) throw new UsageError(`${isoDay(asOfS)} has not begun; the latest day is ${isoDay(today)}`);
      const refreshMarkets = async () => {
        if (!options.refresh) return;
        const { facts } = openTapeSources(readVenueUrls(process.env), clock);
        await refreshForBoard(createTapeMarkets({ tape, clock, facts }));
      };
      const job = createRatingJob({ store, tape, refreshMarkets, log: SILENT });
      const progress = (step: string, done: number, all: number) => shown.update(step, done, all);
      const outcome = await job.run(asOfS, { progress, replaceLater: options.replace === true });
      if (outcome.kind === 'busy')
        throw new Error('another process is rating: wait until it is done, then start again');
      return outcome.board;
    }).finally(() => tape.close());
  });
  printReport(options, { json: toJson(board), text: toText(board) });
}

function toJson(board: Board) {
  return {
    run: board.run,
    as_of: isoDay(board.asOfS),
    rating_config: board.config,
    wallets: board.walletsSeen,
    wallets_by_verdict: board.walletsByVerdict,
    placebo_copy_count: board.placeboCopies,
    leaderboard: board.leaderboard,
    red_list: board.redList,
  };
}

function toText(board: Board): string {
  const { COPY, WATCH, VETO, NO_COVERAGE } = board.walletsByVerdict;
  return [
    `board of ${isoDay(board.asOfS)} in force: ${board.walletsSeen} wallets (cut-offs ${board.config})`,
    `COPY ${COPY}, WATCH ${WATCH}, VETO ${VETO}, NO_COVERAGE ${NO_COVERAGE}; by chance alone COPY ${board.placeboCopies}`,
    `${board.leaderboard.length} on the leaderboard, ${board.redList.length} on the red list`,
  ].join('\n');
}
