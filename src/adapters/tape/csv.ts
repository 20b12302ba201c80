import { basename } from 'node:path';
import type { TapeProgress } from '#ports/tape';
import type { TapeDatabase, TapeSession } from './engine/database.js';
import { tapeFault, textOf } from './engine/fault.js';
import type { TapeFolder } from './files/folder.js';
import { keepLayer } from './files/layers.js';
import { readManifest } from './files/manifest.js';
import { dayOf, keepSegment } from './files/segments.js';
import { type CsvKind, FILLS_CSV, MARKETS_CSV } from './sql/csv.js';
import { sqlText, sqlWrite } from './sql/sql.js';

/** A line of CSV is at most so long. */
const LINE_BYTES_MAX = 65_536;

/** The row of the first data of a file: its first row holds the names. */
const FIRST_DATA_ROW = 2;

/** Imports an exported tape: markets first, so that no fill of it is ever of an unknown market. */
export async function importCsv(
  database: TapeDatabase,
  folder: TapeFolder,
  files: { readonly fills: string; readonly markets: string },
  progress?: TapeProgress,
): Promise<void> {
  await database.session(async (session) => {
    progress?.('check', 0, 2);
    const markets = await inFile(files.markets, openCsv(session, files.markets, MARKETS_CSV));
    progress?.('check', 1, 2);
    const fills = await inFile(files.fills, openCsv(session, files.fills, FILLS_CSV));
    progress?.('import', 0, 2);
    await importMarkets(session, folder, markets);
    progress?.('import', 1, 2);
    await importFills(session, folder, files.fills, fills);
    progress?.('import', 2, 2);
  });
}

/** Puts the name of a file before what is wrong with it. */
async function inFile(file: string, work: Promise<string>): Promise<string> {
  try {
    return await work;
  } catch (cause) {
    throw tapeFault(`${file}: ${faultOf(textOf(cause))}`, cause);
  }
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
  const numbered = `SELECT ${MARKETS_CSV.select}, row_no AS ordinal FROM ${source}`;
  await keepLayer(folder, 'markets', base, (path) => session.run(sqlWrite(numbered, path)));
}

/**
 * As they stand in the file: a compaction sorts them, and until then a wallet's are found by
 * reading all. The segment has the name of the file: importing a file again replaces what it
 * brought before.
 */
async function importFills(session: TapeSession, folder: TapeFolder, file: string, source: string): Promise<void> {
  const [oldest] = await session.rows<{ at: bigint | null }>(`SELECT min(timestamp::BIGINT) AS at FROM ${source}`);
  const day = oldest!.at === null ? 'none' : dayOf(Number(oldest!.at));
  const name = `csv-${basename(file).replaceAll(/[^A-Za-z0-9_.-]/g, '_')}`.slice(0, 200);
  const rows = `SELECT ${FILLS_CSV.select}, 0::BIGINT AS ordinal FROM ${source}`;
  await keepSegment(folder, name, day, (path) => session.run(sqlWrite(rows, path)));
}

/**
 * Returns the relation of the texts of a file, with their `row_no`, or rejects if they do not fit
 * its kind.
 */
async function openCsv(session: TapeSession, file: string, kind: CsvKind): Promise<string> {
  const names = await readHeader(session, file);
  const expected = kind.columns.map(({ name }) => name);
  const missing = expected.filter((name) => !names.includes(name));
  const unknown = names.filter((name, i) => !expected.includes(name) || names.indexOf(name) !== i);
  if (missing.length > 0 || unknown.length > 0) {
    const faults = [
      ...missing.map((name) => `column "${name}" is missing`),
      ...unknown.map((name) => `column "${name}" is unknown or duplicated`),
    ];
    throw new Error(`${faults.join(', ')}; the columns are ${expected.join(',')}`);
  }
  const columns = names.map((name) => `${sqlText(name)}: 'VARCHAR'`).join(', ');
  const source = `(SELECT *, row_number() OVER () + ${FIRST_DATA_ROW - 1} AS row_no
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
  const fault = kind.columns.map(({ test }, i) => `WHEN NOT (${test}) THEN ${i}`).join(' ');
  const [first] = await session.rows<{ row_no: bigint; column_no: number; text: string | null }>(`
    SELECT row_no, column_no, [${kind.columns.map(({ name }) => name).join(', ')}][column_no + 1] AS text
    FROM (SELECT *, CASE ${fault} END AS column_no FROM ${source}) WHERE column_no IS NOT NULL ORDER BY row_no LIMIT 1`);
  if (first === undefined) return;
  const { name, must } = kind.columns[first.column_no]!;
  throw new Error(`row ${first.row_no}, column "${name}": ${must}, and is "${first.text ?? ''}"`);
}
