import { basename, join } from 'node:path';
import type { CsvImport, ImportReport, TapeProgress } from '#ports/tape';
import type { TapeDatabase, TapeSession } from './engine/database.js';
import { tapeFault, textOf } from './engine/fault.js';
import { digestOf } from './files/files.js';
import type { TapeFolder } from './files/folder.js';
import { keepLayer } from './files/layers.js';
import { readManifest } from './files/manifest.js';
import { dayOf, keepSegment, type Segment } from './files/segments.js';
import { readSnapshot } from './files/snapshot.js';
import { firstOtherLineEnd } from './line-ends.js';
import { numberOrNull } from './reads.js';
import { type CsvKind, FILL_NAMES_SELECT, fillsCsv, marketsCsv } from './sql/csv.js';
import { FILL_COLUMNS } from './sql/fills.js';
import { sqlFiles, sqlText, sqlWrite } from './sql/sql.js';

/** A line of CSV is at most so long. */
const LINE_BYTES_MAX = 65_536;

/** The row of the first data of a file: its first row holds the names. */
const FIRST_DATA_ROW = 2;

/**
 * Imports an exported tape: markets first, so that no fill of it is ever of an unknown market.
 * Nothing is written if a row does not fit, or on a dry run.
 */
export async function importCsv(
  database: TapeDatabase,
  folder: TapeFolder,
  order: CsvImport,
  progress?: TapeProgress,
): Promise<ImportReport> {
  const { nowS } = order;
  return database.session(async (session) => {
    progress?.('check', 0, 2);
    const markets = await inFile(order.markets, openCsv(session, order.markets, marketsCsv()));
    progress?.('check', 1, 2);
    const fills = await inFile(order.fills, openCsv(session, order.fills, fillsCsv(nowS)));
    const plan = await planImport(session, folder, order, { fills, markets });
    if (order.isDry === true) return plan.report;
    progress?.('import', 0, 2);
    await importMarkets(session, folder, markets);
    progress?.('import', 1, 2);
    await importFills(session, folder, plan.segment, fills, nowS);
    // After what takes their place: a crash in between leaves too much, which the same command ends.
    for (const segment of plan.replaced) await emptySegment(session, folder, segment);
    progress?.('import', 2, 2);
    return plan.report;
  });
}

/** What an import will do, and the segments that it does it with. */
interface ImportPlan {
  readonly segment: string;
  readonly replaced: readonly string[];
  readonly report: ImportReport;
}

/**
 * A segment has the digest of its file in its name: the same file again is the same segment, and
 * another file of the same name is another one.
 */
async function planImport(
  session: TapeSession,
  folder: TapeFolder,
  { fills: file, replace }: CsvImport,
  sources: { readonly fills: string; readonly markets: string },
): Promise<ImportPlan> {
  const segment = `${prefixOf(file)}${await digestOf(file)}`;
  const { dir } = folder;
  const snapshot = await readSnapshot(dir);
  const isBefore = (one: Segment) => replace !== undefined && one.segment.startsWith(prefixOf(replace));
  const replaced = snapshot.segments.filter((one) => isBefore(one) && one.segment !== segment);
  if (replace !== undefined && !snapshot.segments.some(isBefore)) {
    const why = 'nothing was imported under that name, or a compaction has sorted it in since';
    throw tapeFault(`there is no import "${replace}" to replace: ${why}`);
  }
  const count = async (sql: string) =>
    Number((await session.rows<{ n: bigint }>(`SELECT count(*) AS n FROM ${sql}`))[0]!.n);
  const paths = replaced.map(({ path }) => join(dir, path));
  const [times] = await session.rows<{ first: bigint | null; last: bigint | null }>(
    `SELECT min(timestamp::BIGINT) AS first, max(timestamp::BIGINT) AS last FROM ${sources.fills}`,
  );
  return {
    segment,
    replaced: replaced.map((one) => one.segment),
    report: {
      fills: await count(sources.fills),
      isRepeated: snapshot.segments.some((one) => one.segment === segment),
      firstFillS: numberOrNull(times!.first),
      lastFillS: numberOrNull(times!.last),
      fillsReplaced: await count(sqlFiles(paths, FILL_COLUMNS)),
      markets: await count(sources.markets),
      marketsKnown: await count(
        `(SELECT condition FROM ${sources.markets} INTERSECT SELECT condition FROM ${snapshot.markets})`,
      ),
    },
  };
}

const SEGMENT_LABEL_LENGTH_MAX = 150;

/** Begins the names of all segments that come of files of this name. */
function prefixOf(file: string): string {
  const label = basename(file).replaceAll(/[^A-Za-z0-9_.-]/g, '_');
  return `csv-${label.slice(0, SEGMENT_LABEL_LENGTH_MAX)}-`;
}

/** Puts the name of a file before what is wrong with it. */
async function inFile(file: string, work: Promise<string>): Promise<string> {
  try {
    return await work;
  } catch (cause) {
    const text = textOf(cause);
    throw tapeFault(`${file}: ${UNPARSED.test(text) ? await lineEndsOf(file) : faultOf(text)}`, cause);
  }
}

/** What DuckDB says of a file that it cannot cut into rows. */
const UNPARSED = /state machine reached an invalid state/;

async function lineEndsOf(file: string): Promise<string> {
  const row = await firstOtherLineEnd(file);
  return row === null
    ? 'it cannot be cut into rows; commas between, double quotes around texts that contain them'
    : `row ${row}: it ends another way than row 1 (LF and CR LF); a file has one kind of line ends`;
}

/**
 * Of a row that is none DuckDB says the line, the line's text, what is wrong, and ten ways to
 * overlook it.
 */
