import type { TokenOutcome } from '#ports/chain-trades';
import type { OrderFilled } from '#wire/chain/order-filled';
import { type LoggedAt, toFill, toWalletRow } from '../../chain/order-fills.js';
import type { TapeSession } from '../engine/database.js';
import { FILL_COLUMNS } from '../sql/fills.js';
import { FILL_TYPES, toFillColumns } from '../writes.js';
import { type Needed, present, type RowTest, secondsSql, sqlRows } from './parquet.js';
import {
  addCounts,
  FILL_TABLE,
  type HistorySource,
  NO_COUNTS,
  type Part,
  type PartCounts,
  type PartTools,
} from './source.js';

const TEXTS = ['transaction_hash', 'maker'] as const;
const ASSETS = ['maker_asset_id', 'taker_asset_id'] as const;
const AMOUNTS = ['maker_amount_filled', 'taker_amount_filled'] as const;
const NEEDED: readonly Needed[] = [...['timestamp', ...TEXTS, 'log_index'], ...ASSETS, ...AMOUNTS].map(
  (name) => [name] as const,
);

/** Rows that are looked up and handed to the engine together. */
const ROWS_PER_STEP = 8_192;

const whole = (name: string): RowTest => ({
  name,
  test: `coalesce(try_cast("${name}" AS HUGEINT) >= 0, false)`,
  must: 'must be a whole number',
});

/** A float of an asset has lost its last digits. */
const asset = (name: string): RowTest => ({
  name,
  test: `coalesce(regexp_matches("${name}"::VARCHAR, '^([0-9]{1,78}|0x[0-9a-f]{1,64})$'), false)`,
  must: 'must be the number of an asset, in full',
});

/**
 * Decoded `OrderFilled` logs of the first generation of the exchanges, one row each. They go
 * through the same code as the logs that an endpoint of Polygon gives.
 */
export const ORDER_FILLED: HistorySource = {
  needed: NEEDED,
  time: 'timestamp',
  rowsPerPart: 1_000_000,
  tests: [...TEXTS.map(present), ...['log_index', ...AMOUNTS].map(whole), ...ASSETS.map(asset)],
  async read(tools, part) {
    const { database, session } = tools;
    const columns = Object.entries(FILL_COLUMNS).map(([name, type]) => `${name} ${type}`);
    await session.run(`CREATE OR REPLACE TEMP TABLE ${FILL_TABLE} (${columns.join(', ')})`);
    let counts = NO_COUNTS;
    const unplacedS = new Set<number>();
    // A result is read while others are asked for, and a connection has one at a time.
    await database.session(async (reader) => {
      await reader.run("SET TimeZone = 'UTC'");
      for await (const logs of logsIn(reader, part)) counts = addCounts(counts, await keep(tools, logs, unplacedS));
    });
    return { ...counts, unplacedS: [...unplacedS] };
  },
};

interface Log {
  readonly event: OrderFilled;
  readonly at: LoggedAt;
}

async function* logsIn(reader: TapeSession, { file, from, to }: Part): AsyncGenerator<readonly Log[]> {
  let logs: Log[] = [];
  const numbers = ['log_index', ...AMOUNTS].map((name) => `"${name}"::HUGEINT AS ${name}`);
  const texts = [...TEXTS, ...ASSETS].map((name) => `"${name}"::VARCHAR AS ${name}`);
  const query = `SELECT ${secondsSql(file, 'timestamp')} AS time_s, ${[...texts, ...numbers].join(', ')}`;
  for await (const columns of reader.columns(`${query} FROM ${sqlRows(file, from, to)}`)) {
    const rows = columns[0]?.length ?? 0;
    for (let i = 0; i < rows; i++) logs.push(toLog(columns.map((column) => column[i])));
    if (logs.length < ROWS_PER_STEP) continue;
    yield logs;
    logs = [];
  }
  if (logs.length > 0) yield logs;
}

function toLog([
  timeS,
  tx,
  maker,
  makerAsset,
  takerAsset,
  logIndex,
  makerAmount,
  takerAmount,
]: readonly unknown[]): Log {
  return {
    at: { timeS: Number(timeS), tx: String(tx), logIndex: Number(logIndex) },
    event: {
      version: 1,
      maker: String(maker),
      makerAssetId: BigInt(String(makerAsset)),
      takerAssetId: BigInt(String(takerAsset)),
      makerAmountFilled: makerAmount as bigint,
      takerAmountFilled: takerAmount as bigint,
    },
  };
}

/** Adds the fills of some logs to the table, and to `unplacedS` the seconds of those of unknown tokens. */
async function keep(
  { session, outcomes }: PartTools,
  logs: readonly Log[],
  unplacedS: Set<number>,
): Promise<PartCounts> {
  const rows = logs.flatMap(({ event, at }) => {
    const row = toWalletRow(event);
    return row === null ? [] : [{ row, at }];
  });
  const cached: ReadonlyMap<string, TokenOutcome> = await outcomes.findOutcomes([
    ...new Set(rows.map(({ row }) => row.token)),
  ]);
  const fills = rows.flatMap(({ row, at }) => {
    const outcome = cached.get(row.token);
    return outcome === undefined ? [] : [toFill(row, outcome, at)];
  });
  for (const { row, at } of rows) if (!cached.has(row.token)) unplacedS.add(at.timeS);
  await session.load('history_step', FILL_TYPES, toFillColumns(fills));
  await session.run(`INSERT INTO ${FILL_TABLE} BY NAME SELECT * FROM history_step`);
  await session.run('DROP TABLE history_step');
  return {
    rows: logs.length,
    fills: fills.length,
    unknownTokens: rows.length - fills.length,
    notTrades: logs.length - rows.length,
  };
}
