import { parsePriceTicks } from '../decimal.js';
import { ONE_USD_TICKS, type TradeNews } from './book.js';

/** What an announced trade is to a book. */
export interface AnnouncedTrade {
  /** Whether none is known that was made after it. */
  readonly isLast: boolean;
  /** Whether the book names the price of another trade as its last. */
  readonly isNewPrice: boolean;
}

/** Which trade of a book was the last, by announcements and by the books that name its price. */
export class LastTrade {
  /** The one that was announced last. */
  #id: string | null = null;
  /** The venue's clock at the last one that is known. */
  #atMs = 0;

  /**
   * Notes an announcement to a book with such a price of its last trade; null: it was announced
   * before, for the other token.
   */
  announce({ price, timestampMs, id }: TradeNews, bookPrice: string | null): AnnouncedTrade | null {
    if (id === this.#id) return null;
    this.#id = id;
    const isLast = timestampMs === null || timestampMs >= this.#atMs;
    if (isLast && timestampMs !== null) this.#atMs = timestampMs;
    return { isLast, isNewPrice: bookPrice !== null && !isOfSameTrade(price, bookPrice) };
  }

  /** Notes that a book of this time has named the price of its last trade. */
  noteBook(timestampMs: number): void {
    this.#atMs = Math.max(this.#atMs, timestampMs);
  }
}

/**
 * Whether two last prices may be those of one trade: the venue writes it in terms of either token,
 * with more or fewer zeros.
 */
function isOfSameTrade(price: string, other: string): boolean {
  const ticks = parsePriceTicks(price);
  const otherTicks = parsePriceTicks(other);
  return ticks === otherTicks || (ticks !== null && otherTicks !== null && ticks + otherTicks === ONE_USD_TICKS);
}
