import type { RatingConfig } from '#domain/rating/rating-config';
import { ratingWindows } from '#domain/rating/rating-windows';
import { MIX_CATEGORIES } from '#domain/rating/tape-market';
import type { SqlStep } from './sorting.js';

/** The pools in the order of their numbers in SQL. The last one is all of the window. */
export const POOLS = ['older', 'inSample', 'outOfSample', 'window'] as const;
const [OLDER, IN_SAMPLE, OUT_OF_SAMPLE, WINDOW] = [0, 1, 2, 3];

/** The number of a category among `MIX_CATEGORIES` (2.13). */
export const OTHER_CATEGORY = MIX_CATEGORIES.indexOf('other');

/** Politics is the only category of the mix with a second name. */
function categorySql(): string {
  const numbers = MIX_CATEGORIES.map((name, no) => `WHEN category = '${name}' THEN ${no}`);
  const geopolitics = `WHEN category = 'geopolitics' THEN ${MIX_CATEGORIES.indexOf('politics')}`;
  return `(CASE ${numbers.join(' ')} ${geopolitics} ELSE ${OTHER_CATEGORY} END)::TINYINT`;
}

/**
 * Returns markets as a rating at `asOfS` sees them. `payout_micros` is what was settled by then.
 */
export function sqlRatedMarkets(markets: string, asOfS: number): string {
  return `
    SELECT condition, CASE WHEN event <> '' THEN hash(event) END AS event_key, is_up_down, fee_rate_micros,
      ${categorySql()} AS category,
      CASE WHEN resolved_at_s <= ${asOfS} THEN payout_micros END AS payout_micros,
      scheduled_end_s IS NULL OR scheduled_end_s <= ${asOfS} AS is_matured,
      payout_source IS NOT DISTINCT FROM 'price' AS is_by_price
    FROM ${markets}`;
}

/**
 * Returns the steps from first entries to scored ones and to the sums of events. The same rules, in
 * the same order of operations, as `scoreEntry`, `sumPool` and `sumPools` in the domain.
 */
export function sqlScoreSteps(asOfS: number, config: RatingConfig): readonly SqlStep[] {
  const { fromS } = ratingWindows(asOfS, config);
  return [
    { table: 'score', query: sqlScore({ fromS, toS: asOfS }, config), isView: true },
    { table: 'event_part', query: eventPartSql(asOfS, config) },
    { table: 'pool_event', query: poolEventSql(), isView: true },
  ];
}

/**
 * Returns the first entries of a span of time (up to before `toS`) with what they brought: per
 * dollar, in nano, rounded half away from zero; the variance in doubles, rounded at once (2.10 and
 * 2.19).
 */
export function sqlScore(span: EntrySpan, config: RatingConfig): string {
  return `
    SELECT *, payout_micros IS NOT NULL AND NOT is_matured AS is_early, back_nano - 1000000000 AS slippage_nano,
      back_nano - 1000000000 - fee_nano AS return_nano,
      CASE WHEN back_nano IS NOT NULL THEN round(v * 1e9)::BIGINT END AS variance_nano,
      CASE WHEN back_nano IS NOT NULL THEN round(sqrt(v) * 1e9)::BIGINT END AS root_nano,
      CASE WHEN back_nano IS NOT NULL THEN round(u * 1e9)::BIGINT END AS score_nano,
      CASE WHEN back_nano IS NOT NULL THEN round(w * 1e9)::BIGINT END AS weight_nano,
      CASE WHEN back_nano IS NOT NULL THEN round(sqrt(w) * 1e9)::BIGINT END AS weight_root_nano
    FROM (
      SELECT *, spread / (p * p) AS v,
        CASE WHEN spread > 0 THEN 1::DOUBLE / spread ELSE 0 END AS w,
        CASE WHEN spread > 0 THEN (payout_micros::DOUBLE / 1e6 - c) / spread ELSE 0 END AS u
      FROM (SELECT *, c * (1::DOUBLE - c) AS spread FROM (
        SELECT *, p * (1::DOUBLE + rate * (1::DOUBLE - p)) AS c FROM (
          SELECT *, copier_price_micros::DOUBLE / 1e6 AS p, fee_rate_micros::DOUBLE / 1e6 AS rate,
            (fee_rate_micros * (1000000 - copier_price_micros) + 500) // 1000 AS fee_nano,
            CASE WHEN is_matured
              THEN (2 * payout_micros * 1000000000 + copier_price_micros) // (2 * copier_price_micros) END AS back_nano
          FROM (${entrySql(span, config)})
        )
      ))
    )`;
}

