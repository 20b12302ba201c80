import { expect } from 'chai';
import { map } from 'rxjs';
import type { TestScheduler } from 'rxjs/testing';
import { BookTable } from '#domain/book/book-table';
import type { OrderBook } from '#domain/book/order-book';
import type { TokenId } from '#domain/ids';
import { hashChecks } from '#streams/hash-checks';
import { hashedBook } from '#test/support/hashed-book';
import { testScheduler } from '#test/support/virtual-time';

const A = '111' as TokenId;
const B = '222' as TokenId;
const LISTS: Record<string, readonly TokenId[]> = { a: [A], b: [B], c: [A, B] };
const SHOWN = { a: `${A} agrees`, b: `${B} agrees`, d: `${A} differs` };

/**
 * Holds the books of two tokens, touches those of each letter, and shows what their hashes, checked
 * every 10 ms, say.
 */
function check(touched: string, expected: string, prepare: (books: BookTable, test: TestScheduler) => void = () => {}) {
  const test = testScheduler();
  const books = new BookTable();
  for (const token of [A, B]) books.add(hashedBook(token));
  prepare(books, test);
  test.run(({ hot, expectObservable }) => {
    const checked$ = hot(touched, LISTS).pipe(
      hashChecks((tokenId) => books.get(tokenId), 10, test),
      map(({ book, check }) => `${book.tokenId} ${check}`),
    );
    expectObservable(checked$, '60ms !').toBe(expected, SHOWN);
  });
}

const spoil = (book: OrderBook) => book.bids.set(4_800, 1);
const mend = (book: OrderBook) => book.bids.set(4_800, 0);

describe('hashChecks', () => {
  it('checks each book that changed once per period', () => {
    check('aaa-b', '10ms (ab)');
    check('a 19ms c', '10ms a 19ms (ab)');
  });

  it('says that a hash differs when it still does a period later', () => {
    check('c', '10ms b 9ms d', (books) => spoil(books.get(A)!));
  });

  it('is content with a batch whose last frame came meanwhile', () => {
    check('a', '20ms a', (books, test) => {
      spoil(books.get(A)!);
      test.schedule(() => mend(books.get(A)!), 15);
    });
  });

  it('passes over a book that is gone, out of sync, in doubt with a hash that differs, or whose hash is unknown', () => {
    check('a', '', (books) => books.drop(A));
    check('a', '', (books) => books.get(A)!.disconnect());
    check('a', '', (books) => {
      spoil(books.get(A)!);
      books.get(A)!.castDoubt('out_of_order', 'any hash');
    });
    check('a', '', (books) => {
      books.get(A)!.expectedHash = null;
    });
  });

  it('looks at no book again that went away or came into doubt in the meantime', () => {
    check('a', '', (books, test) => {
      spoil(books.get(A)!);
      test.schedule(() => books.drop(A), 15);
    });
    check('a', '', (books, test) => {
      spoil(books.get(A)!);
      test.schedule(() => {
        books.get(A)!.castDoubt('tick_size', 'any hash');
      }, 15);
    });
  });

  it('ends a doubt with a hash that agrees, once it comes', () => {
    const doubtAt = (books: BookTable) => books.get(A)!.doubt;
    let held: BookTable | undefined;
    check('a 29ms a', '40ms a', (books, test) => {
      held = books;
      spoil(books.get(A)!);
      books.get(A)!.castDoubt('out_of_order', 'any hash');
      test.schedule(() => mend(books.get(A)!), 25);
    });
    expect(doubtAt(held!)).to.equal(null);
  });
});
