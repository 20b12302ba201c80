import type { RatingConfig } from '#domain/rating/rating-config';
import { ratingWindows } from '#domain/rating/rating-windows';
import { UNKNOWN_MARKET } from '#domain/rating/tape-market';
import { DAY_S } from '#domain/time';
import { entryCutOffs, sqlEntrySteps } from './entries.js';
import { FACT_COLUMNS, FACT_DAYS_MAX } from './fills.js';
import { OTHER_CATEGORY } from './scores.js';
import type { SqlStep } from './sorting.js';

/**
 * Days of the window that fit into the bits of a HUGEINT, but for the day that it may cut in two.
 */
export const WINDOW_DAYS_MAX = 125;

/**
 * Returns the steps of a compaction from sorted fills (table `<name>_sorted`) to the facts of their
 * places (`<name>_fact`).
 */
export function sqlFactSteps(name: string, config: RatingConfig): readonly SqlStep[] {
  const fills = `${name}_sorted`;
  const days = `
    SELECT place_no, CASE WHEN max(last_day - first_day) < ${FACT_DAYS_MAX}
      THEN bit_or(1::BIGINT << least(day - first_day, ${FACT_DAYS_MAX})) END AS days
    FROM (
      SELECT place_no, time_s // ${DAY_S} AS day, first_fill_s // ${DAY_S} AS first_day, last_fill_s // ${DAY_S} AS last_day
      FROM ${fills} JOIN ${name}_held USING (place_no) WHERE size_micros >= ${config.fillSharesMicrosMin}
    ) GROUP BY place_no`;
  const twins = `
    SELECT place_no, count(*) OVER (PARTITION BY wallet_no, condition) > 1 AS has_twin
    FROM ${name}_held JOIN ${name}_position USING (place_no) WHERE first_buy_s IS NOT NULL`;
  return [
    ...sqlEntrySteps(name, fills, Number.MAX_SAFE_INTEGER, config),
    {
      table: `${name}_fact`,
      query: `
        SELECT place_no, ${Object.keys(FACT_COLUMNS).join(', ')}
        FROM ${name}_held JOIN (${days}) USING (place_no) LEFT JOIN ${name}_entry USING (place_no)
          LEFT JOIN (${twins}) USING (place_no)`,
    },
  ];
}

/**
 * Returns the steps from the places and fills of a pass (`position` with facts, `fill`) to
 * `position_as_of`: each place with what happened there as far as it was known at `asOfS`, and its
 * market. Where the facts of the last compaction do not say it, because there are newer fills,
 * because the moment lies before some of them, or because the window cuts a place in two, they are
 * made anew.
 */
export function sqlPositionSteps(asOfS: number, config: RatingConfig, compactedCutOffs: string): readonly SqlStep[] {
  const { fromS } = ratingWindows(asOfS, config);
  const firstDay = Math.floor(fromS / DAY_S);
  const inside = `first_fill_s >= ${fromS} AND days IS NOT NULL`;
  const isVisible =
    compactedCutOffs === entryCutOffs(config)
      ? `is_told AND (last_fill_s IS NULL OR (last_fill_s < ${asOfS} AND (last_fill_s < ${fromS} OR (${inside}))))`
      : 'false';
  return [
    { table: 'unseen_position', query: `SELECT place_no FROM position WHERE NOT (${isVisible})` },
    { table: 'live_fill', query: 'SELECT * FROM fill WHERE place_no IN (SELECT place_no FROM unseen_position)' },
    ...sqlEntrySteps('live', 'live_fill', asOfS, config),
    { table: 'live_trade', query: tradesSql(fromS, asOfS, firstDay, config) },
    { table: 'position_as_of', query: positionSql(visibleSql(isVisible, fromS, firstDay)) },
  ];
}

/**
 * When there were fills in the window. The days are bits, so that the days of a wallet come
 * together without a list.
 */
function tradesSql(fromS: number, asOfS: number, firstDay: number, config: RatingConfig): string {
  return `
    SELECT place_no, min(time_s) AS first_trade_s, max(time_s) AS last_trade_s,
      bit_or(1::HUGEINT << greatest(time_s // ${DAY_S} - ${firstDay}, 0)::HUGEINT) AS days
    FROM live_fill
    WHERE time_s >= ${fromS} AND time_s < ${asOfS} AND size_micros >= ${config.fillSharesMicrosMin} GROUP BY place_no`;
}

const POSITION = 'place_no, wallet_no, condition, outcome_index';
const ENTRY = 'first_buy_s, first_sell_s, clips, entry_price_micros, entry_size_micros, entry_event, is_round_trip';

function visibleSql(isVisible: string, fromS: number, firstDay: number): string {
  const inWindow = `last_fill_s >= ${fromS}`;
  return `
    SELECT ${POSITION}, ${ENTRY}, coalesce(has_twin, true) AS has_twin,
      CASE WHEN ${inWindow} THEN first_fill_s END AS first_trade_s,
      CASE WHEN ${inWindow} THEN last_fill_s END AS last_trade_s,
      CASE WHEN ${inWindow} THEN days::HUGEINT << greatest(first_fill_s // ${DAY_S} - ${firstDay}, 0)::HUGEINT END AS days
    FROM position WHERE ${isVisible} AND last_fill_s IS NOT NULL
    UNION ALL
    SELECT ${POSITION}, ${ENTRY}, coalesce(has_twin, true), first_trade_s, last_trade_s, live_trade.days
    FROM live_held JOIN (SELECT ${POSITION}, has_twin FROM position) USING (place_no) LEFT JOIN live_entry USING (place_no)
      LEFT JOIN live_trade USING (place_no)`;
}

/**
 * Markets and events become 64-bit hashes, which are distinguished within one wallet only: for two
 * of 10,000 events to fall together the odds are one in 10^11. They are made anew in each rating
 * and never stored.
 */
function positionSql(visible: string): string {
  return `
    SELECT place_no, wallet_no, hash(condition) AS market_key, outcome_index, first_buy_s,
      entry_price_micros, entry_size_micros, clips,
      coalesce(first_sell_s < first_buy_s, false) AS is_sell_first, is_round_trip, has_twin,
      first_trade_s, last_trade_s, days,
      coalesce(event_key, hash(coalesce(nullif(entry_event, ''), condition))) AS event_key,
      coalesce(category, ${OTHER_CATEGORY})::TINYINT AS category,
      coalesce(fee_rate_micros, ${UNKNOWN_MARKET.feeRateMicros}) AS fee_rate_micros,
      coalesce(is_up_down, false) AS is_up_down, payout_micros[outcome_index + 1] AS payout_micros,
      is_matured IS NULL AS is_undescribed, coalesce(is_matured, true) AS is_matured, coalesce(is_by_price, false) AS is_by_price
    FROM (${visible}) LEFT JOIN market USING (condition)`;
}
