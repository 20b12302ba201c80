import { join, relative } from 'node:path';
import { keepParquet, namesIn, readParquetName } from './tape-files.js';
import type { LayerBase } from './tape-manifest.js';
import { type SqlColumns, sqlFiles } from './tape-sql.js';

/** Digits of a number in a file name, so that names sort as numbers do. */
const NUMBER_DIGITS = 10;

/** Numbered files of rows, newer ones over older ones, and the merged file below them. */
export interface Layers {
  /** Relative to the folder of the tape. */
  readonly files: readonly string[];
  /** The greatest number among them. */
  readonly through: number;
}

/** Returns the files of a folder ("markets", "names") that count, oldest first. */
export async function listLayers(dir: string, folder: string, base: LayerBase | null): Promise<Layers> {
  const after = base?.through ?? 0;
  const numbered = (await namesIn(join(dir, folder))).flatMap((fileName) => {
    const number = numberOf(fileName);
    return number !== null && number > after ? [{ number, path: join(folder, fileName) }] : [];
  });
  return {
    files: [...(base === null ? [] : [base.file]), ...numbered.map(({ path }) => path)],
    through: numbered.at(-1)?.number ?? after,
  };
}

/** Adds rows above all that are there; `write` writes their Parquet file. */
export async function keepLayer(
  dir: string,
  folder: string,
  base: LayerBase | null,
  write: (path: string) => Promise<void>,
): Promise<void> {
  const { through } = await listLayers(dir, folder, base);
  await keepParquet(join(dir, folder), nameOf(through + 1), write);
}

/** Writes the merged file of the layers up to `through`. It counts when the manifest says so. */
export async function keepLayerBase(
  dir: string,
  folder: string,
  through: number,
  write: (path: string) => Promise<void>,
): Promise<LayerBase> {
  const path = await keepParquet(join(dir, folder), `through-${nameOf(through)}`, write);
  return { file: relative(dir, path), through };
}

/**
 * Returns the rows of layers with a column `age` that grows from older to newer rows. Each file holds its rows in order, numbered by
 * a column `ordinal`.
 */
export function sqlLayers(dir: string, { files }: Layers, columns: SqlColumns): string {
  const paths = files.map((file) => join(dir, file));
  const source = sqlFiles(paths, { ...columns, ordinal: 'BIGINT' }, { fileName: true });
  const number = `coalesce(try_cast(regexp_extract(filename, '[/\\\\]([0-9]{${NUMBER_DIGITS}})[.][0-9a-f]{16}[.]parquet$', 1) AS BIGINT), 0)`;
  return `(SELECT ${Object.keys(columns).join(', ')}, ${number} * 4294967296 + ordinal AS age FROM ${source})`;
}

function nameOf(number: number): string {
  return String(number).padStart(NUMBER_DIGITS, '0');
}

function numberOf(fileName: string): number | null {
  const name = readParquetName(fileName)?.name ?? '';
  return /^\d+$/.test(name) ? Number(name) : null;
}
