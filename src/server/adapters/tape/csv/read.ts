import type { TapeSession } from '../engine/database.js';
import { tapeFault, textOf } from '../engine/fault.js';
import type { CsvKind } from '../sql/csv.js';
import { sqlText } from '../sql/sql.js';
import { isUtf16 } from './bytes.js';
import { firstOtherLineEnd } from './line-ends.js';

/** A line of CSV is at most so long. */
const LINE_BYTES_MAX = 65_536;

/** The row of the first data of a file: its first row holds the names. */
const FIRST_DATA_ROW = 2;

/**
 * Returns the relation of the texts of a file, with their `row_no`, or rejects, naming the file, if
 * they do not fit its kind.
 */
export async function readCsv(session: TapeSession, file: string, kind: CsvKind): Promise<string> {
  try {
    return await openCsv(session, file, kind);
  } catch (cause) {
    throw tapeFault(`${file}: ${await faultIn(file, textOf(cause))}`, cause);
  }
}

/** Returns what is wrong with a file of which DuckDB says this. */
async function faultIn(file: string, text: string): Promise<string> {
  // What cannot be read at all DuckDB has said better.
  if (await isUtf16(file).catch(() => false)) return 'it is UTF-16 text; save it as UTF-8';
  return UNPARSED.test(text) ? lineEndsOf(file) : faultOf(text);
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

async function openCsv(session: TapeSession, file: string, kind: CsvKind): Promise<string> {
  const names = await readHeader(session, file);
  const expected = kind.columns.map(({ name }) => name);
  const missing = expected.filter((name) => !names.includes(name));
  const more = kind.more.map(({ name }) => name);
  const existing = [...expected, ...more];
  const unknown = names.filter((name, i) => !existing.includes(name) || names.indexOf(name) !== i);
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

/**
 * A file of two kinds of line ends is read with the ends of the one inside the texts of the other.
 */
function oneLine({ name }: { readonly name: string }) {
  const test = `NOT coalesce(regexp_matches(${name}, '[\\r\\n]'), false)`;
  return { name, test, must: 'must not hold a line break (a file has one kind of line ends)' };
}
