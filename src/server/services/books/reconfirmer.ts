import type { BookSnapshot } from '#domain/book/book';
import { FUTURE_MS } from '#domain/book/frame-applier';
import type { OrderBook, Reconciled, RestQuestion } from '#domain/book/order-book';
import { areOtherMarkets } from '#domain/ids';
import type { Log } from '#ports/log';
import type { BookSource, CallClass } from '#ports/venue';
import { checkNow } from '#streams/hash-checks';
import type { Clock } from '#system/clock';
import type { Stopwatch } from '#system/stopwatch';

/**
 * Most REST requests for single books under way at once, of each class. Beyond it a book keeps its
 * true age and no caller waits.
 */
const RECONFIRMATIONS_MAX = 256;
/**
 * So many books are compared in one go, and all other work waits that long; and asked for in one
 * request.
 */
const BOOKS_PER_LOOK = 100;
/** A venue that cannot be reached is told of this often. */
const FAILURE_LOG_INTERVAL_MS = 1_000;

export interface ReconfirmerDeps {
  readonly source: BookSource;
  readonly clock: Stopwatch;
  /** By which the time of a book is still to come. */
  readonly time: Pick<Clock, 'nowMs'>;
  readonly log: Log;
}

/**
 * Compares books with REST, the second witness beside the market channel. It never rejects: a venue
 * that cannot be reached leaves a book as it is, and its age says the rest.
 */
export class Reconfirmer {
  readonly #deps: ReconfirmerDeps;
  /**
   * By class: a caller does not wait for what is asked in the background, which comes after all
   * callers.
   */
  readonly #inFlight: Readonly<Record<CallClass, Map<OrderBook, Promise<boolean>>>> = {
    caller: new Map(),
    background: new Map(),
  };

  #loggedAtMs = Number.NEGATIVE_INFINITY;
  /** Failures since then that were not told. */
  #untold = 0;

  constructor(deps: ReconfirmerDeps) {
    this.#deps = deps;
  }

  /**
   * Compares one book with REST; callers who want the same book at the same time share one request.
   * Resolves to whether REST failed; where too much is asked it is not asked.
   */
  reconfirm(book: OrderBook, callClass: CallClass): Promise<boolean> {
    const inFlight = this.#inFlight[callClass];
    const existing = inFlight.get(book);
    if (existing !== undefined) return existing;
    if (inFlight.size >= RECONFIRMATIONS_MAX) return Promise.resolve(false);
    const comparison = this.#compare(book, callClass).finally(() => inFlight.delete(book));
    inFlight.set(book, comparison);
    return comparison;
  }

  /**
   * Compares many books with REST in as few requests as it takes, each as it comes, for nobody who
   * waits.
   */
  async reconfirmAll(books: readonly OrderBook[]): Promise<void> {
    const looks: Promise<void>[] = [];
    for (let at = 0; at < books.length; at += BOOKS_PER_LOOK)
      looks.push(this.#look(books.slice(at, at + BOOKS_PER_LOOK)));
    await Promise.all(looks);
  }

  async #look(books: readonly OrderBook[]): Promise<void> {
    const nowMs = this.#deps.clock.elapsedMs();
    const requested = new Map(books.map((book) => [book.tokenId, { book, question: book.question(nowMs) }]));
    try {
      const answers = await this.#deps.source.fetchBooks(
        [...requested.keys()],
        (tokenId, proof) => requested.get(tokenId)?.book.isProvenBy(proof) ?? false,
      );
      for (const { book, question } of requested.values()) {
        const answer = answers.get(book.tokenId);
        // What was held when the answer was read may have changed since: then it says nothing about
        // the book as it is now.
        if (answer?.kind === 'as_held') book.reconcileProof(answer.proof, question);
        else if (answer !== undefined) this.#reconcile(book, answer.snapshot, question);
      }
      // The bulk answer leaves books out for more than one reason; only the single one says that
      // there is none.
      await Promise.all(
        books.filter((book) => !answers.has(book.tokenId)).map((book) => this.reconfirm(book, 'background')),
      );
    } catch (error) {
      this.#log(error, { books: books.length });
    }
  }

  /** Returns whether it is an answer about this book. A time that is still to come is none. */
  #reconcile(book: OrderBook, snapshot: BookSnapshot, question: RestQuestion): boolean {
    if (areOtherMarkets(snapshot.conditionId, book.conditionId)) {
      this.#log(new Error('REST sent the book of another market'), { tokenId: book.tokenId });
      return false;
    }
    const isFuture = snapshot.timestampMs > this.#deps.time.nowMs() + FUTURE_MS;
    this.#settle(book, book.reconcile(isFuture ? { ...snapshot, timestampMs: null } : snapshot, question));
    return true;
  }

  /**
   * An answer may lack a level that its hash covers: only a book that its hash fits is held until
   * another comes, and read no more.
   */
  #settle(book: OrderBook, reconciled: Reconciled): void {
    if (reconciled === 'older') return;
    if (checkNow(book) === 'differs' && reconciled === 'forwarded') book.castDoubt('hash', 'any hash');
  }

  async #compare(book: OrderBook, callClass: CallClass): Promise<boolean> {
    const question = book.question(this.#deps.clock.elapsedMs());
    try {
      const snapshot = await this.#deps.source.fetchBook(book.tokenId, callClass);
      if (snapshot !== null) return !this.#reconcile(book, snapshot, question);
      book.markUnlisted(question.requestedAtMs);
      return false;
    } catch (error) {
      this.#log(error, { tokenId: book.tokenId });
      return true;
    }
  }

  /** A crowd of books fails at once, and again a moment later. */
  #log(error: unknown, facts: object): void {
    const nowMs = this.#deps.clock.elapsedMs();
    if (nowMs - this.#loggedAtMs < FAILURE_LOG_INTERVAL_MS) {
      this.#untold++;
      return;
    }
    const before = this.#untold === 0 ? {} : { failedBefore: this.#untold };
    this.#loggedAtMs = nowMs;
    this.#untold = 0;
    const reason = error instanceof Error ? error.message : String(error);
    this.#deps.log.warn({ ...facts, ...before, reason }, 'book not re-confirmed');
  }
}
