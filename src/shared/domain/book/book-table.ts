import type { ConditionId, TokenId } from '../ids.js';
import type { OrderBook } from './order-book.js';

/**
 * Books by token, and by market for what concerns both tokens of one. Whoever adds books bounds how
 * many.
 */
export class BookTable {
  readonly #byToken = new Map<TokenId, OrderBook>();
  readonly #byMarket = new Map<ConditionId, Set<OrderBook>>();

  get size(): number {
    return this.#byToken.size;
  }

  get(tokenId: TokenId): OrderBook | undefined {
    return this.#byToken.get(tokenId);
  }

  add(book: OrderBook): void {
    this.#byToken.set(book.tokenId, book);
    const siblings = this.#byMarket.get(book.conditionId) ?? new Set();
    this.#byMarket.set(book.conditionId, siblings.add(book));
  }

  drop(tokenId: TokenId): void {
    const book = this.#byToken.get(tokenId);
    if (book === undefined) return;
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
}
