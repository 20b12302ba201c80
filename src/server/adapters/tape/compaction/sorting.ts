import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { RATING_CONFIG } from '#domain/rating/rating-config';
import type { TapeProgress } from '#ports/tape';
import type { TapeSession } from '../engine/database.js';
import { keepParquet } from '../files/files.js';
import { scratchOf, type TapeFolder } from '../files/folder.js';
import { namesIn } from '../files/listing.js';
import type { SortedFiles, SortedFills } from '../files/manifest.js';
import { cutWallets, toRanges, type WalletRange } from '../sorted/ranges.js';
import { FILL_NAMES, SOURCED_COLUMNS } from '../sql/fills.js';
import { sqlFactSteps } from '../sql/positions.js';
import { sqlSortSteps, sqlStep } from '../sql/sorting.js';
import { sqlFiles, sqlText, sqlWrite } from '../sql/sql.js';
import { SORTED_FOLDER } from './outdated.js';
import { REPORTED } from './reported.js';

/** Small row groups: one wallet's fills are found by their statistics. */
const ROW_GROUP_FILLS = 61_440;

/** What a new generation is made in. */
export interface Sorting {
  readonly session: TapeSession;
  readonly folder: TapeFolder;
  /** The new generation, a folder of the tape. */
  readonly place: string;
  /** Where the late fills lie by range, in folders `range_no=<n>`, if there are several. */
  readonly parts: string;
}

/** A range that is written: its wallets, and its late fills. */
export interface RangePart {
  readonly no: number;
  readonly range: WalletRange;
  /** A relation of `SOURCED_COLUMNS`. */
  readonly late: string;
}

/** What a generation is made of. */
export interface SortOrder {
  readonly session: TapeSession;
  readonly folder: TapeFolder;
  /** The fills to be sorted in: a relation of `SOURCED_COLUMNS`. */
  readonly late: string;
  /** Whether CSV imports are among them, or among what is sorted. */
  readonly hasImports: boolean;
  /** CSV imports that are taken back: what only they told is left out. */
  readonly dropped: readonly string[];
  /** How many fills wallets have beside the late ones. */
  readonly counts: string;
  readonly rangeFills: number;
  readonly progress: TapeProgress | undefined;
}

/** What all generations say of themselves. */
export type GenerationEnds = Pick<SortedFills, 'conditions' | 'firstFillS' | 'lastFillS'>;

/**
 * Writes a new generation, range by range, so that memory is bounded. It counts when the manifest
 * says so. `write` is given what the range before it became.
 */
export async function writeGeneration<Files extends SortedFiles>(
  order: SortOrder,
  write: (sorting: Sorting, part: RangePart, before: Files | undefined) => Promise<Files>,
): Promise<{ readonly ranges: readonly Files[]; readonly ends: GenerationEnds }> {
  const { session, folder } = order;
  const subfolder = join(SORTED_FOLDER, await nextGeneration(folder.dir));
  // Of a new name each time: the engine keeps what it read, and takes a file that was made anew
  // within a moment for the old one.
  const parts = await mkdtemp(join(await scratchOf(folder), 'parts-'));
  const sorting: Sorting = { session, folder, place: subfolder, parts };
  try {
    const ranges = await writeRanges(sorting, order, write);
    return { ranges, ends: await writeEnds(sorting) };
  } finally {
    await rm(parts, { recursive: true, force: true });
  }
}

async function writeRanges<Files extends SortedFiles>(
  sorting: Sorting,
  order: SortOrder,
  write: (sorting: Sorting, part: RangePart, before: Files | undefined) => Promise<Files>,
): Promise<readonly Files[]> {
  const { session, parts } = sorting;
  const ranges = await partSegments(sorting, order);
  await session.run('CREATE OR REPLACE TEMP TABLE traded (condition VARCHAR, first_fill_s BIGINT, last_fill_s BIGINT)');
  const written: Files[] = [];
  for (const [no, range] of ranges.entries()) {
    order.progress?.('compact', no, ranges.length);
    const late = ranges.length === 1 ? order.late : await sqlPart(parts, no);
    written.push(await write(sorting, { no, range, late }, written.at(-1)));
  }
  order.progress?.('compact', ranges.length, ranges.length);
  return written;
}

async function sqlPart(parts: string, no: number): Promise<string> {
  const part = join(parts, `range_no=${no}`);
  const paths = (await namesIn(part)).map((name) => join(part, name));
  return sqlFiles(paths, SOURCED_COLUMNS);
}

/**
 * Cuts the wallets into ranges, and the late fills with them: each is then read once and not once
 * per range.
 */
