import type { RatingConfig } from '#domain/rating/rating-config';
import { ratingWindows } from '#domain/rating/rating-windows';
import type { SqlStep } from './tape-sql-sorting.js';

/** Days of the window that fit into the bits of a HUGEINT, with the day that a window may cut in two. */
export const WINDOW_DAYS_MAX = 125;

/** `price_micros` is an INTEGER, so this is above every price. */
const ABOVE_PRICES = 2_147_483_647;
const TX_NOS = 4_294_967_296;

/**
 * Returns the steps from coded fills (relation `fill`) and their places (`place`) to the first entries of the window, unscored.
 * The same rules as `findFirstEntries` and `sumActivity` in the domain.
 */
export function sqlEntrySteps(asOfS: number, config: RatingConfig): readonly SqlStep[] {
  const { fromS } = ratingWindows(asOfS, config);
  const seen = `size_micros >= ${config.fillSharesMicrosMin} AND time_s < ${asOfS}`;
  return [
    { table: 'held', query: heldSql(fromS, seen) },
    { table: 'entered', query: `SELECT place_no, first_buy_s FROM held WHERE first_buy_s >= ${fromS}` },
    { table: 'first_clip', query: firstClipSql(seen, config) },
    { table: 'round_trip', query: roundTripSql(seen, config) },
  ];
}

/**
 * What a wallet did with a token: its first BUY and SELL ever, and when it traded in the window. The days are bits, so that the
 * days of a wallet come together without a list.
 */
function heldSql(fromS: number, seen: string): string {
  const firstDay = Math.floor(fromS / 86_400);
  return `
    SELECT place_no, min(time_s) FILTER (is_buy) AS first_buy_s, min(time_s) FILTER (NOT is_buy) AS first_sell_s,
      min(time_s) FILTER (time_s >= ${fromS}) AS first_trade_s, max(time_s) FILTER (time_s >= ${fromS}) AS last_trade_s,
      bit_or(1::HUGEINT << greatest(time_s // 86400 - ${firstDay}, 0)::HUGEINT) FILTER (time_s >= ${fromS}) AS days
    FROM fill WHERE ${seen} GROUP BY place_no`;
}

/**
 * The first clip of each entry and the number of its clips (2.3 to 2.5). Of clips that begin in one second the one of the
 * highest price counts, then the one of the lowest hash: both packed into one number, whose least is searched for.
 */
function firstClipSql(seen: string, config: RatingConfig): string {
  const rank = `(${ABOVE_PRICES} - price_micros)::BIGINT * ${TX_NOS} + tx_no`;
  return `
    SELECT place_no, count(*)::INTEGER AS clips,
      (${ABOVE_PRICES} - min(rank) FILTER (is_first) // ${TX_NOS})::INTEGER AS entry_price_micros,
      arg_min(size_micros, rank) FILTER (is_first) AS entry_size_micros, arg_min(event, rank) FILTER (is_first) AS event
    FROM (
      SELECT place_no, size_micros, price_micros, event, time_s = first_buy_s AS is_first, ${rank} AS rank
      FROM (${clipsSql(seen)}) JOIN entered USING (place_no) WHERE time_s <= first_buy_s + ${config.clipWindowS}
    ) GROUP BY place_no`;
}

/** BUY clips. Most are one fill and need no grouping. */
function clipsSql(seen: string): string {
  return `
    SELECT place_no, tx_no, time_s, size_micros::HUGEINT AS size_micros, price_micros, event
    FROM fill WHERE is_buy AND is_alone AND ${seen}
    UNION ALL
    SELECT place_no, tx_no, min(time_s), sum(size_micros),
      ((2 * sum(price_micros::HUGEINT * size_micros) + sum(size_micros)) // (2 * sum(size_micros)))::INTEGER, max(event)
    FROM fill WHERE is_buy AND NOT is_alone AND ${seen} GROUP BY place_no, tx_no, CASE WHEN tx_no = 0 THEN time_s END`;
}

/** Entries of which most was sold again soon and near the same price (2.15). */
function roundTripSql(seen: string, config: RatingConfig): string {
  const soon = `time_s BETWEEN first_buy_s AND first_buy_s + ${config.roundTripWindowS}`;
  return `
    WITH sold AS (
      SELECT place_no, first_buy_s, sum(size_micros) AS sold_micros
      FROM fill JOIN entered USING (place_no) JOIN first_clip USING (place_no)
      WHERE NOT is_buy AND ${seen} AND ${soon}
        AND abs(price_micros - entry_price_micros) <= ${config.roundTripPriceMicros}
      GROUP BY place_no, first_buy_s
    )
    SELECT place_no FROM (
      SELECT place_no, any_value(sold_micros) AS sold_micros, sum(size_micros) AS bought_micros
      FROM fill JOIN sold USING (place_no) WHERE is_buy AND ${seen} AND ${soon} GROUP BY place_no
    ) WHERE sold_micros * 100 >= bought_micros * ${config.roundTripSoldPctMin}`;
}
