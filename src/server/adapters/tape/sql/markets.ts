import type { SqlColumns } from './sql.js';

/**
 * A market as a layer holds it. Payouts are NULL while there is none. The source of a row is that
 * of its payout, or 'import' where an operator gave the row; NULL in files of earlier versions.
 */
export const MARKET_COLUMNS = {
  condition: 'VARCHAR',
  event: 'VARCHAR',
  slug: 'VARCHAR',
  category: 'VARCHAR',
  fee_rate_micros: 'BIGINT',
  is_up_down: 'BOOLEAN',
  scheduled_end_s: 'BIGINT',
  resolved_at_s: 'BIGINT',
  payout_micros: 'BIGINT[]',
  payout_source: 'VARCHAR',
  created_at_s: 'BIGINT',
} as const satisfies SqlColumns;

/** Columns that the files of earlier versions do not have; what they hold is NULL there. */
export const MARKET_COLUMNS_ADDED = ['payout_source', 'created_at_s'] as const;

/**
 * An imported row stands for what its operator knows now, and no earlier import counts beside it.
 */
const NOT_OVERRIDDEN = `payout_source IS DISTINCT FROM 'import'
  OR age = max(age) FILTER (payout_source = 'import') OVER (PARTITION BY condition)`;

const CONFIRMED = "payout_source IS DISTINCT FROM 'price'";

export const NAME_COLUMNS = { wallet: 'VARCHAR', name: 'VARCHAR' } as const satisfies SqlColumns;

/**
 * Returns each market once. Of the scheduled end the first one ever seen counts, because the venue
 * may edit it (docs/ratings.md, "Scored entries"); of all else the latest that says something, but
 * that a payout by price alone never stands over a confirmed one. `where` narrows the conditions.
 */
export function sqlMarkets(layers: string, where = 'true'): string {
  return `
    SELECT condition,
      coalesce(arg_max(nullif(event, ''), age), '') AS event, coalesce(arg_max(nullif(slug, ''), age), '') AS slug,
      arg_max(category, age) AS category, arg_max(fee_rate_micros, age) AS fee_rate_micros,
      arg_max(is_up_down, age) AS is_up_down, arg_min(scheduled_end_s, age) AS scheduled_end_s,
      ${confirmedFirst('resolved_at_s')} AS resolved_at_s, ${confirmedFirst('payout_micros')} AS payout_micros,
      CASE WHEN count(payout_micros) FILTER (${CONFIRMED}) > 0
          THEN nullif(arg_max(coalesce(payout_source, ''), age) FILTER (payout_micros IS NOT NULL AND ${CONFIRMED}), '')
        WHEN count(payout_micros) > 0 THEN 'price'
        ELSE max(payout_source) FILTER (payout_source = 'import') END AS payout_source,
      min(created_at_s) AS created_at_s
    FROM (SELECT * FROM ${layers} WHERE ${where} QUALIFY ${NOT_OVERRIDDEN}) GROUP BY condition`;
}

function confirmedFirst(column: string): string {
  return `coalesce(arg_max(${column}, age) FILTER (${CONFIRMED}), arg_max(${column}, age))`;
}

/** Returns each wallet's latest name. */
export function sqlNames(layers: string, where = 'true'): string {
  return `SELECT wallet, arg_max(name, age) AS name FROM ${layers} WHERE ${where} GROUP BY wallet`;
}
