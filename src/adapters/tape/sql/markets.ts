import type { SqlColumns } from './sql.js';

/** A market as a layer holds it. Payouts are NULL while there is no vector. */
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
} as const satisfies SqlColumns;

export const NAME_COLUMNS = { wallet: 'VARCHAR', name: 'VARCHAR' } as const satisfies SqlColumns;

/**
 * Returns each market once. Of the scheduled end the first one ever seen counts, because the venue
 * may edit it (docs/ratings.md, "Scored entries"); of all else the latest that says something.
 * `where` narrows the conditions.
 */
export function sqlMarkets(layers: string, where = 'true'): string {
  return `
    SELECT condition,
      coalesce(arg_max(nullif(event, ''), age), '') AS event, coalesce(arg_max(nullif(slug, ''), age), '') AS slug,
      arg_max(category, age) AS category, arg_max(fee_rate_micros, age) AS fee_rate_micros,
      arg_max(is_up_down, age) AS is_up_down, arg_min(scheduled_end_s, age) AS scheduled_end_s,
      arg_max(resolved_at_s, age) AS resolved_at_s, arg_max(payout_micros, age) AS payout_micros
    FROM ${layers} WHERE ${where} GROUP BY condition`;
}

/** Returns each wallet's latest name. */
export function sqlNames(layers: string, where = 'true'): string {
  return `SELECT wallet, arg_max(name, age) AS name FROM ${layers} WHERE ${where} GROUP BY wallet`;
}
