import { join } from 'node:path';
import type { TapeSession } from '../engine/database.js';
import { keepParquet } from '../files/files.js';
import type { TapeFolder } from '../files/folder.js';
import { keepLayerBase, LAYER_AGES, type Layers, listLayers, nameOfLayer, sqlLayers } from '../files/layers.js';
import type { LayerBase } from '../files/manifest.js';
import { MARKET_COLUMNS, MARKET_COLUMNS_ADDED, NAME_COLUMNS, sqlMarkets, sqlNames } from '../sql/markets.js';
import { type SqlColumns, sqlFiles, sqlText, sqlTexts, sqlWrite } from '../sql/sql.js';
import type { Exchange } from './exchange.js';

/** How rows of one kind lie in layers, and how those of one key become one. */
interface LayerKind {
  readonly subfolder: string;
  readonly key: string;
  readonly columns: SqlColumns;
  readonly added: readonly string[];
  readonly sqlMerged: (layers: string) => string;
}

const MARKETS: LayerKind = {
  ...{ subfolder: 'markets', key: 'condition', columns: MARKET_COLUMNS, added: MARKET_COLUMNS_ADDED },
  sqlMerged: sqlMarkets,
};
const NAMES: LayerKind = {
  ...{ subfolder: 'names', key: 'wallet', columns: NAME_COLUMNS, added: [] },
  sqlMerged: sqlNames,
};

/** Whose the rows of a layer are: the name of the CSV import that brought them. */
const SOURCE = { import_of: 'VARCHAR' } as const;

export interface MergedLayers {
  readonly base: LayerBase | null;
  readonly outdated: readonly string[];
}

/**
 * Writes the markets of all layers as one, without what an import that is taken back told of them.
 */
export function mergeMarkets(
  session: TapeSession,
  folder: TapeFolder,
  base: LayerBase | null,
  exchange?: Exchange,
): Promise<MergedLayers> {
  return mergeLayers(session, folder, base, MARKETS, exchange && { ...exchange, rows: exchange.markets });
}

/** The same of names of wallets. */
export function mergeNames(
  session: TapeSession,
  folder: TapeFolder,
  base: LayerBase | null,
  exchange?: Exchange,
): Promise<MergedLayers> {
  return mergeLayers(session, folder, base, NAMES, exchange && { ...exchange, rows: exchange.names });
}

type LayerExchange = Pick<Exchange, 'drops' | 'name'> & { readonly rows: string };

/** Merged rows keep their order in no sense but that they are below all that follows. */
async function mergeLayers(
  session: TapeSession,
  folder: TapeFolder,
  base: LayerBase | null,
  kind: LayerKind,
  exchange: LayerExchange | undefined,
): Promise<MergedLayers> {
  const { dir } = folder;
  const layers = await listLayers(dir, kind.subfolder, base);
  if (exchange === undefined && layers.files.every((file) => file === base?.file)) return { base, outdated: [] };
  const isReported = await openReported(session, dir, { layers, base, kind, exchange });
  const rows = isReported ? sqlReported(kind) : sqlLayers(dir, layers, kind.columns, kind.added);
  const merged = `SELECT *, 0::BIGINT AS ordinal FROM (${kind.sqlMerged(rows)}) ORDER BY ${kind.key}`;
  const through = layers.through + (exchange === undefined ? 0 : 1);
  const next = await keepLayerBase(folder, kind.subfolder, { ...layers, through }, (path) =>
    session.run(sqlWrite(merged, path)),
  );
  const reported = isReported ? await keepReported(session, folder, kind, through) : null;
  const reportedBefore = base?.told === undefined || base.told === reported ? [] : [base.told];
  return {
    base: {
      ...next,
      merged: [...(base?.merged ?? []), ...next.merged],
      ...(reported === null ? {} : { told: reported }),
    },
    outdated: [...next.merged, ...reportedBefore],
  };
}

