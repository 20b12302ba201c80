import type { SqlColumns } from './tape-sql.js';

/** A fill as it lies in a segment. */
export const FILL_COLUMNS = {
  wallet: 'VARCHAR',
  token: 'VARCHAR',
  condition: 'VARCHAR',
  event: 'VARCHAR',
  outcome_index: 'INTEGER',
  is_buy: 'BOOLEAN',
  size_micros: 'BIGINT',
  price_micros: 'INTEGER',
  time_s: 'BIGINT',
  tx: 'VARCHAR',
  log_index: 'INTEGER',
} as const satisfies SqlColumns;

/**
 * What sorted fills have besides, so that ratings group whole numbers and not texts: `place_no` numbers the (wallet, token) pairs
 * of a range in their order; `tx_no` the transactions of a place in the order of their hashes, 0 where the source does not tell
 * it; `is_alone` says that no other fill is in its clip.
 */
export const CODE_COLUMNS = {
  place_no: 'INTEGER',
  tx_no: 'INTEGER',
  is_alone: 'BOOLEAN',
} as const satisfies SqlColumns;

/** A (wallet, token) pair of a range. */
export const PLACE_COLUMNS = {
  place_no: 'INTEGER',
  wallet_no: 'INTEGER',
  wallet: 'VARCHAR',
  token: 'VARCHAR',
  condition: 'VARCHAR',
  outcome_index: 'INTEGER',
  last_fill_s: 'BIGINT',
} as const satisfies SqlColumns;

/** What names a fill that has no position in the chain's logs. */
const CONTENT = 'wallet, token, is_buy, tx, price_micros, size_micros, time_s';

/**
 * Returns each fill once (ratings design, 2.1): a position in the logs names it, else its content does, and a row without a
 * position that equals one with a position is the same fill. What is told of its event, condition and outcome by several rows
 * becomes one: the greatest event, the least of the others.
 */
export function sqlWithoutRepeats(fills: string): string {
  const position = `CASE WHEN tx = '' THEN NULL ELSE log_index END`;
  return `
    SELECT ${CONTENT}, log_index, condition, event, outcome_index FROM (
      SELECT ${CONTENT}, log_index, condition, outcome_index,
        max(event) OVER same AS event, max(log_index) OVER same AS greatest_log_index
      FROM (
        SELECT ${CONTENT}, ${position} AS log_index,
          min(condition) AS condition, max(event) AS event, min(outcome_index) AS outcome_index
        FROM ${fills} GROUP BY ${CONTENT}, ${position}
      )
      WINDOW same AS (PARTITION BY ${CONTENT})
    ) WHERE log_index IS NOT NULL OR greatest_log_index IS NULL`;
}

/** Returns the (wallet, token) pairs of fills, numbered from `firstNo` on. */
export function sqlPlaces(fills: string, firstNo = 1): string {
  return `
    SELECT (row_number() OVER (ORDER BY wallet, token) + ${firstNo - 1})::INTEGER AS place_no,
      (dense_rank() OVER (ORDER BY wallet) + ${firstNo - 1})::INTEGER AS wallet_no,
      wallet, token, condition, outcome_index, last_fill_s
    FROM (
      SELECT wallet, token, min(condition) AS condition, min(outcome_index)::INTEGER AS outcome_index, max(time_s) AS last_fill_s
      FROM ${fills} GROUP BY wallet, token
    )`;
}

/** Returns fills without repeats with their codes. `places` are their numbered pairs. */
export function sqlCoded(fills: string, places: string): string {
  return `
    SELECT fill.*, place.place_no,
      CASE WHEN tx = '' THEN 0 ELSE dense_rank() OVER (PARTITION BY place.place_no ORDER BY tx) END::INTEGER AS tx_no,
      count(*) OVER (PARTITION BY place.place_no, is_buy, tx, CASE WHEN tx = '' THEN time_s END) = 1 AS is_alone
    FROM ${fills} AS fill JOIN ${places} AS place USING (wallet, token)`;
}
