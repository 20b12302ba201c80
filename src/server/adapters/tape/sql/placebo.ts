import type { RatingConfig } from '#domain/rating/rating-config';
import { ratingWindows } from '#domain/rating/rating-windows';

/** 2^64, one above the greatest hash. */
const HASHES = '18446744073709551616.0::DOUBLE';

/**
 * Returns the statement that makes the table of what entries were paid for the first outcome of
 * each market.
 */
export const PLACEBO_TABLE =
  'CREATE TEMP TABLE entered_at (market_key UBIGINT, first_outcome_micros BIGINT, entries BIGINT)';

/**
 * Returns the statement that adds the entries of a pass (table `position_as_of`). One of the second
 * outcome at 0.3 says 0.7 of the first.
 */
export function sqlPlaceboEntries(asOfS: number, config: RatingConfig): string {
  return `
    INSERT INTO entered_at
    SELECT market_key, sum(CASE WHEN outcome_index = 0 THEN entry_price_micros ELSE 1000000 - entry_price_micros END), count(*)
    FROM position_as_of WHERE first_buy_s >= ${ratingWindows(asOfS, config).fromS} AND NOT is_up_down GROUP BY market_key`;
}

/**
 * Returns the markets with their outcomes drawn anew (docs/ratings.md, "Placebo board"): the first
 * outcome pays with the probability that is the mean price of all first entries of the window in
 * that market, of whatever wallet. The draw is a hash of seed and condition, so all wallets share
 * it and it can be repeated. Markets that had no payout then have none now.
 */
export function sqlPlaceboMarkets(markets: string, seed: number): string {
  return `
    SELECT * EXCLUDE (payout_micros, market_key, first_outcome_micros, entries),
      CASE WHEN payout_micros IS NOT NULL THEN
        CASE WHEN md5_number_lower('${seed}:' || condition)::DOUBLE / ${HASHES} < first_outcome_micros::DOUBLE / entries::DOUBLE / 1e6
          THEN [1000000, 0]::BIGINT[] ELSE [0, 1000000]::BIGINT[] END END AS payout_micros
    FROM ${markets} LEFT JOIN (
      SELECT market_key, sum(first_outcome_micros) AS first_outcome_micros, sum(entries) AS entries FROM entered_at GROUP BY market_key
    ) ON market_key = hash(condition)`;
}
