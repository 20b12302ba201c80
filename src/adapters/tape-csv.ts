import { basename } from 'node:path';
import type { TapeProgress } from '#ports/tape';
import type { TapeDatabase, TapeSession } from './tape-database.js';
import { keepLayer } from './tape-layers.js';
import { readManifest } from './tape-manifest.js';
import { keepSegment } from './tape-segments.js';
import { sqlText, sqlWrite } from './tape-sql.js';
import { type CsvKind, FILLS_CSV, MARKETS_CSV } from './tape-sql-csv.js';
import { dayOf } from './tape-writes.js';

/** A line of CSV is at most so long. */
const LINE_BYTES_MAX = 65_536;

/** The row of the first data of a file: its first row holds the names. */
const FIRST_DATA_ROW = 2;

/** Imports an exported tape: markets first, so that no fill of it is ever of an unknown market. */
export async function importCsv(
  database: TapeDatabase,
  dir: string,
  files: { readonly fills: string; readonly markets: string },
  progress?: TapeProgress,
): Promise<void> {
  await database.session(async (session) => {
    progress?.('check', 0, 2);
    const markets = await openCsv(session, files.markets, MARKETS_CSV);
    progress?.('check', 1, 2);
    const fills = await openCsv(session, files.fills, FILLS_CSV);
    progress?.('import', 0, 2);
    await importMarkets(session, dir, markets);
    progress?.('import', 1, 2);
    await importFills(session, dir, files.fills, fills);
    progress?.('import', 2, 2);
  });
}

async function importMarkets(session: TapeSession, dir: string, source: string): Promise<void> {
  const { markets: base } = await readManifest(dir);
  const numbered = `SELECT ${MARKETS_CSV.select}, row_no AS ordinal FROM ${source}`;
  await keepLayer(dir, 'markets', base, (path) => session.run(sqlWrite(numbered, path)));
}

/** The segment has the name of the file: importing a file again replaces what it brought before. */
async function importFills(session: TapeSession, dir: string, file: string, source: string): Promise<void> {
  const [oldest] = await session.rows<{ at: bigint | null }>(`SELECT min(timestamp::BIGINT) AS at FROM ${source}`);
  const day = oldest!.at === null ? 'none' : dayOf(Number(oldest!.at));
  const name = `csv-${basename(file).replaceAll(/[^A-Za-z0-9_.-]/g, '_')}`.slice(0, 200);
  const rows = `SELECT ${FILLS_CSV.select}, 0::BIGINT AS ordinal FROM ${source} ORDER BY wallet, token, time_s`;
  await keepSegment(dir, name, day, (path) => session.run(sqlWrite(rows, path)));
}

/** Returns the relation of the texts of a file, with their `row_no`, or rejects where they do not fit its kind. */
async function openCsv(session: TapeSession, file: string, kind: CsvKind): Promise<string> {
  const names = await readHeader(session, file);
  const expected = kind.columns.map(({ name }) => name);
  const missing = expected.filter((name) => !names.includes(name));
  const unknown = names.filter((name, i) => !expected.includes(name) || names.indexOf(name) !== i);
  if (missing.length > 0 || unknown.length > 0) {
    const faults = [
      ...missing.map((name) => `column "${name}" is missing`),
      ...unknown.map((name) => `column "${name}" is unknown or doubled`),
    ];
    throw new Error(`${file}: ${faults.join(', ')}; the columns are ${expected.join(',')}`);
  }
  const columns = names.map((name) => `${sqlText(name)}: 'VARCHAR'`).join(', ');
  const source = `(SELECT *, row_number() OVER () + ${FIRST_DATA_ROW - 1} AS row_no
    FROM read_csv(${sqlText(file)}, ${FORMAT}, header = true, columns = {${columns}}))`;
  await checkRows(session, file, source, kind);
  return source;
}

/** Nothing is guessed: commas, double quotes, and texts as they stand. */
const FORMAT = `auto_detect = false, delim = ',', quote = '"', escape = '"', nullstr = '', strict_mode = true, max_line_size = ${LINE_BYTES_MAX}`;

async function readHeader(session: TapeSession, file: string): Promise<readonly string[]> {
  const columns = Array.from({ length: 64 }, (_, i) => `'c${i}': 'VARCHAR'`).join(', ');
  const [row] = await session.rows<Record<string, string | null>>(
    `SELECT * FROM read_csv(${sqlText(file)}, ${FORMAT}, header = false, null_padding = true, parallel = false, columns = {${columns}}) LIMIT 1`,
  );
  if (row === undefined) throw new Error(`${file}: the file is empty; its first row must name the columns`);
  return Object.values(row).filter((name) => name !== null);
}

/** Rejects with the first row that does not fit. */
async function checkRows(session: TapeSession, file: string, source: string, kind: CsvKind): Promise<void> {
  const fault = kind.columns.map(({ test }, i) => `WHEN NOT (${test}) THEN ${i}`).join(' ');
  const [first] = await session.rows<{ row_no: bigint; column_no: number; text: string | null }>(`
    SELECT row_no, column_no, [${kind.columns.map(({ name }) => name).join(', ')}][column_no + 1] AS text
    FROM (SELECT *, CASE ${fault} END AS column_no FROM ${source}) WHERE column_no IS NOT NULL ORDER BY row_no LIMIT 1`);
  if (first === undefined) return;
  const { name, must } = kind.columns[first.column_no]!;
  throw new Error(`${file}: row ${first.row_no}, column "${name}": ${must}, and is "${first.text ?? ''}"`);
}
