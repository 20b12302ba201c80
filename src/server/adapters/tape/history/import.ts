import { basename } from 'node:path';
import { DAY_S, isoDay } from '#domain/time';
import type { HistoryFormat, HistoryImport, HistoryReport, TapeProgress } from '#ports/tape';
import type { TapeDatabase } from '../engine/database.js';
import { digestOf } from '../files/files.js';
import type { TapeFolder } from '../files/folder.js';
import { keepSegment } from '../files/segments.js';
import { readSnapshot } from '../files/snapshot.js';
import { sqlWrite } from '../sql/sql.js';
import { cachedTokenOutcomes } from './cached-outcomes.js';
import { ORDER_FILLED } from './order-filled.js';
import { checkRows, findFiles, isMoment, openParquet, type ParquetFile, secondsSql, sqlRows } from './parquet.js';
import { POLYMARKET_USERS } from './polymarket-users.js';
import { type FileRecord, type HistoryRecord, readRecord, saveRecord, wholeSpansOf, withUnplaced } from './record.js';
import { addCounts, FILL_TABLE, type HistorySource, NO_COUNTS, type PartCounts, type PartTools } from './source.js';
import { addTableMarkets, countMarkets, type MarketCounts, openTables, tableTokenOutcomes } from './tables.js';

const SOURCES: Readonly<Record<HistoryFormat, HistorySource>> = {
  'polymarket-users': POLYMARKET_USERS,
  orderfilled: ORDER_FILLED,
};
/** In the place of the digest of tables. */
const REQUESTED = 'asked';

/** One import while it goes on. */
interface Work extends PartTools {
  readonly folder: TapeFolder;
  readonly order: HistoryImport;
  readonly source: HistorySource;
  readonly progress: TapeProgress | undefined;
  /** Names who says where tokens belong. */
  tables: string;
  /** What was imported so far, also by earlier runs. */
  record: HistoryRecord;
}

/**
 * Imports a data set, the tables of its markets first, so that no fill of it is ever of an unknown
 * market. After each piece it is written down what was read: a run after a kill begins with the
 * piece that was in work, whose segment it writes anew under the same name.
 */
export async function importHistory(
  database: TapeDatabase,
  folder: TapeFolder,
  order: HistoryImport,
  progress?: TapeProgress,
): Promise<HistoryReport> {
  return database.session(async (session) => {
    await session.run("SET TimeZone = 'UTC'");
    const source = SOURCES[order.format];
    const files: ParquetFile[] = [];
    for (const path of await findFiles(session, order.files))
      files.push(await openParquet(session, path, source.needed));
    const work: Work = {
      ...{ database, session, folder, order, source, progress },
      outcomes: cachedTokenOutcomes('tables' in order.tokens ? tableTokenOutcomes(session) : order.tokens.outcomes),
      tables: REQUESTED,
      record: await readRecord(folder.dir),
    };
    const markets = await importTables(work);
    return { ...markets, ...(await importFiles(work, files)) };
  });
}

async function importTables(work: Work): Promise<MarketCounts> {
  const { database, folder, session, order, record } = work;
  if (!('tables' in order.tokens)) return { markets: 0, marketsUndated: 0 };
  work.progress?.('markets', 0, 1);
  const digest = await openTables(session, order.tokens.tables);
  work.tables = digest;
  const { markets: existing } = await readSnapshot(folder.dir);
  const counts = await countMarkets(session, existing);
  if (order.isDry !== true && record.tables !== digest) {
    await addTableMarkets(database, folder, session, existing);
    work.record = { ...record, tables: digest };
    await saveRecord(folder, work.record);
  }
  work.progress?.('markets', 1, 1);
  return counts;
}

async function importFiles(
  work: Work,
  files: readonly ParquetFile[],
): Promise<Omit<HistoryReport, keyof MarketCounts>> {
  const { order } = work;
  const rowsAll = files.reduce((rows, file) => rows + file.rows, 0);
  let counts = NO_COUNTS;
  let [rowsDone, filesDone, filesKnown] = [0, 0, 0];
  for (const file of files) {
    if (order.signal?.aborted) break;
    work.progress?.('import', rowsDone, rowsAll);
    const digest = await digestOf(file.path);
    const before = earlierOf(work, digest);
    if (before?.isWhole === true) filesKnown++;
    else counts = addCounts(counts, await importFile(work, file, digest, before, rowsDone, rowsAll));
    rowsDone += file.rows;
    if (order.isDry === true || recordOf(work, digest)?.isWhole === true) filesDone++;
  }
  work.progress?.('import', rowsDone, rowsAll);
  return {
    ...counts,
    files: files.length,
    filesKnown,
    whole: wholeSpansOf(work.record, order.format),
    isComplete: filesDone === files.length,
  };
}