function faultOf(text: string): string {
  const line = /CSV Error on Line: (\d+)/.exec(text)?.[1];
  if (line === undefined) return text;
  const fault =
    /^(Expected Number of Columns|Value with|Maximum line size).*$/m.exec(text)?.[0] ?? 'it is not a row of CSV';
  return `row ${line}: ${fault}; correct the row, or quote texts that contain commas`;
}

async function importMarkets(session: TapeSession, folder: TapeFolder, source: string): Promise<void> {
  const { markets: base } = await readManifest(folder.dir);
  const numbered = `SELECT ${marketsCsv().select}, row_no AS ordinal FROM ${source}`;
  await keepLayer(folder, 'markets', base, (path) => session.run(sqlWrite(numbered, path)));
}

/** As they stand in the file: a compaction sorts them, and until then a wallet's are found by reading all. */
async function importFills(
  session: TapeSession,
  folder: TapeFolder,
  segment: string,
  source: string,
  nowS: number,
): Promise<void> {
  const [told] = await session.rows<{ at: bigint | null; names: bigint }>(
    `SELECT min(timestamp::BIGINT) AS at, count(nullif(name, '')) AS names FROM ${source}`,
  );
  const day = told!.at === null ? 'none' : dayOf(Number(told!.at));
  const rows = `SELECT ${fillsCsv(nowS).select}, 0::BIGINT AS ordinal FROM ${source}`;
  await keepSegment(folder, segment, day, (path) => session.run(sqlWrite(rows, path)));
  if (told!.names === 0n) return;
  const { names: base } = await readManifest(folder.dir);
  const named = `SELECT ${FILL_NAMES_SELECT}, row_no AS ordinal FROM ${source} WHERE name <> ''`;
  await keepLayer(folder, 'names', base, (path) => session.run(sqlWrite(named, path)));
}

/** A segment without fills: what it held is there no more. */
async function emptySegment(session: TapeSession, folder: TapeFolder, segment: string): Promise<void> {
  const nothing = `SELECT *, 0::BIGINT AS ordinal FROM ${sqlFiles([], FILL_COLUMNS)}`;
  await keepSegment(folder, segment, 'none', (path) => session.run(sqlWrite(nothing, path)));
}

/**
 * Returns the relation of the texts of a file, with their `row_no`, or rejects if they do not fit
 * its kind.
 */
async function openCsv(session: TapeSession, file: string, kind: CsvKind): Promise<string> {
  const names = await readHeader(session, file);
  const expected = kind.columns.map(({ name }) => name);
  const missing = expected.filter((name) => !names.includes(name));
  const more = kind.more.map(({ name }) => name);
  const known = [...expected, ...more];
  const unknown = names.filter((name, i) => !known.includes(name) || names.indexOf(name) !== i);
  if (missing.length > 0 || unknown.length > 0) {
    const faults = [
      ...missing.map((name) => `column "${name}" is missing`),
      ...unknown.map((name) => `column "${name}" is unknown or duplicated`),
    ];
    throw new Error(`${faults.join(', ')}; the columns are ${expected.join(',')}, and may be ${more.join(',')}`);
  }
  const columns = names.map((name) => `${sqlText(name)}: 'VARCHAR'`).join(', ');
  const absent = more.filter((name) => !names.includes(name)).map((name) => `NULL::VARCHAR AS ${name}, `);
  const source = `(SELECT *, ${absent.join('')}row_number() OVER () + ${FIRST_DATA_ROW - 1} AS row_no
    FROM read_csv(${sqlText(file)}, ${FORMAT}, header = true, columns = {${columns}}))`;
  await checkRows(session, source, kind);
  return source;
}

/** Nothing is guessed: commas, double quotes, and texts as they stand. */
const FORMAT = `auto_detect = false, delim = ',', quote = '"', escape = '"', nullstr = '', strict_mode = true,
  max_line_size = ${LINE_BYTES_MAX}`;

async function readHeader(session: TapeSession, file: string): Promise<readonly string[]> {
  const columns = Array.from({ length: 64 }, (_, i) => `'c${i}': 'VARCHAR'`).join(', ');
  const [row] = await session.rows<Record<string, string | null>>(
    `SELECT * FROM read_csv(${sqlText(file)}, ${FORMAT}, header = false, null_padding = true, parallel = false,
      columns = {${columns}}) LIMIT 1`,
  );
  if (row === undefined) throw new Error(`the file is empty; its first row must name the columns`);
  return Object.values(row).filter((name) => name !== null);
}

/** Rejects with the first row that does not fit. */
async function checkRows(session: TapeSession, source: string, kind: CsvKind): Promise<void> {
  const columns = [...kind.columns, ...kind.more].flatMap((column) => [oneLine(column), column]);
  const fault = columns.map(({ test }, i) => `WHEN NOT (${test}) THEN ${i}`).join(' ');
  const [first] = await session.rows<{ row_no: bigint; column_no: number; text: string | null }>(`
    SELECT row_no, column_no, [${columns.map(({ name }) => name).join(', ')}][column_no + 1] AS text
    FROM (SELECT *, CASE ${fault} END AS column_no FROM ${source}) WHERE column_no IS NOT NULL ORDER BY row_no LIMIT 1`);
  if (first === undefined) return;
  const { name, must } = columns[first.column_no]!;
  throw new Error(`row ${first.row_no}, column "${name}": ${must}, and is ${JSON.stringify(first.text ?? '')}`);
}

/** A file of two kinds of line ends is read with the ends of the one inside the texts of the other. */
function oneLine({ name }: { readonly name: string }) {
  const test = `NOT coalesce(regexp_matches(${name}, '[\\r\\n]'), false)`;
  return { name, test, must: 'must not hold a line break (a file has one kind of line ends)' };
}
