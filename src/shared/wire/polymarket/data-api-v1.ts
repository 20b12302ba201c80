import { fieldsOf, type ParsedTrades, parseTradeRows, type RawTrade } from './trade-row.js';

/**
 * Returns the answer of `GET /trades` or `GET /activity` of the Data API's first version, or null
 * where it is no list (docs/venue.md, "Trades"). Rows of an activity that are no trades (REDEEM,
 * REWARD, rebates) are counted as skipped.
 */
export function parseTradesV1(raw: unknown): ParsedTrades | null {
  return Array.isArray(raw) ? parseTradeRows(raw.map(toRawTradeV1)) : null;
}

/**
 * Returns the fields of a row with camelCase names: the first version's, and those of the live
 * feed.
 */
export function toRawTradeV1(raw: unknown): RawTrade {
  const row = fieldsOf(raw);
  return {
    wallet: row.proxyWallet,
    side: row.side,
    token: row.asset,
    condition: row.conditionId,
    size: row.size,
    price: row.price,
    time: row.timestamp,
    event: row.eventSlug,
    outcomeIndex: row.outcomeIndex,
    name: row.name,
    pseudonym: row.pseudonym,
    tx: row.transactionHash,
    isCombo: row.isCombo,
    type: row.type,
  };
}
