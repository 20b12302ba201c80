import type { BookHashFields } from '#domain/book/book';
import type { OrderBook } from '#domain/book/order-book';
import { heldBookHash } from './book-bytes.js';

/**
 * Whether a book, as we hold it, is the one whose hash the venue sent. `unknown` if a part of what
 * it covers is missing.
 */
export type HashCheck = 'agrees' | 'differs' | 'unknown';

/**
 * Compares a book with the hash that came with its last change (docs/venue.md, "Book hash"), and has it know that it is proven.
 * Of the two prices of the last trade the one that fits is kept.
 */
export function checkHash(book: OrderBook): HashCheck {
  if (!book.synced) return 'unknown';
  const found = findProof(book);
  if (found === 'unknown' || found === 'differs') return found;
  book.hashFields = found.fields;
  book.prove();
  return 'agrees';
}

/** The venue's hash of a book, with the fields by which it is reproduced. */
export interface ProvenHash {
  readonly hash: string;
  readonly fields: BookHashFields;
}

/**
 * Returns the hash that the venue sent with the last change if the book as we hold it reproduces it, else null: none was
 * sent, or it is of a moment around a trade that we do not hold.
 */
export function provenHash(book: OrderBook): ProvenHash | null {
  const found = findProof(book);
  return found === 'unknown' || found === 'differs' ? null : found;
}

/**
 * The hash covers the market's last trade price, given for the first outcome; a trade event gives it
 * for the token traded. So both are tried.
 */
function findProof(book: OrderBook): ProvenHash | 'differs' | 'unknown' {
  const { expectedHash, hashFields } = book;
  const { lastTradePrice } = hashFields;
  if (expectedHash === null || lastTradePrice === null) return 'unknown';
  const asGiven = heldBookHash(book, hashFields);
  if (asGiven === null) return 'unknown';
  if (asGiven === expectedHash) return { hash: expectedHash, fields: hashFields };
  const fields = { ...hashFields, lastTradePrice: complementOf(lastTradePrice) };
  return heldBookHash(book, fields) === expectedHash ? { hash: expectedHash, fields } : 'differs';
}

/** The price of the other outcome, with as many decimals. */
function complementOf(price: string): string {
  return (1 - Number(price)).toFixed(price.split('.')[1]?.length ?? 0);
}
