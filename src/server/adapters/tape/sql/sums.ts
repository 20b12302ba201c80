import type { RatingConfig } from '#domain/rating/rating-config';
import { ratingWindows } from '#domain/rating/rating-windows';
import { MIX_CATEGORIES } from '#domain/rating/tape-market';
import { POOLS } from './scores.js';

export const PRICE_BUCKETS = 10;

/** The sums of one pool, in the order in which the last query has them. */
const POOL_COLUMNS = [
  'entries',
  'events',
  'wins',
  'slippage_nano',
  'return_nano',
  'variance_nano',
  'event_roots_atto',
  'score_nano',
  'weight_nano',
  'event_weight_roots_atto',
  'best_event_nano',
] as const;

/** Returns the query of one row per wallet, by wallet, over the tables of the steps before it. */
export function sqlSums(asOfS: number, config: RatingConfig): string {
  const { fromS } = ratingWindows(asOfS, config);
  const pools = POOLS.flatMap((pool) => POOL_COLUMNS.map((column) => `${pool}_${column}`));
  return `
    WITH of_entries AS (${ofEntriesSql(config)}),
      of_markets AS (${ofMarketsSql(fromS)}),
      of_activity AS (${ofActivitySql()}),
      of_up_down AS (SELECT wallet_no, count(*) AS up_down_excluded FROM position_as_of
        WHERE is_up_down AND first_buy_s >= ${fromS} GROUP BY wallet_no),
      of_pools AS (${ofPoolsSql()})
    SELECT wallet, of_entries.* EXCLUDE (wallet_no, place_no),
      markets::INTEGER, both_sided_markets::INTEGER, coalesce(up_down_excluded, 0)::INTEGER,
      first_trade_s::DOUBLE, last_trade_s::DOUBLE, active_days::INTEGER, trade_days::HUGEINT, ${pools.map((column) => coalesced(column)).join(', ')}
    FROM of_entries JOIN (SELECT place_no, wallet FROM position) USING (place_no)
      JOIN of_markets USING (wallet_no) JOIN of_activity USING (wallet_no)
      LEFT JOIN of_up_down USING (wallet_no) LEFT JOIN of_pools USING (wallet_no)
    ORDER BY wallet`;
}

function ofEntriesSql(config: RatingConfig): string {
  const count = (test: string) => `(count(*) FILTER (${test}))::INTEGER`;
  const buckets = Array.from({ length: PRICE_BUCKETS }, (_, i) =>
    count(`least(entry_price_micros // 100000, ${PRICE_BUCKETS - 1}) = ${i}`),
  );
  const categories = MIX_CATEGORIES.map((_, i) => count(`category = ${i}`));
  return `
    SELECT wallet_no, min(place_no) AS place_no, count(*)::INTEGER AS first_entries, count(return_nano)::INTEGER AS resolved,
      ${count('is_early')} AS early_resolved, ${count('return_nano IS NOT NULL AND is_by_price')} AS unconfirmed, ${count('slippage_nano > 0')} AS wins,
      coalesce(sum(slippage_nano), 0)::BIGINT AS slippage_nano, coalesce(sum(return_nano), 0)::BIGINT AS return_nano,
      sum(entry_price_micros)::BIGINT AS entry_price_micros, sum(clips)::INTEGER AS clips,
      ${count(`entry_price_micros >= ${config.nearCertainPriceMicrosMin}`)} AS near_certain,
      ${count('is_round_trip')} AS round_trips, ${count('is_sell_first')} AS sell_first,
      (count(DISTINCT market_key) FILTER (is_undescribed))::INTEGER AS undescribed_markets,
      ${buckets.map((bucket, i) => `${bucket} AS bucket_${i}`).join(', ')},
      ${categories.map((category, i) => `${category} AS category_${i}`).join(', ')}
    FROM score GROUP BY wallet_no`;
}

/**
 * Markets entered in the window, and those of them of which two tokens were ever bought (2.14).
 * Where a wallet bought one token only, its entry is its market; the others are looked at together.
 */
function ofMarketsSql(fromS: number): string {
  return `
    SELECT wallet_no, sum(markets) AS markets, sum(both_sided_markets) AS both_sided_markets
    FROM (
      SELECT wallet_no, count(*) AS markets, 0 AS both_sided_markets FROM score WHERE NOT has_twin GROUP BY wallet_no
      UNION ALL
      SELECT wallet_no, count(*), count(*) FILTER (bought >= 2) FROM (
        SELECT wallet_no, count(*) AS bought, max(first_buy_s) AS last_first_buy_s
        FROM position_as_of WHERE has_twin AND first_buy_s IS NOT NULL AND NOT is_up_down GROUP BY wallet_no, market_key
      ) WHERE last_first_buy_s >= ${fromS} GROUP BY wallet_no
    ) GROUP BY wallet_no`;
}

/** Any fill in scope, BUY or SELL, in the window (2.16). */
function ofActivitySql(): string {
  return `
    SELECT wallet_no, min(first_trade_s) AS first_trade_s, max(last_trade_s) AS last_trade_s,
      bit_count(bit_or(days)) AS active_days, bit_or(days) AS trade_days
    FROM position_as_of WHERE first_trade_s IS NOT NULL AND NOT is_up_down GROUP BY wallet_no`;
}

/**
 * Each pool's sums, then the four beside each other. The roots of an event are added, then squared
 * (2.19).
 */
function ofPoolsSql(): string {
  const columns = POOLS.flatMap((pool, no) =>
    POOL_COLUMNS.map((column) => `max(${column}) FILTER (pool = ${no}) AS ${pool}_${column}`),
  );
  return `
    SELECT wallet_no, ${columns.join(', ')} FROM (
      SELECT wallet_no, pool, sum(entries) AS entries, count(*) AS events, sum(wins) AS wins,
        sum(slippage_nano) AS slippage_nano, sum(return_nano) AS return_nano, sum(variance_nano) AS variance_nano,
        sum(root_nano::HUGEINT * root_nano) AS event_roots_atto, sum(score_nano) AS score_nano, sum(weight_nano) AS weight_nano,
        sum(weight_root_nano::HUGEINT * weight_root_nano) AS event_weight_roots_atto, max(return_nano) AS best_event_nano
      FROM pool_event GROUP BY wallet_no, pool
    ) GROUP BY wallet_no`;
}

function coalesced(column: string): string {
  return `coalesce(${column}, 0)::${typeOf(column)} AS ${column}`;
}

/**
 * Only squares need more than 64 bits; DuckDB rejects, and does not wrap around, what does not fit.
 */
function typeOf(column: string): string {
  if (/_(entries|events|wins)$/.test(column)) return 'INTEGER';
  return column.endsWith('_atto') ? 'HUGEINT' : 'BIGINT';
}
