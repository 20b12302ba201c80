import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { RATING_CONFIG } from '#domain/rating/rating-config';
import type { TapeProgress } from '#ports/tape';
import type { TapeSession } from '../engine/database.js';
import { keepParquet } from '../files/files.js';
import type { TapeFolder } from '../files/folder.js';
import { namesIn } from '../files/listing.js';
import type { SortedFills, SortedRange, TapeManifest } from '../files/manifest.js';
import type { Segment } from '../files/segments.js';
import { cutWallets, overlaps, sqlInRange, toRanges, type WalletRange } from '../rating/ranges.js';
import { entryCutOffs } from '../sql/entries.js';
import { FILL_COLUMNS, PLACE_COLUMNS, SORTED_COLUMNS, sqlUnsorted } from '../sql/fills.js';
import { sqlSortSteps, sqlStep } from '../sql/sorting.js';
import { sqlFactSteps } from '../sql/spots.js';
import { sqlFiles, sqlText, sqlWrite } from '../sql/sql.js';
import { SORTED_FOLDER } from './outdated.js';

/** Small row groups: one wallet's fills are found by their statistics. */
const ROW_GROUP_FILLS = 61_440;

/** Fills of one range, about: with their texts, they and some copies of them fit into the memory of the engine. */
const RANGE_FILLS = 1_000_000;

const FILL_NAMES = Object.keys(FILL_COLUMNS).join(', ');

/** What one range after the other is made of. */
interface Sorting {
  readonly session: TapeSession;
  readonly folder: TapeFolder;
  /** The new generation, a folder of the tape. */
  readonly place: string;
  /** Where the fills of the segments lie by range, in folders `range_no=<n>`. */
  readonly parts: string;
  readonly before: readonly SortedRange[];
}

/**
 * Writes a new generation of sorted fills from the one before and from segments, range by range, so that memory is bounded. It
 * counts when the manifest says so.
 */
export async function sortFills(
  session: TapeSession,
  folder: TapeFolder,
  { sorted }: TapeManifest,
  segments: readonly Segment[],
  progress?: TapeProgress,
): Promise<Omit<SortedFills, 'throughDay'>> {
  const before = sorted?.ranges ?? [];
  const place = join(SORTED_FOLDER, await nextGeneration(folder.dir));
  const sorting: Sorting = { session, folder, place, before, parts: join(folder.scratch, 'parts') };
  await mkdir(sorting.parts, { recursive: true });
  const ranges = await partSegments(sorting, segments);
  await session.run('CREATE OR REPLACE TEMP TABLE traded (condition VARCHAR, first_fill_s BIGINT, last_fill_s BIGINT)');
  const written: SortedRange[] = [];
  for (const [i, range] of ranges.entries()) {
    progress?.('compact', i, ranges.length);
    written.push(await writeRange(sorting, range, i, written.at(-1)?.lastPlaceNo ?? 0));
  }
  progress?.('compact', ranges.length, ranges.length);
  await rm(sorting.parts, { recursive: true });
  return { ranges: written, ...(await writeConditions(sorting)), cutOffs: entryCutOffs(RATING_CONFIG) };
}

/** Cuts the wallets into ranges, and the fills of the segments with them: each is then read once and not once per range. */
async function partSegments(
  { session, folder: { dir }, before, parts }: Sorting,
  segments: readonly Segment[],
): Promise<readonly WalletRange[]> {
  const late = sqlFiles(
    segments.map(({ path }) => join(dir, path)),
    FILL_COLUMNS,
  );
  const counts = sqlFiles(
    before.map(({ wallets }) => join(dir, wallets)),
    { wallet: 'VARCHAR', fills: 'BIGINT' },
  );
  const fromWallets = await cutWallets(session, late, counts, RANGE_FILLS);
  await session.run(`COPY (SELECT ${FILL_NAMES}, range_no FROM ${late} JOIN cut USING (wallet))
    TO ${sqlText(parts)} (FORMAT parquet, COMPRESSION lz4, PARTITION_BY (range_no), OVERWRITE_OR_IGNORE)`);
  return toRanges(fromWallets);
}

