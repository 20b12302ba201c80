import type { OrderBook } from '#domain/book/order-book';
import { heldBookHash } from './book-bytes.js';

/**
 * Whether a book, as we hold it, is the one whose hash the venue sent. `unknown` if a part of what
 * it covers is missing.
 */
export type HashCheck = 'agrees' | 'differs' | 'unknown';

/**
 * Compares a book with the hash that came with its last change (docs/venue.md, "Book hash"). One
 * that agrees is marked as proven, and keeps the price of the last trade that fits: the hash covers
 * it as given for the first outcome of the market, while a trade event gives it for the token
 * traded. So both prices are tried.
 */
export function checkHash(book: OrderBook): HashCheck {
  const { expectedHash, hashFields } = book;
  const { lastTradePrice } = hashFields;
  if (expectedHash === null || lastTradePrice === null) return 'unknown';
  for (const price of [lastTradePrice, complementOf(lastTradePrice)]) {
    const fields = { ...hashFields, lastTradePrice: price };
    const hash = heldBookHash(book, fields);
    if (hash === null) return 'unknown';
    if (hash !== expectedHash) continue;
    book.hashFields = fields;
    book.prove();
    return 'agrees';
  }
  return 'differs';
}

/** The price of the other outcome, with as many decimals. */
function complementOf(price: string): string {
  return (1 - Number(price)).toFixed(price.split('.')[1]?.length ?? 0);
}