/** With other tables, which may know more tokens, a file is read anew. */
function recordOf({ record, tables }: Work, digest: string): FileRecord | undefined {
  const file = record.files[digest];
  return file?.tables === tables ? file : undefined;
}

/**
 * What an earlier run has of a file. One with tokens that it could not place is read anew: who was
 * asked may know more by now.
 */
function earlierOf(work: Work, digest: string): FileRecord | undefined {
  const file = recordOf(work, digest);
  return file?.isWhole === true && file.unplaced !== undefined ? undefined : file;
}

/** Imports what an earlier run has not, and returns what came of that. */
async function importFile(
  work: Work,
  file: ParquetFile,
  digest: string,
  before: FileRecord | undefined,
  rowsDone: number,
  rowsAll: number,
): Promise<PartCounts> {
  const { order, source, session, folder } = work;
  let record = before ?? (await beginFile(work, file));
  let counts = NO_COUNTS;
  while (record.nextRow < file.rows && !order.signal?.aborted) {
    const from = record.nextRow;
    const to = await endOfPart(work, file, from + (order.rowsPerPart ?? source.rowsPerPart));
    const { unplacedS, ...read } = await source.read(work, { file, from, to });
    counts = addCounts(counts, read);
    record = { ...record, nextRow: to, isWhole: to === file.rows };
    // Tables are all that there is to know; a venue that is asked may know more another day.
    if ('outcomes' in order.tokens && unplacedS.length > 0) {
      record = { ...record, unplaced: withUnplaced(record.unplaced ?? [], unplacedS) };
    }
    if (order.isDry !== true) {
      await keepSegment(folder, `${order.format}-${digest}-${from}`, isoDay(record.firstS), (path) =>
        session.run(sqlWrite(`SELECT *, 0::BIGINT AS ordinal FROM ${FILL_TABLE}`, path)),
      );
      work.record = { ...work.record, files: { ...work.record.files, [digest]: record } };
      await saveRecord(folder, work.record);
    }
    await session.run(`DROP TABLE ${FILL_TABLE}`);
    work.progress?.('import', rowsDone + to, rowsAll);
  }
  return counts;
}

/** So many rows are looked at behind the end of a piece. */
const ORDER_ROWS_MAX = 10_000;

/** Returns the row before which a piece ends, near `to`: rows of one order stay together. */
async function endOfPart({ session, source }: Work, file: ParquetFile, to: number): Promise<number> {
  if (to >= file.rows || source.order === undefined) return Math.min(to, file.rows);
  const [next] = await session.rows<{ row: bigint | null }>(`
    SELECT min(row_no) AS row FROM (
      SELECT row_no, "${source.order}" IS DISTINCT FROM lag("${source.order}") OVER (ORDER BY row_no) AS is_next
      FROM ${sqlRows(file, to - 1, to + ORDER_ROWS_MAX)}
    ) WHERE is_next AND row_no >= ${to}`);
  return Math.min(file.rows, next?.row == null ? to + ORDER_ROWS_MAX : Number(next.row));
}

/** Checks every row before the first one is imported. */
async function beginFile({ session, order, source, tables }: Work, file: ParquetFile): Promise<FileRecord> {
  const moment = isMoment(file, source.time, order.nowS + DAY_S, 'tomorrow');
  await checkRows(session, file, [moment, ...source.tests]);
  const time = secondsSql(file, source.time);
  const [ends] = await session.rows<{ first: bigint | null; last: bigint | null }>(
    `SELECT min(${time}) AS first, max(${time}) AS last FROM ${sqlRows(file)}`,
  );
  const [firstS, lastS] = [Number(ends!.first ?? 0), Number(ends!.last ?? 0)];
  const { format } = order;
  return { name: basename(file.path), format, tables, nextRow: 0, isWhole: file.rows === 0, firstS, lastS };
}