async function writeRange(
  { session, folder, place, parts, before }: Sorting,
  range: WalletRange,
  no: number,
  lastPlaceNo: number,
): Promise<SortedRange> {
  const { dir } = folder;
  const part = join(parts, `range_no=${no}`);
  const late = (await namesIn(part)).map((name) => join(part, name));
  const old = before.filter((_, n) => overlaps(before, n, range));
  const places = sqlFiles(
    old.map((file) => join(dir, file.places)),
    PLACE_COLUMNS,
  );
  const sorted = sqlFiles(
    old.map(({ fills }) => join(dir, fills)),
    SORTED_COLUMNS,
  );
  const own = `(SELECT * FROM ${places} WHERE ${sqlInRange(range)})`;
  const all = `(SELECT * FROM ${sqlUnsorted(sorted, own)} UNION ALL SELECT * FROM ${sqlFiles(late, FILL_COLUMNS)})`;
  const steps = [...sqlSortSteps('own', all, lastPlaceNo + 1), ...sqlFactSteps('own', RATING_CONFIG)];
  for (const step of steps) await session.run(sqlStep(step));
  await session.run(TRADED);
  const write = (name: string, query: string, groupRows?: number) =>
    keepParquet(folder, place, `${name}-${no}`, (path) => session.run(sqlWrite(query, path, groupRows)));
  const [counted] = await session.rows<{ rows: bigint; last: number | null }>(
    'SELECT (SELECT count(*) FROM own_sorted) AS rows, (SELECT max(place_no) FROM own_place) AS last',
  );
  return {
    fromWallet: range.fromWallet,
    fills: await write('fills', `SELECT * FROM own_sorted ORDER BY place_no, time_s`, ROW_GROUP_FILLS),
    places: await write(
      'places',
      'SELECT * FROM own_place LEFT JOIN own_fact USING (place_no) ORDER BY place_no',
      ROW_GROUP_FILLS,
    ),
    wallets: await write('wallets', WALLETS),
    rows: Number(counted!.rows),
    lastPlaceNo: counted!.last ?? lastPlaceNo,
  };
}

/** Also of fills that are too small to be rated. */
const TRADED = `
  INSERT INTO traded SELECT condition, min(first_fill_s), max(last_fill_s)
  FROM own_place JOIN (
    SELECT place_no, min(time_s) AS first_fill_s, max(time_s) AS last_fill_s FROM own_sorted GROUP BY place_no
  ) USING (place_no)
  GROUP BY condition`;

const WALLETS = `
  SELECT wallet, count(*) AS fills FROM own_sorted JOIN own_place USING (place_no) GROUP BY wallet ORDER BY wallet`;

async function writeConditions({
  session,
  folder,
  place,
}: Sorting): Promise<Pick<SortedFills, 'conditions' | 'firstFillS' | 'lastFillS'>> {
  const [ends] = await session.rows<{ first: bigint | null; last: bigint | null }>(
    'SELECT min(first_fill_s) AS first, max(last_fill_s) AS last FROM traded',
  );
  const query = 'SELECT condition, max(last_fill_s) AS last_fill_s FROM traded GROUP BY condition ORDER BY condition';
  const conditions = await keepParquet(folder, place, 'conditions', (path) => session.run(sqlWrite(query, path)));
  const [firstFillS, lastFillS] = [ends!.first, ends!.last].map((end) => (end === null ? null : Number(end)));
  return { conditions, firstFillS: firstFillS!, lastFillS: lastFillS! };
}

/** Numbers grow, so that no reader ever finds other files under a path that it knows. */
async function nextGeneration(dir: string): Promise<string> {
  const numbers = (await namesIn(join(dir, SORTED_FOLDER))).map(Number).filter(Number.isInteger);
  return String(Math.max(0, ...numbers) + 1);
}