interface EntrySpan {
  readonly fromS: number;
  readonly toS: number;
}

/** Whether an entry passes the leaderboard filter (2.18). */
export function sqlPassesFilter(config: RatingConfig): string {
  return `entry_price_micros BETWEEN ${config.filterPriceMicrosMin} AND ${config.filterPriceMicrosMax}
      AND entry_size_micros >= ${config.filterClipSharesMicrosMin}`;
}

/** What a copier pays. */
function entrySql({ fromS, toS }: EntrySpan, config: RatingConfig): string {
  return `
    SELECT place_no, wallet_no, first_buy_s, entry_price_micros, entry_size_micros, clips, is_sell_first, is_round_trip,
      market_key, event_key, category, fee_rate_micros, payout_micros, is_undescribed, is_matured, is_by_price, has_twin,
      least(entry_price_micros + ${config.slippageMicros}, ${config.copierPriceMicrosMax})::BIGINT AS copier_price_micros
    FROM position_as_of WHERE first_buy_s >= ${fromS} AND first_buy_s < ${toS} AND NOT is_up_down`;
}

/** Of one event they fit into a BIGINT; DuckDB would reject, and not wrap around, what does not. */
const SUMS = [
  ...['slippage_nano', 'return_nano', 'variance_nano', 'root_nano'],
  ...['score_nano', 'weight_nano', 'weight_root_nano'],
] as const;

/**
 * Sums over the filtered entries of one event in one month; an event without scorable ones is there
 * for the embargo.
 */
function eventPartSql(asOfS: number, config: RatingConfig): string {
  const { inSampleFromS, outOfSampleFromS } = ratingWindows(asOfS, config);
  return `
    SELECT wallet_no, event_key, CASE WHEN first_buy_s < ${inSampleFromS} THEN ${OLDER}
        WHEN first_buy_s < ${outOfSampleFromS} THEN ${IN_SAMPLE} ELSE ${OUT_OF_SAMPLE} END AS pool,
      count(return_nano) AS entries, count(*) FILTER (slippage_nano > 0) AS wins,
      ${SUMS.map((sum) => `sum(${sum})::BIGINT AS ${sum}`).join(', ')}
    FROM score
    WHERE ${sqlPassesFilter(config)}
    GROUP BY 1, 2, 3`;
}

/**
 * Events by pool: the months, of which the last is without embargoed events (2.18), and all of the
 * window.
 */
function poolEventSql(): string {
  return `
    SELECT wallet_no, pool, entries, wins, ${SUMS.join(', ')}
    FROM event_part
      LEFT JOIN (SELECT wallet_no, event_key, ${OUT_OF_SAMPLE} AS pool, true AS is_embargoed FROM event_part
        WHERE pool = ${IN_SAMPLE}) USING (wallet_no, event_key, pool)
    WHERE entries > 0 AND is_embargoed IS NULL
    UNION ALL
    SELECT wallet_no, ${WINDOW}, sum(entries)::BIGINT, sum(wins)::BIGINT, ${SUMS.map((sum) => `sum(${sum})::BIGINT`).join(', ')}
    FROM event_part WHERE entries > 0 GROUP BY wallet_no, event_key`;
}
