import type { ConditionId, TokenId } from '../ids.js';
import type { KnownToken } from './known-token.js';
import type { OrderBook } from './order-book.js';

/** Known tokens with what was found by them. Beyond this all are looked for again. */
const FOUND_MAX = 100_000;

/**
 * Books by token, and by market for what concerns both tokens of one. Whoever adds books bounds how
 * many.
 */
export class BookTable {
  readonly #byToken = new Map<TokenId, OrderBook>();
  readonly #byMarket = new Map<ConditionId, Set<OrderBook>>();
  /** Those that name this table: what they found holds until books come or go. */
  #found: KnownToken[] = [];

  get size(): number {
    return this.#byToken.size;
  }

  get(tokenId: TokenId): OrderBook | undefined {
    return this.#byToken.get(tokenId);
  }

  /** The book of a token, which is looked for only when it may be another than the last time. */
  bookOf(token: KnownToken): OrderBook | undefined {
    if (token.table !== this) this.#find(token);
    return token.found as OrderBook | undefined;
  }

  add(book: OrderBook): void {
    this.#forgetFound();
    this.#byToken.set(book.tokenId, book);
    const siblings = this.#byMarket.get(book.conditionId) ?? new Set();
    this.#byMarket.set(book.conditionId, siblings.add(book));
  }

  drop(tokenId: TokenId): void {
    const book = this.#byToken.get(tokenId);
    if (book === undefined) return;
    this.#forgetFound();
    this.#byToken.delete(tokenId);
    const siblings = this.#byMarket.get(book.conditionId);
    siblings?.delete(book);
    if (siblings?.size === 0) this.#byMarket.delete(book.conditionId);
  }

  /** The books held of one market: none, one, or both tokens. */
  ofMarket(conditionId: ConditionId): Iterable<OrderBook> {
    return this.#byMarket.get(conditionId) ?? [];
  }

  values(): IterableIterator<OrderBook> {
    return this.#byToken.values();
  }

  #find(token: KnownToken): void {
    if (this.#found.length === FOUND_MAX) this.#forgetFound();
    token.table = this;
    token.found = this.#byToken.get(token.id);
    this.#found.push(token);
  }

  /** Also so that nobody who knew a token holds on to a book that is gone. */
  #forgetFound(): void {
    for (const token of this.#found) {
      token.table = null;
      token.found = undefined;
    }
    this.#found = [];
  }
}
