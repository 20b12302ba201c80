import { asyncScheduler, exhaustMap, filter, from, interval, map, type Observable, type SchedulerLike } from 'rxjs';
import type { TokenId } from '#domain/ids';
import type { OrderBook } from '#domain/order-book';
import { bookHash } from '#wire/book-hash';

/** Whether a book, as we hold it, is the one whose hash the venue sent. `unknown` where the venue did not tell enough. */
export type HashCheck = 'agrees' | 'differs' | 'unknown';

/** Returns the age of a book in milliseconds, or null where the venue never confirmed one. */
export function ageMs(book: OrderBook, nowMs: number): number | null {
  return book.confirmedAtMs === null ? null : Math.max(0, nowMs - book.confirmedAtMs);
}

/** Compares a book with the hash that came with its last change (venue notes, section 1.5). */
export function checkHash(book: OrderBook): HashCheck {
  if (book.expectedHash === null || !book.synced) return 'unknown';
  const hash = bookHash({
    ...book.hashFields,
    tokenId: book.tokenId,
    conditionId: book.conditionId,
    timestampMs: book.timestampMs,
    bidsAscending: book.bids.levels(),
    asksDescending: book.asks.levels(),
  });
  if (hash === null) return 'unknown';
  return hash === book.expectedHash ? 'agrees' : 'differs';
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
