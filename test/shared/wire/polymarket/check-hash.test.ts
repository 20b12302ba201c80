import { expect } from 'chai';
import type { TokenId } from '#domain/ids';
import { HASHED_FIELDS, hashedBook } from '#test/support/hashed-book';
import { checkHash } from '#wire/polymarket/check-hash';

const YES = '111' as TokenId;

describe('checkHash', () => {
  it('proves a book by the hash that came with its last change', () => {
    const book = hashedBook(YES);
    expect(checkHash(book)).to.equal('agrees');
    book.bids.set(4_800, 1);
    expect(checkHash(book)).to.equal('differs');
  });

  it('has the book know that it is proven, until it changes', () => {
    const book = hashedBook(YES);
    const proof = { timestampMs: book.timestampMs, hash: String(book.expectedHash) };
    expect(book.isProvenBy(proof)).to.equal(false);
    checkHash(book);
    expect(book.isProvenBy(proof)).to.equal(true);
    book.version++;
    expect(book.isProvenBy(proof)).to.equal(false);
  });

  it('takes a last trade that was reported for the other token, and keeps the price that fits', () => {
    const book = hashedBook(YES);
    book.hashFields = { ...HASHED_FIELDS, lastTradePrice: '0.510' };
    expect(checkHash(book)).to.equal('agrees');
    expect(book.hashFields.lastTradePrice).to.equal('0.490');
  });

  it('knows nothing while a field that the hash covers is missing, or no hash came', () => {
    for (const field of ['minOrderSize', 'tickSize', 'negRisk', 'lastTradePrice'] as const) {
      const book = hashedBook(YES);
      book.hashFields = { ...HASHED_FIELDS, [field]: null };
      expect(checkHash(book), field).to.equal('unknown');
    }
    const unhashed = hashedBook(YES);
    unhashed.expectedHash = null;
    expect(checkHash(unhashed)).to.equal('unknown');
  });
});
