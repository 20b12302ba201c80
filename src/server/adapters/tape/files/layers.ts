import { join } from 'node:path';
import { type SqlColumns, sqlFiles } from '../sql/sql.js';
import { keepParquet, readParquetName } from './files.js';
import type { TapeFolder } from './folder.js';
import { namesIn } from './listing.js';
import type { LayerBase } from './manifest.js';

/** Digits of a number in a file name, so that names sort as numbers do. */
const NUMBER_DIGITS = 10;

/** Ages between one layer and the next; those of a merged file are below it. */
export const LAYER_AGES = 4_294_967_296;

/** Numbered files of rows, newer ones over older ones, and the merged file below them. */
export interface Layers {
  /** Relative to the folder of the tape. */
  readonly files: readonly string[];
  /** The greatest number among them. */
  readonly through: number;
}

/** Returns the files of a folder ("markets", "names") that count, oldest first. */
export async function listLayers(dir: string, subfolder: string, base: LayerBase | null): Promise<Layers> {
  const merged = new Set(base?.merged);
  const numbered = (await namesIn(join(dir, subfolder))).flatMap((fileName) => {
    const number = numberOf(fileName);
    const path = join(subfolder, fileName);
    return number === null || merged.has(path) ? [] : [{ number, path }];
  });
  return {
    files: [...(base === null ? [] : [base.file]), ...numbered.map(({ path }) => path)],
    through: Math.max(base?.through ?? 0, numbered.at(-1)?.number ?? 0),
  };
}

/** Adds rows above all that are there; `write` writes their Parquet file. */
export async function keepLayer(
  folder: TapeFolder,
  subfolder: string,
  base: LayerBase | null,
  write: (path: string) => Promise<void>,
): Promise<void> {
  const { through } = await listLayers(folder.dir, subfolder, base);
  await keepParquet(folder, subfolder, nameOfLayer(through + 1), write);
}

/** Writes the merged file of layers. It counts when the manifest says so. */
export async function keepLayerBase(
  folder: TapeFolder,
  subfolder: string,
  { files, through }: Layers,
  write: (path: string) => Promise<void>,
): Promise<LayerBase> {
  const file = await keepParquet(folder, subfolder, `through-${nameOfLayer(through)}`, write);
  return { file, through, merged: files.filter((path) => path !== file) };
}

/**
 * Returns the rows of layers with a column `age` that grows from older to newer rows. Each file
 * holds its rows in order, numbered by a column `ordinal`. Columns in `added` may be missing in
 * older files.
 */
export function sqlLayers(dir: string, { files }: Layers, columns: SqlColumns, added: readonly string[] = []): string {
  const paths = files.map((file) => join(dir, file));
  const source = sqlFiles(paths, { ...columns, ordinal: 'BIGINT' }, { fileName: true, added });
  const name = `regexp_extract(filename, '[/\\\\]([0-9]{${NUMBER_DIGITS}})[.][0-9a-f]{16}[.]parquet$', 1)`;
  const number = `coalesce(try_cast(${name} AS BIGINT), 0)`;
  return `(SELECT ${Object.keys(columns).join(', ')}, ${number} * ${LAYER_AGES} + ordinal AS age FROM ${source})`;
}

/** Returns a number as it stands in the names of files. */
export function nameOfLayer(number: number): string {
  return String(number).padStart(NUMBER_DIGITS, '0');
}

function numberOf(fileName: string): number | null {
  const name = readParquetName(fileName)?.name ?? '';
  return /^\d+$/.test(name) ? Number(name) : null;
}
