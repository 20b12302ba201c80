import type { DuckDBValue } from '@duckdb/node-api';
import type { TapeWallet } from '#domain/ids';
import type { RatingConfig } from '#domain/rating/rating-config';
import { DAY_S } from '#domain/time';
import type { OutcomeSpan, OutcomeSums } from '#ports/tape';
import { sqlPassesFilter, sqlScore } from '../sql/scores.js';
import { sqlTexts } from '../sql/sql.js';

/**
 * Returns the query of one row per wallet, event and day, over the tables `position_as_of` and
 * `position` of a pass.
 */
export function sqlOutcomes({ wallets, ...span }: Omit<OutcomeSpan, 'knownS'>, config: RatingConfig): string {
  const wanted = wallets === undefined ? '' : `WHERE ${sqlIsOneOf(wallets)}`;
  const counts = (test: string) =>
    `(count(*) FILTER (${test}))::INTEGER, (count(return_nano) FILTER (${test}))::INTEGER,
      coalesce(sum(return_nano) FILTER (${test}), 0)::BIGINT`;
  return `
    SELECT any_value(wallet), hex(event_key), first_buy_s // ${DAY_S} * ${DAY_S} AS day_s, ${counts('true')}, ${counts(sqlPassesFilter(config))}
    FROM (${sqlScore(span, config)}) JOIN (SELECT place_no, wallet FROM position ${wanted}) USING (place_no)
    GROUP BY wallet_no, event_key, day_s ORDER BY 1, 2, 3`;
}

/** DuckDB knows no empty list. */
function sqlIsOneOf(wallets: readonly TapeWallet[]): string {
  return wallets.length === 0 ? 'false' : `wallet IN ${sqlTexts(wallets)}`;
}

/** Returns the columns of a result as sums by wallet, event and day. */
export function toOutcomeSums(columns: readonly (readonly DuckDBValue[])[]): readonly OutcomeSums[] {
  const [wallets = [], ...rest] = columns;
  return wallets.map((wallet, row) => {
    const [event, dayS, ...sums] = rest.map((column) => column[row]);
    const numbers = sums.map(Number);
    const tally = (at: number) => ({
      entries: numbers[at]!,
      scored: numbers[at + 1]!,
      returnFeeNano: numbers[at + 2]!,
    });
    return {
      wallet: wallet as TapeWallet,
      event: String(event),
      dayS: Number(dayS),
      all: tally(0),
      filtered: tally(3),
    };
  });
}
