import type { SqlColumns } from './sql.js';

/**
 * A fill as it lies in a segment. `log_index` is its position in the logs; below zero it is the
 * number (-1: the second) of a fill without one among those of its reading that are equal in
 * everything else, and NULL for the first.
 */
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

/** The columns of a fill, as a select list. */
export const FILL_NAMES = Object.keys(FILL_COLUMNS).join(', ');

/**
 * A (wallet, token) pair of sorted fills. Numbers grow with wallet and token, and no two files
 * share one; that of a wallet is the same in all generations.
 */
export const POSITION_COLUMNS = {
  place_no: 'INTEGER',
  wallet_no: 'INTEGER',
  wallet: 'VARCHAR',
  token: 'VARCHAR',
  condition: 'VARCHAR',
  outcome_index: 'INTEGER',
} as const satisfies SqlColumns;

/**
 * What a wallet did with the token, as far as the sorted fills show and for the cut-offs of the
 * compaction: its first BUY and SELL, first and last fill in scope, the days of its fills as bits
 * from the first one on (NULL where they are too many), its entry, and whether it ever bought
 * another token of the condition.
 */
export const FACT_COLUMNS = {
  first_buy_s: 'BIGINT',
  first_sell_s: 'BIGINT',
  first_fill_s: 'BIGINT',
  last_fill_s: 'BIGINT',
  days: 'BIGINT',
  clips: 'INTEGER',
  entry_price_micros: 'INTEGER',
  entry_size_micros: 'BIGINT',
  entry_event: 'VARCHAR',
  is_round_trip: 'BOOLEAN',
  has_twin: 'BOOLEAN',
} as const satisfies SqlColumns;

/** Days that fit into the bits of `days`. */
export const FACT_DAYS_MAX = 62;

/**
 * A sorted fill. Its place stands for its texts, so that ratings group whole numbers. `tx_no`
 * orders the transactions of a place as their hashes do, where that could matter: 0 if the source
 * does not give it; the same for fills of one transaction. `is_alone` says that no other fill is in
 * its clip.
 */
export const SORTED_COLUMNS = {
  place_no: 'INTEGER',
  event: 'VARCHAR',
  is_buy: 'BOOLEAN',
  size_micros: 'BIGINT',
  price_micros: 'INTEGER',
  time_s: 'BIGINT',
  tx: 'VARCHAR',
  log_index: 'INTEGER',
  tx_no: 'INTEGER',
  is_alone: 'BOOLEAN',
} as const satisfies SqlColumns;

/** A place of an older generation that a younger one stands for. */
export const REPLACED_COLUMNS = { wallet: 'VARCHAR', place_no: 'INTEGER' } as const satisfies SqlColumns;

/** A fill and the CSV import that it came of: '' if of none. */
export const SOURCED_COLUMNS = { ...FILL_COLUMNS, source: 'VARCHAR' } as const satisfies SqlColumns;

/** What a source told of a place. */
export const REPORTED_COLUMNS = { place_no: 'INTEGER', ...SOURCED_COLUMNS } as const satisfies SqlColumns;

/** Returns fills as segments have them, of sorted fills and their places. */
export function sqlUnsorted(fills: string, positions: string): string {
  return `(SELECT ${FILL_NAMES} FROM ${fills} JOIN ${positions} USING (place_no))`;
}
