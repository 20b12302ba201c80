import {
  BIGINT,
  BOOLEAN,
  type DuckDBType,
  type DuckDBValue,
  INTEGER,
  LIST,
  listValue,
  VARCHAR,
} from '@duckdb/node-api';
import type { Fill } from '#domain/rating/fill';
import type { TapeMarket } from '#domain/rating/tape-market';
import { isoDay } from '#domain/time';
import type { WalletName } from '#ports/tape';
import type { TapeDatabase } from './engine/database.js';
import { tapeFault } from './engine/fault.js';
import type { TapeFolder } from './files/folder.js';
import { keepLayer } from './files/layers.js';
import { readManifest } from './files/manifest.js';
import { keepSegment, NO_DAY } from './files/segments.js';
import { sqlWrite } from './sql/sql.js';

/** A column of a table to be loaded: its type, and its value in a row. */
type Column<Row> = readonly [DuckDBType, (row: Row) => DuckDBValue];

const FILL_VALUES = {
  wallet: [VARCHAR, ({ wallet }) => wallet],
  token: [VARCHAR, ({ token }) => token],
  condition: [VARCHAR, ({ condition }) => condition],
  event: [VARCHAR, ({ event }) => event],
  outcome_index: [INTEGER, ({ outcomeIndex }) => whole(outcomeIndex)],
  is_buy: [BOOLEAN, ({ side }) => side === 'BUY'],
  size_micros: [BIGINT, ({ sizeMicros }) => BigInt(sizeMicros)],
  price_micros: [INTEGER, ({ priceMicros }) => whole(priceMicros)],
  time_s: [BIGINT, ({ timeS }) => BigInt(timeS)],
  tx: [VARCHAR, ({ tx }) => tx],
  log_index: [INTEGER, storedLogIndex],
} as const satisfies Record<string, Column<Fill>>;

/** Where there is no position, the number among equal fills stands in its place, below zero. */
function storedLogIndex({ logIndex, occurrence = 0 }: Fill): number | null {
  if (logIndex !== null) return whole(logIndex);
  return occurrence === 0 ? null : -whole(occurrence);
}

/** A market as an operator gives it. */
export type ImportedMarket = Omit<TapeMarket, 'payoutSource'> & { readonly payoutSource: 'import' };

interface AddedRows {
  readonly markets: TapeMarket | ImportedMarket;
  readonly names: WalletName;
}

const ROW_VALUES: { readonly [Table in keyof AddedRows]: Readonly<Record<string, Column<AddedRows[Table]>>> } = {
  markets: {
    condition: [VARCHAR, ({ condition }) => condition],
    event: [VARCHAR, ({ event }) => event],
    slug: [VARCHAR, ({ slug }) => slug],
    category: [VARCHAR, ({ category }) => category],
    fee_rate_micros: [BIGINT, ({ feeRateMicros }) => BigInt(feeRateMicros)],
    is_up_down: [BOOLEAN, ({ upDown }) => upDown],
    scheduled_end_s: [BIGINT, ({ scheduledEndS }) => bigOrNull(scheduledEndS)],
    resolved_at_s: [BIGINT, ({ resolvedAtS }) => bigOrNull(resolvedAtS)],
    payout_micros: [LIST(BIGINT), ({ payoutMicros }) => payoutMicros && listValue(payoutMicros.map(BigInt))],
    payout_source: [VARCHAR, ({ payoutSource }) => payoutSource ?? null],
    created_at_s: [BIGINT, ({ createdAtS }) => bigOrNull(createdAtS ?? null)],
  },
  names: {
    wallet: [VARCHAR, ({ wallet }) => wallet],
    name: [VARCHAR, ({ name }) => name],
  },
};

/** The types of fills to be loaded, by column. */
export const FILL_TYPES = typesOf(FILL_VALUES);

/** Returns fills as columns to be loaded. */
export function toFillColumns(fills: readonly Fill[]): DuckDBValue[][] {
  return columnsOf(FILL_VALUES, fills);
}

/** Segments become file names. */
const SEGMENT_NAME = /^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,199}$/;

/** Adds fills as a segment, sorted by wallet so that one wallet's are found without reading all. */
export async function addFills(
  database: TapeDatabase,
  folder: TapeFolder,
  segment: string,
  fills: readonly Fill[],
): Promise<void> {
  if (!SEGMENT_NAME.test(segment)) {
    throw tapeFault(`"${segment}" cannot name a segment; use 1 to 200 letters, digits, "-", "_" and "."`);
  }
  const oldestS = fills.reduce((oldest, { timeS }) => Math.min(oldest, timeS), Number.POSITIVE_INFINITY);
  const day = fills.length === 0 ? NO_DAY : isoDay(oldestS);
  await keepSegment(folder, segment, day, (path) =>
    writeRows(database, FILL_VALUES, fills, path, 'ORDER BY wallet, token, time_s'),
  );
}

/** Adds rows to a table, over all rows of the same key before. */
export async function addRows<Table extends keyof AddedRows>(
  database: TapeDatabase,
  folder: TapeFolder,
  table: Table,
  rows: readonly AddedRows[Table][],
): Promise<void> {
  if (rows.length === 0) return;
  const { [table]: base } = await readManifest(folder.dir);
  await keepLayer(folder, table, base, (path) => writeRows(database, ROW_VALUES[table], rows, path));
}

/** Writes rows with their position (`ordinal`) as a Parquet file. */
async function writeRows<Row>(
  database: TapeDatabase,
  values: Readonly<Record<string, Column<Row>>>,
  rows: readonly Row[],
  path: string,
  order = '',
): Promise<void> {
  const ordinals = rows.map((_, i) => BigInt(i));
  await database.session(async (session) => {
    await session.load('added', { ...typesOf(values), ordinal: BIGINT }, [...columnsOf(values, rows), ordinals]);
    await session.run(sqlWrite(`SELECT * FROM added ${order}`, path));
  });
}

function typesOf<Row>(values: Readonly<Record<string, Column<Row>>>): Readonly<Record<string, DuckDBType>> {
  return Object.fromEntries(Object.entries(values).map(([name, [type]]) => [name, type]));
}

function columnsOf<Row>(values: Readonly<Record<string, Column<Row>>>, rows: readonly Row[]): DuckDBValue[][] {
  return Object.values(values).map(([, value]) => rows.map((row) => value(row)));
}

/** Where DuckDB would cut off what does not fit, and BigInt throws. */
function whole(value: number): number {
  if ((value | 0) !== value) throw tapeFault(`${value} is not a whole number below 2^31; give prices in micros`);
  return value;
}

function bigOrNull(value: number | null): bigint | null {
  return value === null ? null : BigInt(value);
}
