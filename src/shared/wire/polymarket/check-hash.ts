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
 * it as given for the first outcome of the market and with three decimals at least, while a trade
 * event gives it for the token traded. So both prices are tried, in both forms.
 */
export function checkHash(book: OrderBook): HashCheck {
  const { expectedHash, hashFields } = book;
  const { lastTradePrice } = hashFields;
  if (expectedHash === null || lastTradePrice === null) return 'unknown';
  for (const price of formsOf(lastTradePrice)) {
    const fields = price === lastTradePrice ? hashFields : { ...hashFields, lastTradePrice: price };
    const hash = heldBookHash(book, fields);
    if (hash === null) return 'unknown';
    if (hash !== expectedHash) continue;
    book.hashFields = fields;
    book.prove();
    return 'agrees';
  }
  return 'differs';
}

/** Decimals that the venue's hash gives a trade price at least. */
const DECIMALS_HASHED = 3;

/** The price as it came, that of the other outcome with as many decimals, and both with zeros. */
function* formsOf(price: string): Generator<string> {
  const decimals = price.split('.')[1]?.length ?? 0;
  yield price;
  yield (1 - Number(price)).toFixed(decimals);
  if (decimals === 0 || decimals >= DECIMALS_HASHED) return;
  yield Number(price).toFixed(DECIMALS_HASHED);
  yield (1 - Number(price)).toFixed(DECIMALS_HASHED);
}
