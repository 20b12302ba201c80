import { join } from 'node:path';
import { OutsideError } from '#domain/errors';
import type { RatingConfig } from '#domain/rating/rating-config';
import type { RatingSums } from '#domain/rating/rating-sums';
import type { Tape } from '#ports/tape';
import type { TapeSession } from './tape-database.js';
import { listRanges, sqlInRange, type WalletRange } from './tape-ranges.js';
import { readSnapshot, type Snapshot } from './tape-snapshot.js';
import { sqlFiles } from './tape-sql.js';
import { sqlEntrySteps, WINDOW_DAYS_MAX } from './tape-sql-entries.js';
import { CODE_COLUMNS, FILL_COLUMNS, PLACE_COLUMNS, sqlCoded, sqlPlaces, sqlWithoutRepeats } from './tape-sql-fills.js';
import { sqlMarkets } from './tape-sql-markets.js';
import { sqlRatedMarkets, sqlScoreSteps } from './tape-sql-scores.js';
import { sqlSums } from './tape-sql-sums.js';
import { toRatingSums } from './tape-sums.js';

type RateOptions = NonNullable<Parameters<Tape['rateAll']>[2]>;

const RATED_COLUMNS = 'place_no, tx_no, is_alone, is_buy, size_micros, price_micros, time_s, event';
const FILL_NAMES = Object.keys(FILL_COLUMNS).join(', ');
const PLACE_NAMES = Object.keys(PLACE_COLUMNS).join(', ');

/**
 * Rates the whole board, one range of wallets after the other, so that memory is bounded by the largest range. Fills that came
 * after the last compaction make the wallets that they belong to be sorted and numbered anew here, and only them.
 */
export async function* rateBoard(
  session: TapeSession,
  dir: string,
  asOfS: number,
  config: RatingConfig,
  options: RateOptions,
): AsyncGenerator<readonly RatingSums[]> {
  if (config.windowDays > WINDOW_DAYS_MAX) {
    throw new OutsideError('tape', `a window has at most ${WINDOW_DAYS_MAX} days; rate with a shorter windowDays`, {
      failure: 'final',
    });
  }
  const snapshot = await readSnapshot(dir);
  await session.run(`CREATE TEMP TABLE market AS ${sqlRatedMarkets(`(${sqlMarkets(snapshot.markets)})`, asOfS)}`);
  const ranges = await listRanges(session, snapshot);
  for (const [i, range] of ranges.entries()) {
    options.progress?.('rate', i, ranges.length);
    await openRange(session, dir, snapshot, range);
    const steps = [...sqlEntrySteps(asOfS, config), ...sqlScoreSteps(asOfS, config)];
    for (const { table, query } of steps) await session.run(`CREATE OR REPLACE TEMP TABLE ${table} AS ${query}`);
    for await (const columns of session.columns(sqlSums(config))) yield toRatingSums(columns);
  }
  options.progress?.('rate', ranges.length, ranges.length);
}

/** Makes the relations `place` and `fill` of a range. */
async function openRange(session: TapeSession, dir: string, snapshot: Snapshot, range: WalletRange): Promise<void> {
  const sorted = sqlFiles(
    range.sorted.map(({ fills }) => join(dir, fills)),
    { ...FILL_COLUMNS, ...CODE_COLUMNS },
  );
  const places = sqlFiles(
    range.sorted.map((file) => join(dir, file.places)),
    PLACE_COLUMNS,
  );
  await session.run(
    `CREATE OR REPLACE TEMP TABLE late AS SELECT ${FILL_NAMES} FROM ${snapshot.late} WHERE ${sqlInRange(range)}`,
  );
  await session.run('CREATE OR REPLACE TEMP TABLE late_wallet AS SELECT DISTINCT wallet FROM late');
  const touched = `(SELECT ${FILL_NAMES} FROM late
    UNION ALL SELECT ${FILL_NAMES} FROM ${sorted} WHERE wallet IN (SELECT wallet FROM late_wallet))`;
  await session.run(`CREATE OR REPLACE TEMP TABLE late_fill AS ${sqlWithoutRepeats(touched)}`);
  const [last] = await session.rows<{ no: number }>(`SELECT coalesce(max(place_no), 0) AS no FROM ${places}`);
  await session.run(`CREATE OR REPLACE TEMP TABLE late_place AS ${sqlPlaces('late_fill', last!.no + 1)}`);
  await session.run(`CREATE OR REPLACE TEMP TABLE late_coded AS ${sqlCoded('late_fill', 'late_place')}`);
  const untouched = 'wallet NOT IN (SELECT wallet FROM late_wallet)';
  await session.run(`CREATE OR REPLACE TEMP VIEW place AS
    SELECT ${PLACE_NAMES} FROM ${places} WHERE ${untouched} UNION ALL SELECT ${PLACE_NAMES} FROM late_place`);
  await session.run(`CREATE OR REPLACE TEMP VIEW fill AS
    SELECT ${RATED_COLUMNS} FROM ${sorted} WHERE ${untouched} UNION ALL SELECT ${RATED_COLUMNS} FROM late_coded`);
}
