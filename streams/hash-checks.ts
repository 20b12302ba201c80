import {
  asyncScheduler,
  concat,
  EMPTY,
  mergeMap,
  type Observable,
  type OperatorFunction,
  type SchedulerLike,
  timer,
} from 'rxjs';
import type { OrderBook } from '#domain/book/order-book';
import type { TokenId } from '#domain/ids';
import { checkHash, type HashCheck } from '#wire/polymarket/check-hash';
import { conflate } from './operators.js';

/** A book whose hash agrees, or differed twice in a row, a period apart. */
export interface CheckedBook {
  readonly book: OrderBook;
  readonly check: Exclude<HashCheck, 'unknown'>;
}

/**
 * Checks the hashes of the books that changed, each at most once per period. The hash of a batch
 * fits only after its last frame, which may be on its way: a book whose hash differs is checked
 * once more a period later, and only then counts as differing. Books that are gone, out of sync or of
 * unknown hash are passed over, and so are those in doubt, unless their hash agrees: it may end the
 * doubt.
 */
export function hashChecks(
  bookOf: (tokenId: TokenId) => OrderBook | undefined,
  intervalMs: number,
  scheduler: SchedulerLike = asyncScheduler,
): OperatorFunction<readonly TokenId[], CheckedBook> {
  const check = (tokenIds: readonly TokenId[]) => checkedBooks(tokenIds.map(bookOf));
  return (touched$) =>
    touched$.pipe(
      conflate(intervalMs, scheduler),
      mergeMap((tokenIds) => {
        const checked = check(tokenIds);
        const suspects = checked.filter(differs).map(({ book }) => book.tokenId);
        const again$ = suspects.length === 0 ? EMPTY : after(intervalMs, () => check(suspects), scheduler);
        return concat(
          checked.filter((one) => !differs(one)),
          again$,
        );
      }),
    );
}

/** Checks the hash of one book at once, for whoever cannot wait for its turn in the stream. */
export function checkNow(book: OrderBook): HashCheck {
  return checkHash(book);
}

function checkedBooks(books: readonly (OrderBook | undefined)[]): readonly CheckedBook[] {
  return books.flatMap((book) => {
    if (book === undefined || !book.synced) return [];
    const check = checkHash(book);
    if (check === 'unknown' || (check === 'differs' && book.doubt !== null)) return [];
    return [{ book, check }];
  });
}

const differs = ({ check }: CheckedBook) => check === 'differs';

/** Emits one by one what there is after the wait. */
function after<T>(ms: number, items: () => readonly T[], scheduler: SchedulerLike): Observable<T> {
  return timer(ms, scheduler).pipe(mergeMap(items));
}
