import type { OrderBook } from '#domain/book/order-book';
import type { Log } from '#ports/log';
import type { Stopwatch } from '#ports/stopwatch';
import type { BookSource, CallClass } from '#ports/venue';

/**
 * Most REST requests for single books under way at once, of each class. Beyond it a book keeps its true
 * age and no caller waits.
 */
const RECONFIRMATIONS_MAX = 256;

export interface ReconfirmerDeps {
  readonly source: BookSource;
  readonly clock: Stopwatch;
  readonly log: Log;
}

/**
 * Compares books with REST, the second witness beside the market channel. It never rejects: a venue
 * that cannot be reached leaves a book as it is, and its age says the rest.
 */
export class Reconfirmer {
  readonly #deps: ReconfirmerDeps;
  /** By class: a caller does not wait for what is asked in the background, which comes after all callers. */
  readonly #underWay: Readonly<Record<CallClass, Map<OrderBook, Promise<void>>>> = {
    caller: new Map(),
    background: new Map(),
  };

  constructor(deps: ReconfirmerDeps) {
    this.#deps = deps;
  }

  /** Compares one book with REST; callers who want the same book at the same time share one request. */
  reconfirm(book: OrderBook, callClass: CallClass): Promise<void> {
    const underWay = this.#underWay[callClass];
    const known = underWay.get(book);
    if (known !== undefined) return known;
    if (underWay.size >= RECONFIRMATIONS_MAX) return Promise.resolve();
    const comparison = this.#compare(book, callClass).finally(() => underWay.delete(book));
    underWay.set(book, comparison);
    return comparison;
  }

  /** Compares many books with REST in as few requests as it takes, for nobody who waits. */
  async reconfirmAll(books: readonly OrderBook[]): Promise<void> {
    const nowMs = this.#deps.clock.elapsedMs();
    const questions = books.map((book) => ({ book, question: book.question(nowMs) }));
    try {
      const snapshots = await this.#deps.source.fetchBooks(books.map((book) => book.tokenId));
      for (const { book, question } of questions) {
        const snapshot = snapshots.get(book.tokenId);
        if (snapshot !== undefined) book.reconcile(snapshot, question);
      }
      // The bulk answer leaves books out for more than one reason; only the single one says that
      // there is none.
      await Promise.all(
        books.filter((book) => !snapshots.has(book.tokenId)).map((book) => this.reconfirm(book, 'background')),
      );
    } catch (error) {
      this.#logFailure(error, { books: books.length });
    }
  }

  async #compare(book: OrderBook, callClass: CallClass): Promise<void> {
    const question = book.question(this.#deps.clock.elapsedMs());
    try {
      const snapshot = await this.#deps.source.fetchBook(book.tokenId, callClass);
      if (snapshot === null) book.markUnlisted(question.askedAtMs);
      else book.reconcile(snapshot, question);
    } catch (error) {
      this.#logFailure(error, { tokenId: book.tokenId });
    }
  }

  #logFailure(error: unknown, facts: object): void {
    this.#deps.log.warn(
      { ...facts, reason: error instanceof Error ? error.message : String(error) },
      'book not re-confirmed',
    );
  }
}
