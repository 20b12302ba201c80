import type { BookHashFields } from '#domain/book/book';
import { type LevelText, levelsText, sideText } from '#domain/book/hashed-text';
import type { OrderBook } from '#domain/book/order-book';
import { hashText } from '#domain/book/sent-hash';
import { writtenBookHash } from './book-hash.js';

/**
 * Whether a book, as we hold it, is the one whose hash the venue sent. `unknown` if a part of what
 * it covers is missing.
 */
export type HashCheck = 'agrees' | 'differs' | 'unknown';

/**
 * Compares a book with the hash that came with its last change (docs/venue.md, "Book hash"). The
 * hash covers the market's last trade price, given for the first outcome; a trade event gives it
 * for the token traded. So both are tried, and the one that fits is kept.
 */
export function checkHash(book: OrderBook): HashCheck {
  const { lastTradePrice } = book.hashFields;
  if (book.expectedHash === null || !book.synced || lastTradePrice === null) return 'unknown';
  const sent = hashText(book.expectedHash);
  const { hashFields, tokenId, conditionId, timestampMs } = book;
  const sides = { bids: sideText(book.bids), asks: sideText(book.asks) };
  for (const price of [lastTradePrice, complementOf(lastTradePrice)]) {
    const fields = { ...hashFields, lastTradePrice: price };
    const hash = writtenBookHash({ ...fields, ...sides, tokenId, conditionId, timestampMs });
    if (hash === null) return 'unknown';
    if (hash !== sent) continue;
    if (price !== lastTradePrice) book.hashFields = fields;
    book.prove();
    return 'agrees';
  }
  return 'differs';
}

/** The venue's hash of a book, with the fields by which it is reproduced. */
export interface ProvenHash {
  readonly hash: string;
  readonly fields: BookHashFields;
}

/**
 * Returns the hash that the venue sent with the last change if the book as we hold it reproduces it, else null: none was
 * sent, or it is of a moment around a trade that we do not hold. `levels` are those of the book, as the venue writes them.
 */
export function provenHash(
  book: OrderBook,
  levels: { readonly bids: readonly LevelText[]; readonly asks: readonly LevelText[] },
): ProvenHash | null {
  const { expectedHash, hashFields, tokenId, conditionId, timestampMs } = book;
  if (expectedHash === null || hashFields.lastTradePrice === null) return null;
  const hash = hashText(expectedHash);
  const sides = { bids: levelsText(levels.bids), asks: levelsText(levels.asks) };
  const isProvenBy = (fields: BookHashFields) =>
    writtenBookHash({ ...fields, ...sides, tokenId, conditionId, timestampMs }) === hash;
  if (isProvenBy(hashFields)) return { hash, fields: hashFields };
  const fields = { ...hashFields, lastTradePrice: complementOf(hashFields.lastTradePrice) };
  return isProvenBy(fields) ? { hash, fields } : null;
}

/** The price of the other outcome, with as many decimals. */
function complementOf(price: string): string {
  return (1 - Number(price)).toFixed(price.split('.')[1]?.length ?? 0);
}
