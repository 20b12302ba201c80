import { formatScaled } from '../decimal.js';
import type { ConditionId, TokenId } from '../ids.js';
import type { BookHashFields, Level } from './book.js';

/**
 * A book in the form whose SHA-1 the venue sends. Bids ascend and asks descend, so that the best is
 * last.
 */
export interface HashableBook extends BookHashFields {
  readonly conditionId: ConditionId;
  readonly tokenId: TokenId;
  readonly timestampMs: number;
  readonly bidsAscending: Iterable<Level>;
  readonly asksDescending: Iterable<Level>;
}

/**
 * Returns the text whose SHA-1 is the venue's book hash: compact JSON with the keys in exactly this
 * order and every number as a string. null if a field that the hash covers was never given.
 * Reproduces all real REST books we hold, so the venue writes prices and sizes in their shortest
 * form; only last_trade_price keeps its zeros and is passed on as it came.
 */
export function hashedText(book: HashableBook): string | null {
  const { minOrderSize, tickSize, negRisk, lastTradePrice } = book;
  if (minOrderSize === null || tickSize === null || negRisk === null || lastTradePrice === null) return null;
  return (
    `{"market":"${book.conditionId}","asset_id":"${book.tokenId}","timestamp":"${book.timestampMs}","hash":""` +
    `,"bids":[${levels(book.bidsAscending)}],"asks":[${levels(book.asksDescending)}]` +
    `,"min_order_size":"${minOrderSize}","tick_size":"${tickSize}","neg_risk":${negRisk}` +
    `,"last_trade_price":"${lastTradePrice}"}`
  );
}

function levels(side: Iterable<Level>): string {
  let text = '';
  for (const { priceTicks, sizeMicros } of side) {
    text += `${text === '' ? '' : ','}{"price":"${formatScaled(priceTicks, 4)}","size":"${formatScaled(sizeMicros, 6)}"}`;
  }
  return text;
}
