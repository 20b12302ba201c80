import { ladderOf, marketStatusOf, momentMsOf } from '#client/evidence/reported-book';
import { crossedBook } from '#domain/book/ladder';
import type { OrderQuestion } from '#domain/order/gather-facts';
import type { ReceivedBook, ReceivedMarket, ReceivedStatus } from '../market/received.js';

/** A book to compute on, as it was told. */
export interface LiveBook {
  readonly sides: OrderQuestion['book'];
  /** Its age when it was told. */
  readonly reportedAgeMs: number;
  /** What speaks against it; null: nothing. */
  readonly doubt: string | null;
}

/** Returns a book whose levels have been read before (readBook). */
export function toLiveBook({ bids, asks, listed, confirmed_age_ms, doubt, trusted }: ReceivedBook): LiveBook {
  const [bidSide, askSide] = [ladderOf('bids', bids), ladderOf('asks', asks)];
  const sides = { bids: bidSide, asks: askSide, listed, crossed: crossedBook(bidSide, askSide) };
  return { sides, reportedAgeMs: confirmed_age_ms, doubt: trusted ? null : (doubt ?? 'unlikely') };
}

/** Returns what an order is judged by beside its book. */
export function toMarketFacts(
  { fee, min_order_shares, game_due_at }: ReceivedMarket,
  status: ReceivedStatus,
): OrderQuestion['market'] {
  return {
    fee,
    minOrderShares: min_order_shares,
    gameDueMs: momentMsOf(game_due_at),
    status: marketStatusOf(status),
  };
}
