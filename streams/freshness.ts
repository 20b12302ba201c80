import { asyncScheduler, exhaustMap, filter, from, interval, map, type Observable, type SchedulerLike } from 'rxjs';
import type { OrderBook } from '#domain/book/order-book';
import type { TokenId } from '#domain/ids';
import { bookHash } from '#wire/polymarket/book-hash';

/** Whether a book, as we hold it, is the one whose hash the venue sent. `unknown` where the venue did not tell enough. */
export type HashCheck = 'agrees' | 'differs' | 'unknown';

/** Returns the age of a book in milliseconds, or null where the venue never confirmed one. */
export function ageMs(book: OrderBook, nowMs: number): number | null {
  return book.confirmedAtMs === null ? null : Math.max(0, nowMs - book.confirmedAtMs);
}

/**
 * Compares a book with the hash that came with its last change (docs/venue.md, "Book hash"). The
 * hash covers the market's last trade price, told for the first outcome; a trade event tells it for
 * the token traded. So both are tried, and the one that fits is kept.
 */
export function checkHash(book: OrderBook): HashCheck {
  const { lastTradePrice } = book.hashFields;
  if (book.expectedHash === null || !book.synced || lastTradePrice === null) return 'unknown';
  for (const price of [lastTradePrice, complementOf(lastTradePrice)]) {
    const hash = hashWith(book, price);
    if (hash === null) return 'unknown';
    if (hash !== book.expectedHash) continue;
    if (price !== lastTradePrice) book.hashFields = { ...book.hashFields, lastTradePrice: price };
    return 'agrees';
  }
  return 'differs';
}

function hashWith(book: OrderBook, lastTradePrice: string): string | null {
  return bookHash({
    ...book.hashFields,
    lastTradePrice,
    tokenId: book.tokenId,
    conditionId: book.conditionId,
    timestampMs: book.timestampMs,
    bidsAscending: book.bids.levels(),
    asksDescending: book.asks.levels(),
  });
}

/** The price of the other outcome, with as many decimals. */
function complementOf(price: string): string {
  return (1 - Number(price)).toFixed(price.split('.')[1]?.length ?? 0);
}

/**
 * Looks every so often for books that want a second witness and has them re-confirmed, one round at a time: a slow venue
 * slows the rounds down and never piles them up. Emits what each round asked for.
 */
export function reconfirmations$(
  wanted: () => readonly TokenId[],
  reconfirm: (tokenIds: readonly TokenId[]) => Promise<void>,
  everyMs: number,
  scheduler: SchedulerLike = asyncScheduler,
): Observable<readonly TokenId[]> {
  return interval(everyMs, scheduler).pipe(
    map(wanted),
    filter((tokenIds) => tokenIds.length > 0),
    exhaustMap((tokenIds) => from(reconfirm(tokenIds).then(() => tokenIds))),
  );
}
