/**
 * What a market of Gamma may have as null where it has none, by the schemas of the official client.
 */
const NULLABLE_OF_MARKETS = [
  'bestBid',
  'closedTime',
  'feeSchedule',
  'gameStartTime',
  'lastTradePrice',
  'negRiskMarketID',
  'outcomePrices',
  'secondsDelay',
  'sportsMarketType',
  'umaResolutionStatus',
] as const;

/** Returns an answer with null in each place where something may be left out and is. */
export function withNulls(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(withNulls);
  if (typeof body !== 'object' || body === null) return body;
  const fields = Object.entries(body).map(([key, value]) => [key, nullIfEmpty(key, withNulls(value))]);
  const nulls = 'clobTokenIds' in body ? NULLABLE_OF_MARKETS.map((key) => [key, null]) : [];
  return { ...Object.fromEntries(nulls), ...Object.fromEntries(fields.filter(([, value]) => value !== undefined)) };
}

/** A book that nobody has traded on has no last price. */
function nullIfEmpty(key: string, value: unknown): unknown {
  return key === 'last_trade_price' && value === '' ? null : value;
}
