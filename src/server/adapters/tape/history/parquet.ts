import type { TapeSession } from '../engine/database.js';
import { tapeFault, textOf } from '../engine/fault.js';
import { sqlText } from '../sql/sql.js';

/** A column that a Parquet file has to have, under the first of these names that it has. */
export type Needed = readonly [name: string, ...others: string[]];

/** A Parquet file, its columns checked. */
export interface ParquetFile {
  readonly path: string;
  readonly rows: number;
  /** Types by column, as DuckDB reads them. */
  readonly types: ReadonlyMap<string, string>;
}

/** What a value has to be, as a test in SQL. */
export interface RowTest {
  readonly name: string;
  readonly test: string;
  readonly must: string;
}

/** Returns the files of paths and patterns, each once, by name. Rejects if there is none. */
export async function findFiles(session: TapeSession, patterns: readonly string[]): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const pattern of patterns) {
    const rows = await session.rows<{ file: string }>(`SELECT file FROM glob(${sqlText(pattern)})`);
    if (rows.length === 0) throw tapeFault(`there is no file ${pattern}`);
    for (const { file } of rows) found.add(file);
  }
  return [...found].sort();
}

/** Opens a file, and rejects, in one sentence, if it lacks some of the columns. */
export async function openParquet(session: TapeSession, path: string, needed: readonly Needed[]): Promise<ParquetFile> {
  const types = await readTypes(session, path);
  const missing = needed.filter((names) => !names.some((name) => types.has(name)));
  if (missing.length > 0) {
    const columns = `${missing.length === 1 ? 'the column' : 'the columns'} ${missing.map(quoted).join(', ')}`;
    throw tapeFault(`${path} lacks ${columns}; it needs ${needed.map(([name]) => name).join(', ')}`);
  }
  const [counted] = await session.rows<{ rows: bigint }>(
    `SELECT num_rows AS rows FROM parquet_file_metadata(${sqlText(path)})`,
  );
  return { path, rows: Number(counted!.rows), types };
}

function quoted([name, ...others]: Needed): string {
  return others.length === 0 ? `"${name}"` : `"${name}" (or ${others.map((other) => `"${other}"`).join(', ')})`;
}

async function readTypes(session: TapeSession, path: string): Promise<ReadonlyMap<string, string>> {
  try {
    const rows = await session.rows<{ column_name: string; column_type: string }>(
      `DESCRIBE SELECT * FROM ${read(path)}`,
    );
    return new Map(rows.map(({ column_name, column_type }) => [column_name, column_type]));
  } catch (cause) {
    throw tapeFault(`${path} cannot be read as Parquet: ${textOf(cause).split('\n')[0]}`, cause);
  }
}

function read(path: string): string {
  return `read_parquet(${sqlText(path)}, hive_partitioning = false)`;
}

/**
 * Returns the relation of some rows of a file, with their number as `row_no`; the first one is 0.
 */
export function sqlRows({ path }: ParquetFile, from = 0, to = Number.MAX_SAFE_INTEGER): string {
  return `(SELECT *, file_row_number AS row_no
    FROM read_parquet(${sqlText(path)}, hive_partitioning = false, file_row_number = true)
    WHERE file_row_number >= ${from} AND file_row_number < ${to})`;
}

/** Returns the name under which a file has a column; null if it has none. */
export function columnIn({ types }: ParquetFile, [...names]: Needed): string | null {
  return names.find((name) => types.has(name)) ?? null;
}

/**
 * Returns a moment of a file in whole seconds, whatever its type: a date, a timestamp, its text, or
 * seconds.
 */
export function secondsSql(file: ParquetFile, column: string): string {
  const type = file.types.get(column) ?? '';
  if (type === 'VARCHAR') return `epoch_ns(try_cast("${column}" AS TIMESTAMPTZ)) // 1000000000`;
  if (type === 'DATE') return `epoch_ns("${column}"::TIMESTAMP) // 1000000000`;
  return type.startsWith('TIMESTAMP') ? `epoch_ns("${column}") // 1000000000` : `try_cast("${column}" AS BIGINT)`;
}

/** Returns the test of a value that has to be there. */
export function present(name: string): RowTest {
  return { name, test: `"${name}" IS NOT NULL`, must: 'must not be empty' };
}

/** The venue is younger than this; what is before it is in another unit. */
const FIRST_S = 1_577_836_800;

/** Returns the test of a moment that has to lie between 2020 and another one. */
export function isMoment(file: ParquetFile, column: string, lastS: number, last: string): RowTest {
  const seconds = secondsSql(file, column);
  return {
    name: column,
    test: `coalesce(${seconds} BETWEEN ${FIRST_S} AND ${lastS}, false)`,
    must: `must be a moment from 2020 to ${last} (a timestamp, or whole seconds)`,
  };
}

/** Rejects with the first row that does not pass. */
export async function checkRows(session: TapeSession, file: ParquetFile, tests: readonly RowTest[]): Promise<void> {
  const fault = tests.map(({ test }, i) => `WHEN NOT (${test}) THEN ${i}`).join(' ');
  const texts = tests.map(({ name }) => `"${name}"::VARCHAR`).join(', ');
  const [first] = await session.rows<{ row_no: bigint; test_no: number; text: string | null }>(`
    SELECT row_no, test_no, [${texts}][test_no + 1] AS text
    FROM (SELECT *, CASE ${fault} END AS test_no FROM ${sqlRows(file)})
    WHERE test_no IS NOT NULL ORDER BY row_no LIMIT 1`);
  if (first === undefined) return;
  const { name, must } = tests[first.test_no]!;
  const value = first.text === null ? 'empty' : JSON.stringify(first.text);
  throw tapeFault(`${file.path}: row ${first.row_no + 1n}, column "${name}": ${must}, and is ${value}`);
}
