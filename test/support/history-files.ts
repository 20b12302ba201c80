import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { BIGINT, BOOLEAN, DOUBLE, type DuckDBType, type DuckDBValue, INTEGER, VARCHAR } from '@duckdb/node-api';
import { EXCHANGES } from '#adapters/chain/exchanges';
import { openTapeDatabase, type TapeSession } from '#adapters/tape/engine/database';
import { sqlText } from '#adapters/tape/sql/sql';
import type { HistoryWorld, Match } from './history-world.js';

/** Where the world was written to. */
export interface HistoryFiles {
  readonly csv: { readonly fills: string; readonly markets: string };
  readonly tables: { readonly predictions: string; readonly markets: string };
  /** By day, or by so many days, in folders as the data sets have them. */
  readonly users: readonly string[];
  readonly orderfilled: readonly string[];
}

const DAY_S = 86_400;

/**
 * Writes a world as an exported tape and in the forms of both data sets, `daysPerFile` days in one
 * file.
 */
export async function writeHistory(world: HistoryWorld, dir: string, daysPerFile: number): Promise<HistoryFiles> {
  const database = await openTapeDatabase({ threads: 2, memoryLimit: '1GB', spillFolder: dir });
  try {
    return await database.session(async (session) => {
      await session.run("SET TimeZone = 'UTC'");
      const spans = groupByDays(world.matches, daysPerFile);
      const users: string[] = [];
      const orderfilled: string[] = [];
      for (const [i, matches] of spans.entries()) {
        const day = new Date(matches[0]!.timeS * 1_000).toISOString().slice(0, 10);
        const [year, month, date] = day.split('-');
        users.push(join(dir, `trades/year=${year}/month=${month}/day=${date}/data.parquet`));
        orderfilled.push(join(dir, `orderfilled/${day}.parquet`));
        // Some writers give nanoseconds, some microseconds in UTC.
        await writeUsers(session, users.at(-1)!, matches, i % 2 === 0 ? 'TIMESTAMP_NS' : 'TIMESTAMPTZ');
        await writeOrderFilled(session, orderfilled.at(-1)!, matches);
      }
      const tables = { predictions: join(dir, 'predictions.parquet'), markets: join(dir, 'markets.parquet') };
      await writeTables(session, tables, world);
      return { csv: await writeCsv(dir, world), tables, users, orderfilled };
    });
  } finally {
    database.close();
  }
}

function groupByDays(matches: readonly Match[], daysPerFile: number): readonly (readonly Match[])[] {
  const groups = new Map<number, Match[]>();
  for (const match of matches) {
    const no = Math.floor(match.timeS / (daysPerFile * DAY_S));
    groups.set(no, [...(groups.get(no) ?? []), match]);
  }
  return [...groups.values()];
}

type Columns = Readonly<Record<string, readonly [DuckDBType, readonly DuckDBValue[]]>>;

async function writeParquet(session: TapeSession, path: string, columns: Columns, select = '*'): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const types = Object.fromEntries(Object.entries(columns).map(([name, [type]]) => [name, type]));
  await session.load(
    'written',
    types,
    Object.values(columns).map(([, values]) => [...values]),
  );
  await session.run(`COPY (SELECT ${select} FROM written) TO ${sqlText(path)} (FORMAT parquet)`);
  await session.run('DROP TABLE written');
}

/** Rows that a source tells twice stand twice in every form. */
const twice = <Row>({ isRepeated }: Match, rows: readonly Row[]): readonly Row[] =>
  isRepeated ? [...rows, ...rows] : rows;

async function writeUsers(session: TapeSession, path: string, matches: readonly Match[], time: string): Promise<void> {
  const rows = matches.flatMap((match) =>
    twice(
      match,
      match.makers.map((maker) => ({ match, maker })),
    ),
  );
  const text = (value: (row: (typeof rows)[number]) => string) => [VARCHAR, rows.map(value)] as const;
  await writeParquet(
    session,
    path,
    {
      trade_id: text(({ match }) => match.tx),
      time_s: [BIGINT, rows.map(({ match }) => BigInt(match.timeS))],
      market_id: text(({ match }) => match.market),
      event_id: text(({ match }) => match.event),
      prediction_id: text(({ match }) => match.token),
      outcome: text(({ match }) => (match.outcomeIndex === 0 ? 'Yes' : 'No')),
      winner: [BOOLEAN, rows.map(() => null)],
      category: text(() => 'Sports'),
      category_original: text(() => 'sports'),
      price: [DOUBLE, rows.map(({ maker }) => maker.priceMicros / 1e6)],
      quantity: [DOUBLE, rows.map(({ maker }) => maker.sizeMicros / 1e6)],
      maker_address: text(({ maker }) => maker.wallet),
      taker_address: text(({ match }) => match.taker),
      taker_bought: [BOOLEAN, rows.map(({ match }) => match.takerBought)],
    },
    `trade_id, make_timestamp_ns(time_s * 1000000000 + 250000000)::${time} AS timestamp, * EXCLUDE (trade_id, time_s)`,
  );
}

interface Log {
  readonly match: Match;
  readonly logIndex: number;
  readonly maker: string;
  readonly taker: string;
  readonly isBuy: boolean;
  readonly shares: number;
  readonly collateral: number;
}

