import type { Evidence } from '#api/evidence';
import { levelTexts } from '#domain/book/hashed-text';
import type { OrderBook } from '#domain/book/order-book';
import { canonicalText } from '#judge/canonical-text';
import { type Engine, type Judged, responseOf, toUnhashedPayload } from '#judge/evidence-payload';
import type { EvidenceKeys } from '#ports/evidence-keys';
import type { FreshBook } from '../books/books.js';
import { hashOf } from '../evidence-hash.js';

/** What stands behind one answer, with the book as it is at this moment. */
type JudgedNow = Omit<Judged, 'book'> & { readonly fresh: FreshBook };

/**
 * Returns the signed evidence of an answer (`Evidence`), as JSON text: its payload stands there in
 * the very form that was signed. To be called in the same synchronous step in which the book was
 * judged.
 */
export type EvidenceOf = (judged: JudgedNow) => string;

export interface EvidenceDeps {
  /** Base address of the service. */
  readonly issuer: string;
  readonly engine: Engine;
  readonly keys: Pick<EvidenceKeys, 'sign'>;
  /**
   * Compares a book with the hash that the venue sent, and where they agree has its fields fit that
   * hash.
   */
  readonly checkHash: (book: OrderBook) => 'agrees' | 'differs' | 'unknown';
}

/** Returns what signs the evidence of answers. */
export function createEvidence({ issuer, engine, keys, checkHash }: EvidenceDeps): EvidenceOf {
  return ({ fresh: { book, ageMs }, ...judged }) => {
    const { timestampMs, listed, rechecked } = book;
    const [bids, asks] = [levelTexts(book.bids), levelTexts(book.asks)];
    const venueHash = checkHash(book) === 'agrees' ? book.expectedHash : null;
    const judgedBook = { timestampMs, ageMs, listed, rechecked, venueHash, hashFields: book.hashFields, bids, asks };
    const unhashed = toUnhashedPayload(issuer, engine, { ...judged, book: judgedBook });
    const response = canonicalText(responseOf(unhashed, judged.body.meta.method));
    const payload: Evidence['payload'] = {
      ...unhashed,
      response_hash: hashOf(response),
    };
    const signed = canonicalText(payload);
    return `{"payload":${signed},"jws":"${keys.sign(signed)}"}`;
  };
}
