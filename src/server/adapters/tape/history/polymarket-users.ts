import { NOT_WALLETS } from '../../chain/order-fills.js';
import { FILL_COLUMNS } from '../sql/fills.js';
import { sqlSizeSum, sqlTexts } from '../sql/sql.js';
import { type Needed, present, secondsSql, sqlRows } from './parquet.js';
import { FILL_TABLE, type HistorySource, type Part } from './source.js';
import { TOKEN_TABLE } from './tables.js';

const NAMES = [
  'trade_id',
  'timestamp',
  'prediction_id',
  'price',
  'quantity',
  'maker_address',
  'taker_address',
] as const;
const NEEDED: readonly Needed[] = [...NAMES, 'taker_bought'].map((name) => [name] as const);

/**
 * Trades of the data set "polymarket-users": one row for each maker's order that was matched, in
 * the maker's token, with both wallets. All of it is done in SQL.
 */
export const POLYMARKET_USERS: HistorySource = {
  needed: NEEDED,
  time: 'timestamp',
  order: 'trade_id',
  rowsPerPart: 1_000_000,
  tests: [...NAMES.filter((name) => name !== 'timestamp'), 'taker_bought'].map(present),
  async read({ session }, part) {
    await session.run(`CREATE OR REPLACE TEMP TABLE history_match AS ${matchesSql(part)}`);
    const [counted] = await session.rows<{ rows: bigint; unknown: bigint; odd: bigint }>(
      `SELECT count(*) AS rows, count(*) FILTER (condition IS NULL) AS unknown,
        count(*) FILTER (condition IS NOT NULL AND NOT is_trade) AS odd FROM history_match`,
    );
    await session.run(`CREATE OR REPLACE TEMP TABLE ${FILL_TABLE} AS ${fillsSql()}`);
    const [made] = await session.rows<{ fills: bigint }>(`SELECT count(*) AS fills FROM ${FILL_TABLE}`);
    await session.run('DROP TABLE history_match');
    return {
      rows: Number(counted!.rows),
      fills: Number(made!.fills),
      unknownTokens: Number(counted!.unknown),
      notTrades: Number(counted!.odd),
      // Its tables are all that there is to know of its tokens.
      unplacedS: [],
    };
  },
};

/** Amounts come as doubles: the nearest micro is meant. What is dust has no sensible price. */
function matchesSql({ file, from, to }: Part): string {
  return `
    SELECT *, size_micros BETWEEN 1 AND ${Number.MAX_SAFE_INTEGER} AND price_micros BETWEEN 1 AND 1000000 AS is_trade
    FROM (
      SELECT lower(trade_id) AS tx, ${secondsSql(file, 'timestamp')} AS time_s, prediction_id::VARCHAR AS token,
        lower(maker_address) AS maker, lower(taker_address) AS taker, taker_bought,
        try_cast(round(price * 1000000) AS BIGINT) AS price_micros, try_cast(round(quantity * 1000000) AS BIGINT) AS size_micros
      FROM ${sqlRows(file, from, to)}
    ) LEFT JOIN (SELECT token, condition, event, outcome_index FROM ${TOKEN_TABLE}) USING (token)`;
}

/**
 * Each match becomes the row of each of its wallets, as the venue tells them: of every maker its
 * own order, and of the taker one order at the average price of all that it was matched with. Rows
 * that are wholly the same are one.
 */
function fillsSql(): string {
  const names = Object.keys(FILL_COLUMNS).join(', ');
  const columns = 'token, condition, event, outcome_index';
  const wallets = `wallet NOT IN ${sqlTexts([...NOT_WALLETS])}`;
  return `
    WITH matched AS (SELECT DISTINCT * FROM history_match WHERE condition IS NOT NULL AND is_trade)
    SELECT ${names} FROM (
      SELECT maker AS wallet, ${columns}, NOT taker_bought AS is_buy, size_micros, price_micros::INTEGER AS price_micros,
        time_s, tx, NULL::INTEGER AS log_index FROM matched
      UNION ALL
      SELECT taker, ${columns}, taker_bought, ${sqlSizeSum('size_micros')},
        ((2 * sum(price_micros::HUGEINT * size_micros) + sum(size_micros)) // (2 * sum(size_micros)))::INTEGER,
        time_s, tx, NULL::INTEGER
      FROM matched GROUP BY taker, ${columns}, taker_bought, time_s, tx
    ) WHERE ${wallets}`;
}
