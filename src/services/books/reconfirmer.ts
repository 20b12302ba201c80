import type { OrderBook } from '#domain/book/order-book';
import type { TokenId } from '#domain/ids';
import type { Clock } from '#ports/clock';
import type { Log } from '#ports/log';
import type { BookSource } from '#ports/venue';

/** Most REST questions about single books under way at once. Over it a book keeps its true age and nobody waits. */
export const RECONFIRMATIONS_MAX = 256;

export interface ReconfirmerDeps {
  readonly source: BookSource;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Asks REST about books, the second witness beside the market channel. It never rejects: a venue that cannot be reached
 * leaves a book as it is, and its age says the rest.
 */
export class Reconfirmer {
  readonly #underWay = new Map<TokenId, Promise<void>>();

  constructor(private readonly deps: ReconfirmerDeps) {}

  /** Compares one book with REST; callers that ask at the same time share the answer. */
  reconfirm(book: OrderBook): Promise<void> {
    const known = this.#underWay.get(book.tokenId);
    if (known !== undefined) return known;
    if (this.#underWay.size >= RECONFIRMATIONS_MAX) return Promise.resolve();
    const asked = this.#ask(book).finally(() => this.#underWay.delete(book.tokenId));
    this.#underWay.set(book.tokenId, asked);
    return asked;
  }

  /** Compares many books with REST in as few calls as it takes. */
  async reconfirmAll(books: readonly OrderBook[]): Promise<void> {
    const nowMs = this.deps.clock.nowMs();
    const questions = books.map((book) => ({ book, question: book.question(nowMs) }));
    try {
      const told = await this.deps.source.fetchBooks(books.map((book) => book.tokenId));
      for (const { book, question } of questions) {
        const snapshot = told.get(book.tokenId);
        if (snapshot !== undefined) book.reconcile(snapshot, question);
      }
      // The bulk answer leaves books out for more than one reason; only the single one says that there is none.
      await Promise.all(books.filter((book) => !told.has(book.tokenId)).map((book) => this.reconfirm(book)));
    } catch (error) {
      this.#couldNotAsk(error, { books: books.length });
    }
  }

  async #ask(book: OrderBook): Promise<void> {
    const question = book.question(this.deps.clock.nowMs());
    try {
      const snapshot = await this.deps.source.fetchBook(book.tokenId);
      if (snapshot === null) book.markUnlisted(question.askedAtMs);
      else book.reconcile(snapshot, question);
    } catch (error) {
      this.#couldNotAsk(error, { tokenId: book.tokenId });
    }
  }

  #couldNotAsk(error: unknown, facts: object): void {
    this.deps.log.warn(
      { ...facts, reason: error instanceof Error ? error.message : String(error) },
      'book not re-confirmed',
    );
  }
}