async function partSegments({ session, parts }: Sorting, order: SortOrder): Promise<readonly WalletRange[]> {
  const { late } = order;
  const fromWallets = await cutWallets(session, late, order.counts, order.rangeFills);
  if (fromWallets.length > 1) {
    await session.run(`COPY (SELECT ${FILL_NAMES}, source, range_no FROM ${late} JOIN cut USING (wallet))
      TO ${sqlText(parts)} (FORMAT parquet, COMPRESSION lz4, PARTITION_BY (range_no), OVERWRITE_OR_IGNORE)`);
  }
  return toRanges(fromWallets);
}

/** Writes a Parquet file of the new generation. */
export function keepSorted(
  { session, folder, place }: Sorting,
  name: string,
  query: string,
  groupRows?: number,
): Promise<string> {
  return keepParquet(folder, place, name, (path) => session.run(sqlWrite(query, path, groupRows)));
}

interface SortHow {
  /** Numbers begin after it. */
  readonly lastNo: number;
  /** The numbers that wallets have already. */
  readonly walletNos?: string;
  readonly hasImports: boolean;
}

/**
 * Sorts fills (a relation of `FILL_COLUMNS`) into the tables `own_sorted`, `own_position` and
 * `own_fact`, and writes the files of a range, with what `gatherFills` found out about their
 * sources.
 */
export async function writeSorted(
  sorting: Sorting,
  { no, range }: RangePart,
  fills: string,
  { lastNo, walletNos, hasImports }: SortHow,
): Promise<SortedFiles> {
  const { session } = sorting;
  const steps = [...sqlSortSteps('own', fills, lastNo + 1, walletNos), ...sqlFactSteps('own', RATING_CONFIG)];
  for (const step of steps) await session.run(sqlStep(step));
  await session.run(TRADED);
  const [counted] = await session.rows<{ rows: bigint; last: number | null }>(
    'SELECT (SELECT count(*) FROM own_sorted) AS rows, (SELECT max(place_no) FROM own_position) AS last',
  );
  const reported = hasImports ? await keepReported(sorting, no) : null;
  const positioned = 'SELECT * FROM own_position LEFT JOIN own_fact USING (place_no) ORDER BY place_no';
  return {
    fromWallet: range.fromWallet,
    fills: await keepSorted(sorting, `fills-${no}`, SORTED, ROW_GROUP_FILLS),
    places: await keepSorted(sorting, `places-${no}`, positioned, ROW_GROUP_FILLS),
    ...(reported === null ? {} : { told: reported }),
    rows: Number(counted!.rows),
    lastPlaceNo: counted!.last ?? lastNo,
  };
}

/** Returns null if no import told anything. */
async function keepReported(sorting: Sorting, no: number): Promise<string | null> {
  const [counted] = await sorting.session.rows<{ n: bigint }>(`SELECT count(*) AS n FROM (${REPORTED})`);
  return counted!.n === 0n ? null : keepSorted(sorting, `told-${no}`, `${REPORTED} ORDER BY place_no`, ROW_GROUP_FILLS);
}

const SORTED = 'SELECT * FROM own_sorted ORDER BY place_no, time_s';

/** Also of fills that are too small to be rated. */
const TRADED = `
  INSERT INTO traded SELECT condition, min(first_fill_s), max(last_fill_s)
  FROM own_position JOIN (
    SELECT place_no, min(time_s) AS first_fill_s, max(time_s) AS last_fill_s FROM own_sorted GROUP BY place_no
  ) USING (place_no)
  GROUP BY condition`;

async function writeEnds(sorting: Sorting): Promise<GenerationEnds> {
  const [ends] = await sorting.session.rows<{ first: bigint | null; last: bigint | null }>(
    'SELECT min(first_fill_s) AS first, max(last_fill_s) AS last FROM traded',
  );
  const query = 'SELECT condition, max(last_fill_s) AS last_fill_s FROM traded GROUP BY condition ORDER BY condition';
  const conditions = await keepSorted(sorting, 'conditions', query);
  const [firstFillS, lastFillS] = [ends!.first, ends!.last].map((end) => (end === null ? null : Number(end)));
  return { conditions, firstFillS: firstFillS!, lastFillS: lastFillS! };
}

/** Numbers grow, so that no reader ever finds other files under a path that it knows. */
async function nextGeneration(dir: string): Promise<string> {
  const numbers = (await namesIn(join(dir, SORTED_FOLDER))).map(Number).filter(Number.isInteger);
  return String(Math.max(0, ...numbers) + 1);
}