interface ReportedOrder {
  readonly layers: Layers;
  readonly base: LayerBase | null;
  readonly kind: LayerKind;
  readonly exchange: LayerExchange | undefined;
}

/**
 * Makes of the layers and of what is kept of imports:
 *
 *     layer_told     the rows of all keys that an import brought a row of, and whose they are: merged
 *                    ones do not say that. Of equal rows the first and the last stand for all
 *     layer_rest     all other rows
 *
 * Returns false, and makes neither, if there are no such keys.
 */
async function openReported(
  session: TapeSession,
  dir: string,
  { layers, base, kind, exchange }: ReportedOrder,
): Promise<boolean> {
  const { key, columns, added } = kind;
  const sourced = { ...columns, ...SOURCE };
  const names = Object.keys(sourced).join(', ');
  const rows = sqlLayers(dir, layers, sourced, [...added, ...Object.keys(SOURCE)]);
  const reported = sqlFiles(base?.told === undefined ? [] : [join(dir, base.told)], { ...sourced, age: 'BIGINT' });
  const imported = `(SELECT * FROM ${reported} UNION ALL SELECT * FROM ${rows} WHERE import_of IS NOT NULL
    ${exchange === undefined ? '' : `UNION ALL ${sqlAdded(exchange, columns, layers.through + 1)}`})`;
  await session.run(`CREATE OR REPLACE TEMP TABLE layer_key AS SELECT DISTINCT ${key} FROM ${imported}`);
  const sources = await session.rows<{ name: string | null }>(`SELECT DISTINCT import_of AS name FROM ${imported}`);
  if (sources.length === 0) return false;
  const dropped = sources.flatMap(({ name }) => (name !== null && exchange?.drops(name) ? [name] : []));
  await session.run(`CREATE OR REPLACE TEMP TABLE layer_told AS
    SELECT ${names}, unnest(list_distinct([first, last])) AS age FROM (
      SELECT ${names}, min(age) AS first, max(age) AS last FROM (
        SELECT * FROM ${imported}
        UNION ALL
        SELECT * FROM ${rows} SEMI JOIN layer_key USING (${key})
          WHERE import_of IS NULL AND (age >= ${LAYER_AGES} OR ${key} NOT IN (SELECT ${key} FROM ${reported}))
      ) ${dropped.length === 0 ? '' : `WHERE import_of IS NULL OR import_of NOT IN ${sqlTexts(dropped)}`}
      GROUP BY ${names}
    )`);
  await session.run(`CREATE OR REPLACE TEMP VIEW layer_rest AS
    SELECT * FROM ${sqlLayers(dir, layers, columns, added)} ANTI JOIN layer_key USING (${key})`);
  return true;
}

function sqlAdded({ rows, name }: LayerExchange, columns: SqlColumns, number: number): string {
  return `SELECT ${Object.keys(columns).join(', ')}, ${sqlText(name)} AS import_of, ${number} * ${LAYER_AGES} + ordinal AS age
    FROM ${rows}`;
}

/** Returns the rows of all layers, made of the tables of `openReported`. */
function sqlReported({ columns }: LayerKind): string {
  return `(SELECT * FROM layer_rest UNION ALL SELECT ${Object.keys(columns).join(', ')}, age FROM layer_told)`;
}

/** Keeps whose rows are whose, as far as imports brought any; returns null if none did. */
async function keepReported(
  session: TapeSession,
  folder: TapeFolder,
  { subfolder, key }: LayerKind,
  through: number,
): Promise<string | null> {
  const reported = `SELECT * FROM layer_told
    SEMI JOIN (SELECT ${key} FROM layer_told WHERE import_of IS NOT NULL) USING (${key}) ORDER BY ${key}, age, import_of`;
  const [counted] = await session.rows<{ n: bigint }>(`SELECT count(*) AS n FROM (${reported})`);
  if (counted!.n === 0n) return null;
  return keepParquet(folder, subfolder, `told-${nameOfLayer(through)}`, (path) =>
    session.run(sqlWrite(reported, path)),
  );
}