/** Each maker's order has its event, and so has the taker's, whose counterparty is the exchange. */
function logsOf(match: Match): readonly Log[] {
  const { taker, takerBought, makers } = match;
  const filled = makers.map(({ sizeMicros, priceMicros }) => ({
    shares: sizeMicros,
    collateral: Math.round((sizeMicros * priceMicros) / 1e6),
  }));
  const own = makers.map(({ wallet }, i) => ({
    ...{ match, logIndex: i, maker: wallet, taker, isBuy: !takerBought },
    ...filled[i]!,
  }));
  const sum = (of: 'shares' | 'collateral') => filled.reduce((all, one) => all + one[of], 0);
  const all = { shares: sum('shares'), collateral: sum('collateral') };
  const ofTaker = { match, logIndex: makers.length, maker: taker, taker: EXCHANGES[0], isBuy: takerBought, ...all };
  return twice(match, [...own, ofTaker]);
}

async function writeOrderFilled(session: TapeSession, path: string, matches: readonly Match[]): Promise<void> {
  const logs = matches.flatMap(logsOf);
  const text = (value: (log: Log) => string) => [VARCHAR, logs.map(value)] as const;
  const number = (value: (log: Log) => number) => [BIGINT, logs.map((log) => BigInt(value(log)))] as const;
  await writeParquet(session, path, {
    timestamp: number(({ match }) => match.timeS),
    block_number: number(({ match }) => Math.floor(match.timeS / 2)),
    transaction_hash: text(({ match }) => match.tx.toUpperCase()),
    log_index: number(({ logIndex }) => logIndex),
    contract: text(() => EXCHANGES[0]),
    maker: text(({ maker }) => maker),
    taker: text(({ taker }) => taker),
    maker_asset_id: text(({ match, isBuy }) => (isBuy ? '0' : match.token)),
    taker_asset_id: text(({ match, isBuy }) => (isBuy ? match.token : '0')),
    maker_amount_filled: number(({ isBuy, shares, collateral }) => (isBuy ? collateral : shares)),
    taker_amount_filled: number(({ isBuy, shares, collateral }) => (isBuy ? shares : collateral)),
    fees: number(() => 0),
  });
}

async function writeTables(
  session: TapeSession,
  { predictions, markets }: HistoryFiles['tables'],
  world: HistoryWorld,
): Promise<void> {
  const tokens = world.markets.flatMap((market) => [0, 1].map((outcome) => ({ market, outcome })));
  const tokenOf = ({ market }: { market: { market: string } }, outcome: number) =>
    String(10n ** 76n + BigInt(market.market) * 2n + BigInt(outcome));
  await writeParquet(session, predictions, {
    prediction_id: [VARCHAR, tokens.map((token) => tokenOf(token, token.outcome))],
    market_id: [BIGINT, tokens.map(({ market }) => BigInt(market.market))],
    outcome: [VARCHAR, tokens.map(({ outcome }) => (outcome === 0 ? 'Yes' : 'No'))],
    outcome_idx: [INTEGER, tokens.map(({ outcome }) => outcome)],
    n_outcomes: [INTEGER, tokens.map(() => 2)],
    negative_token: [VARCHAR, tokens.map((token) => tokenOf(token, 1 - token.outcome))],
    winner: [BOOLEAN, tokens.map(({ market, outcome }) => market.winner === outcome)],
  });
  const rows = world.markets;
  await writeParquet(
    session,
    markets,
    {
      market_id: [BIGINT, rows.map(({ market }) => BigInt(market))],
      event_id: [VARCHAR, rows.map(({ event }) => event)],
      category: [VARCHAR, rows.map(({ category }) => category)],
      end_s: [BIGINT, rows.map(({ endS }) => BigInt(endS))],
      closed_s: [BIGINT, rows.map(({ closedS }) => BigInt(closedS))],
    },
    `* EXCLUDE (end_s, closed_s), make_timestamp_ns(end_s * 1000000000)::TIMESTAMPTZ AS end_date,
      strftime(make_timestamp(closed_s * 1000000), '%Y-%m-%dT%H:%M:%SZ') AS closed_time`,
  );
}

async function writeCsv(dir: string, world: HistoryWorld): Promise<HistoryFiles['csv']> {
  const paths = { fills: join(dir, 'fills.csv'), markets: join(dir, 'markets.csv') };
  const markets = world.markets.map(({ market, kind, feeRateMicros, endS, closedS, winner }) =>
    [market, kind, feeRateMicros / 1e6, endS, closedS, 1 - winner, winner].join(','),
  );
  const head = 'condition,category,fee_rate,scheduled_end,resolved_at,payout_0,payout_1';
  await pipeline(Readable.from([[head, ...markets].join('\n')]), createWriteStream(paths.markets));
  const fills = world.matches.flatMap((match) => twice(match, walletRows(match)));
  const columns = 'wallet,token,condition,event,outcome_index,side,size,price,timestamp,tx';
  await pipeline(Readable.from([[columns, ...fills].join('\n')]), createWriteStream(paths.fills));
  return paths;
}

/**
 * A match as the venue's Data API tells it: the row of each maker, and the taker's order at its
 * average price.
 */
function walletRows(match: Match): readonly string[] {
  const { tx, timeS, token, market, event, outcomeIndex, taker, takerBought, makers } = match;
  const shares = makers.reduce((sum, { sizeMicros }) => sum + sizeMicros, 0);
  const paid = makers.reduce((sum, { sizeMicros, priceMicros }) => sum + sizeMicros * priceMicros, 0);
  const row = (wallet: string, isBuy: boolean, sizeMicros: number, priceMicros: number) =>
    [
      ...[wallet, token, market, event, outcomeIndex, isBuy ? 'BUY' : 'SELL'],
      ...[(sizeMicros / 1e6).toFixed(6), (priceMicros / 1e6).toFixed(6), timeS, tx],
    ].join(',');
  const own = makers.map(({ wallet, sizeMicros, priceMicros }) => row(wallet, !takerBought, sizeMicros, priceMicros));
  return [...own, row(taker, takerBought, shares, Math.round(paid / shares))];
}
