import { join, relative } from 'node:path';
import type { TapeProgress } from '#ports/tape';
import type { TapeSession } from './tape-database.js';
import { keepParquet, namesIn } from './tape-files.js';
import type { SortedFills, SortedRange, TapeManifest } from './tape-manifest.js';
import { SORTED_FOLDER } from './tape-outdated.js';
import { cutWallets, RANGE_FILLS, sqlInRange, toRanges, type WalletRange } from './tape-ranges.js';
import type { Segment } from './tape-segments.js';
import { sqlFiles, sqlWrite } from './tape-sql.js';
import { FILL_COLUMNS, sqlCoded, sqlPlaces, sqlWithoutRepeats } from './tape-sql-fills.js';

/** Small row groups: one wallet's fills are found by their statistics. */
const ROW_GROUP_FILLS = 61_440;

const FILL_NAMES = Object.keys(FILL_COLUMNS).join(', ');

/**
 * Writes a new generation of sorted fills from the one before and from segments, range by range, so that memory is bounded. It
 * counts when the manifest says so.
 */
export async function sortFills(
  session: TapeSession,
  dir: string,
  { sorted }: TapeManifest,
  segments: readonly Segment[],
  progress?: TapeProgress,
): Promise<Omit<SortedFills, 'throughDay'>> {
  const old = (sorted?.ranges ?? []).map(({ fills }) => join(dir, fills));
  const late = segments.map(({ path }) => join(dir, path));
  const all = `(SELECT ${FILL_NAMES} FROM ${sqlFiles([...old, ...late], FILL_COLUMNS)})`;
  const ranges = toRanges(await cutWallets(session, all, RANGE_FILLS));
  const folder = join(dir, SORTED_FOLDER, await nextGeneration(dir));
  await session.run('CREATE OR REPLACE TEMP TABLE traded (condition VARCHAR, first_fill_s BIGINT, last_fill_s BIGINT)');
  const written: SortedRange[] = [];
  for (const [i, range] of ranges.entries()) {
    progress?.('compact', i, ranges.length);
    const files = [...old.filter((_, n) => overlaps(sorted!.ranges, n, range)), ...late];
    written.push(await writeRange(session, dir, folder, i, range, sqlFiles(files, FILL_COLUMNS)));
  }
  progress?.('compact', ranges.length, ranges.length);
  return { ranges: written, ...(await writeConditions(session, dir, folder)) };
}

async function writeRange(
  session: TapeSession,
  dir: string,
  folder: string,
  no: number,
  range: WalletRange,
  source: string,
): Promise<SortedRange> {
  const own = `(SELECT * FROM ${source} WHERE ${sqlInRange(range)})`;
  await session.run(`CREATE OR REPLACE TEMP TABLE own_fill AS ${sqlWithoutRepeats(own)}`);
  await session.run(`CREATE OR REPLACE TEMP TABLE own_place AS ${sqlPlaces('own_fill')}`);
  await session.run(`INSERT INTO traded
    SELECT condition, min(time_s), max(time_s) FROM own_fill GROUP BY condition`);
  const [count] = await session.rows<{ rows: bigint }>('SELECT count(*) AS rows FROM own_fill');
  const coded = `SELECT * FROM (${sqlCoded('own_fill', 'own_place')}) ORDER BY place_no, time_s, tx_no, log_index`;
  const fills = await keepParquet(folder, `fills-${no}`, (path) => session.run(sqlWrite(coded, path, ROW_GROUP_FILLS)));
  const places = await keepParquet(folder, `places-${no}`, (path) =>
    session.run(sqlWrite('SELECT * FROM own_place ORDER BY place_no', path)),
  );
  const { fromWallet } = range;
  return { fromWallet, fills: relative(dir, fills), places: relative(dir, places), rows: Number(count!.rows) };
}

async function writeConditions(
  session: TapeSession,
  dir: string,
  folder: string,
): Promise<Pick<SortedFills, 'conditions' | 'firstFillS' | 'lastFillS'>> {
  const [ends] = await session.rows<{ first: bigint | null; last: bigint | null }>(
    'SELECT min(first_fill_s) AS first, max(last_fill_s) AS last FROM traded',
  );
  const query = 'SELECT condition, max(last_fill_s) AS last_fill_s FROM traded GROUP BY condition ORDER BY condition';
  const path = await keepParquet(folder, 'conditions', (temporary) => session.run(sqlWrite(query, temporary)));
  const [firstFillS, lastFillS] = [ends!.first, ends!.last].map((end) => (end === null ? null : Number(end)));
  return { conditions: relative(dir, path), firstFillS: firstFillS!, lastFillS: lastFillS! };
}

/** Numbers grow, so that no reader ever finds other files under a path that it knows. */
async function nextGeneration(dir: string): Promise<string> {
  const numbers = (await namesIn(join(dir, SORTED_FOLDER))).map(Number).filter(Number.isInteger);
  return String(Math.max(0, ...numbers) + 1);
}

function overlaps(ranges: readonly SortedRange[], n: number, { fromWallet, toWallet }: WalletRange): boolean {
  const next = ranges[n + 1]?.fromWallet ?? null;
  return (next === null || next > fromWallet) && (toWallet === null || ranges[n]!.fromWallet < toWallet);
}
