import type { BookSnapshot } from '#domain/book/book';
import type { OrderBook } from '#domain/book/order-book';
import { FEE_FREE } from '#domain/market';
import type { OrderQuestion } from '#domain/order/gather-facts';
import { DEFAULT_THRESHOLDS } from '#domain/order/thresholds';
import { idsFromSlug } from '#local/venue/market/live-market';
import { between, pick } from '#local/venue/market/seeded-random';
import type { Random } from '#system/random';
import { randomSnapshot } from './book-walk.js';

/** The venue's finest price step, 0.0001 USD. */
const STEP_TICKS = 1;
/**
 * USD. On books of about 50,000 USD a side these take from a part of the best level to most of the
 * levels.
 */
const SIZES_USD = [100, 2_500, 10_000, 25_000] as const;

const MARKET: OrderQuestion['market'] = {
  fee: { ...FEE_FREE, rate: 0.05, category: 'general_fees' },
  minOrderShares: 5,
  status: { active: true, closed: false, acceptingOrders: true, orderBookEnabled: true, umaResolutionStatus: '' },
};

/** Yields books of 40 levels a side in steps of 0.0001, one per market. */
export function* snapshotsOf(count: number, random: Random): Generator<BookSnapshot> {
  for (let i = 0; i < count; i++) yield randomSnapshot(random, idsFromSlug(`book-${i}-of-${count}`), STEP_TICKS);
}

/** Returns so many orders, each on one of the books. */
export function ordersOn(books: readonly OrderBook[], count: number, random: Random): OrderQuestion[] {
  return Array.from({ length: count }, () => ({
    side: pick(random, ['BUY', 'SELL']),
    usd: pick(random, SIZES_USD) + between(random, 0, 99) / 100,
    thresholds: DEFAULT_THRESHOLDS,
    market: MARKET,
    book: pick(random, books as [OrderBook]),
    bookAgeMs: between(random, 0, 4_000),
  }));
}
