import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isoDay } from '#domain/time';
import type { CsvImport, ImportReport, TapeProgress } from '#ports/tape';
import { type CompactOptions, exchangeImports } from '../compaction/compaction.js';
import type { TapeDatabase, TapeSession } from '../engine/database.js';
import { scratchOf, type TapeFolder } from '../files/folder.js';
import { isImportOf } from '../files/imports.js';
import { keepLayer } from '../files/layers.js';
import { readManifest } from '../files/manifest.js';
import { keepSegment, NO_DAY } from '../files/segments.js';
import { FILL_NAMES_SELECT, fillsCsv, marketsCsv } from '../sql/csv.js';
import { FILL_COLUMNS } from '../sql/fills.js';
import { sqlFiles, sqlText, sqlWrite } from '../sql/sql.js';
import { planImport } from './plan.js';
import { readCsv } from './read.js';

/**
 * Imports an exported tape: markets first, so that no fill of it is ever of an unknown market.
 * Nothing is written if a row does not fit, or on a dry run. An import that takes the place of
 * another one does so at one moment: a crash leaves the tape with the old one or with the new one.
 */
export async function importCsv(
  database: TapeDatabase,
  folder: TapeFolder,
  order: CsvImport,
  options: CompactOptions = {},
): Promise<ImportReport> {
  const { nowS, replace } = order;
  const { progress } = options;
  return database.session(async (session) => {
    progress?.('check', 0, 2);
    const markets = await readCsv(session, order.markets, marketsCsv());
    progress?.('check', 1, 2);
    const fills = await readCsv(session, order.fills, fillsCsv(nowS));
    const plan = await planImport(session, folder, order, { fills, markets });
    if (order.isDry === true) return plan.report;
    const work = { session, folder, name: plan.name, nowS, fills, markets, isRepeated: plan.report.isRepeated };
    if (replace !== undefined && plan.replaces) await exchangeCsv(work, replace, options);
    else await addCsv(work, progress);
    return plan.report;
  });
}

/** Two files that fit, to be imported under a name. */
interface CsvWork {
  readonly session: TapeSession;
  readonly folder: TapeFolder;
  /** Of the segment. */
  readonly name: string;
  readonly nowS: number;
  /** Relations of the texts of the files. */
  readonly fills: string;
  readonly markets: string;
  /** Whether the same fills were imported before. */
  readonly isRepeated: boolean;
}

async function addCsv(work: CsvWork, progress: TapeProgress | undefined): Promise<void> {
  const { session, folder, fills } = work;
  progress?.('import', 0, 2);
  const { markets: marketBase, names: nameBase } = await readManifest(folder.dir);
  await keepLayer(folder, 'markets', marketBase, (path) => session.run(sqlWrite(sqlMarketRows(work), path)));
  progress?.('import', 1, 2);
  if (!work.isRepeated) {
    const [received] = await session.rows<{ at: bigint | null; names: bigint }>(
      `SELECT min(timestamp::BIGINT) AS at, count(nullif(name, '')) AS names FROM ${fills}`,
    );
    const write = (path: string) => session.run(sqlWrite(sqlNameRows(work), path));
    if (received!.names > 0n) await keepLayer(folder, 'names', nameBase, write);
    // Last: once it is there the import is known.
    const day = received!.at === null ? NO_DAY : isoDay(Number(received!.at));
    await keepSegment(folder, work.name, day, (path) => session.run(sqlWrite(sqlFillRows(work), path)));
  }
  progress?.('import', 2, 2);
}

/**
 * As they stand in the file: a compaction sorts them, and until then a wallet's are found by
 * reading all.
 */
function sqlFillRows({ fills, nowS }: CsvWork): string {
  return `SELECT ${fillsCsv(nowS).select}, 0::BIGINT AS ordinal FROM ${fills}`;
}

function sqlMarketRows({ markets, name }: CsvWork): string {
  return `SELECT ${marketsCsv().select}, ${sqlText(name)} AS import_of, row_no AS ordinal FROM ${markets}`;
}

function sqlNameRows({ fills, name }: CsvWork): string {
  return `SELECT ${FILL_NAMES_SELECT}, ${sqlText(name)} AS import_of, row_no AS ordinal FROM ${fills} WHERE name <> ''`;
}

/** Puts the files in the place of the imports from files of a name, together with a compaction. */
async function exchangeCsv(work: CsvWork, replace: string, options: CompactOptions): Promise<void> {
  const { session, folder, name, nowS, isRepeated } = work;
  // Of a new name each time: the engine keeps what it read.
  const scratch = await mkdtemp(join(await scratchOf(folder), 'exchange-'));
  try {
    const path = join(scratch, 'fills.parquet');
    if (!isRepeated) await session.run(sqlWrite(sqlFillRows(work), path));
    const exchange = {
      name,
      drops: (one: string) => isImportOf(one, replace) && one !== name,
      fills: sqlFiles(isRepeated ? [] : [path], FILL_COLUMNS),
      markets: `(${sqlMarketRows(work)})`,
      names: `(${sqlNameRows(work)} ${isRepeated ? 'AND false' : ''})`,
    };
    await exchangeImports(session, folder, exchange, nowS, options);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
