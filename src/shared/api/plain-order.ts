import { DEFAULT_THRESHOLDS, DEFAULT_USD, USD_MAX } from '#domain/order/thresholds';
import type { OrderRequest } from './order-request.js';

const TOKEN_ID = /^[0-9]{1,78}$/;
const USD = /^[0-9]{1,12}(\.[0-9]{1,12})?$/;

/**
 * Returns an order in its usual form, token with side and size at most, as `OrderRequestSchema` reads it; null if it is in any
 * other, or not right. That is for the schema, which takes six times as long and says what is wrong. Written out: a name at a
 * time, and one object with all of its members at once.
 */
export function readPlainOrder(raw: unknown): OrderRequest | null {
  if (typeof raw !== 'object' || Array.isArray(raw)) return null;
  let token_id = '';
  let side: OrderRequest['side'] = 'BUY';
  let usd: number = DEFAULT_USD;
  for (const name in raw) {
    const value = (raw as Readonly<Record<string, unknown>>)[name];
    if (name === 'token_id' && typeof value === 'string') token_id = value;
    else if (name === 'side' && (value === 'BUY' || value === 'SELL')) side = value;
    else if (name === 'usd' && (typeof value === 'number' || isPlainDecimal(value))) usd = Number(value);
    else return null;
  }
  if (!TOKEN_ID.test(token_id) || !(usd > 0 && usd <= USD_MAX)) return null;
  return {
    token_id,
    side,
    usd,
    max_slippage_c: DEFAULT_THRESHOLDS.slippageCautionCents,
    veto_slippage_c: DEFAULT_THRESHOLDS.slippageVetoCents,
    max_book_age_s: DEFAULT_THRESHOLDS.bookStaleVetoS,
  };
}

function isPlainDecimal(value: unknown): boolean {
  return typeof value === 'string' && USD.test(value);
}
