import { hash } from 'node:crypto';
import { type HashableBook, hashedText, hashedTextOf, type WrittenBook } from '#domain/book/hashed-text';

/**
 * Returns the venue's book hash (docs/venue.md, "Book hash"): SHA-1 in hexadecimal digits. null if a
 * field that it covers was never given.
 */
export function bookHash(book: HashableBook): string | null {
  return sha1(hashedText(book));
}

/** Returns the same of a book whose levels are written already. */
export function writtenBookHash(book: WrittenBook): string | null {
  return sha1(hashedTextOf(book));
}

function sha1(text: string | null): string | null {
  return text === null ? null : hash('sha1', text);
}
