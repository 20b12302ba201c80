import { OrderBook } from '#domain/book/order-book';
import type { ConditionId, TokenId } from '#domain/ids';
import { bookHash } from '#wire/polymarket/book-hash';

/** What the hash of a book covers beside its levels. */
export const HASHED_FIELDS = { minOrderSize: '5', tickSize: '0.01', negRisk: false, lastTradePrice: '0.490' };

/**
 * Returns a synced book of one bid (0.49) and one ask (0.51), with the hash that the venue sends
 * for it.
 */
export function hashedBook(tokenId: TokenId, conditionId = '0xabc' as ConditionId): OrderBook {
  const bids = [{ priceTicks: 4_900, sizeMicros: 20_500_000 }];
  const asks = [{ priceTicks: 5_100, sizeMicros: 40_000_000 }];
  const about = { ...HASHED_FIELDS, tokenId, conditionId, timestampMs: 1_000 };
  const hash = bookHash({ ...about, bidsAscending: bids, asksDescending: asks });
  const book = new OrderBook(tokenId, conditionId);
  book.applySnapshot({ ...about, bids, asks, hash }, 1);
  return book;
}
