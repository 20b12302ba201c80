import { hash } from 'node:crypto';
import { type HashableBook, hashedText } from '#domain/book/hashed-text';

/**
 * Returns the venue's book hash (docs/venue.md, "Book hash"): SHA-1 in hexadecimal digits. null if
 * a field that it covers was never given.
 */
export function bookHash(book: HashableBook): string | null {
  const text = hashedText(book);
  return text === null ? null : hash('sha1', text);
}
