import type { BookAnswer, IsHeld } from '#domain/book/book';
import type { TokenId } from '#domain/ids';
import type { BookSource, Upstream } from '#ports/venue';
import { parseClobBook } from '#wire/polymarket/clob';
import { type ClobBooks as BooksRead, readClobBooks } from '#wire/polymarket/clob-books';
import type { HttpJson, JsonAnswer } from '../http-client/json.js';
import { bodyOf, inGroups, refusalOf, unreadable } from './venue-answers.js';

/** The venue refuses a call for more. */
const TOKENS_PER_CALL = 500;

export type ClobBooks = BookSource &
  Upstream & {
    /** Books of `POST /books` that could not be read and were left out, since the start. */
    badBookCount(): number;
  };

/**
 * Returns books by REST. The venue has no book for a token that is unknown, proposed for resolution
 * or resolved.
 */
export function createClobBooks({ clob }: { readonly clob: HttpJson }): ClobBooks {
  let badBooks = 0;

  async function fetchChunk(tokenIds: readonly TokenId[], isHeld: IsHeld): Promise<BooksRead['answers']> {
    const request = tokenIds.map((tokenId) => ({ token_id: tokenId }));
    const answer = await clob.post('/books', request, 'background', (text) => readClobBooks(text, isHeld));
    const read = bodyOf(clob, answer, 'books') as BooksRead | null;
    if (read === null) throw unreadable(clob, 'a list of books');
    badBooks += read.badCount;
    return read.answers;
  }

  return {
    async fetchBook(tokenId, callClass) {
      const answer = await clob.get(`/book?token_id=${tokenId}`, callClass);
      if (hasNoBook(answer)) return null;
      const book = parseClobBook(bodyOf(clob, answer, 'books'));
      if (book?.tokenId !== tokenId) throw unreadable(clob, 'the book of this token');
      return book;
    },
    async fetchBooks(tokenIds, isHeld = () => false) {
      const wanted = new Set(tokenIds);
      const books = new Map<TokenId, BookAnswer>();
      const groups = inGroups([...wanted], TOKENS_PER_CALL);
      for (const chunk of await Promise.all(groups.map((group) => fetchChunk(group, isHeld)))) {
        // The answer leaves tokens out and has its own order, so only the book itself says whose it
        // is.
        for (const [tokenId, answer] of chunk) if (wanted.has(tokenId)) books.set(tokenId, answer);
      }
      return books;
    },
    health: clob.health,
    probe: clob.probe,
    badBookCount: () => badBooks,
  };
}

/** Any other 404 is of an edge, or of an address that is gone. */
function hasNoBook(answer: JsonAnswer): boolean {
  const said = refusalOf(answer);
  if (answer.kind !== 'refused' || said === null) return false;
  const noBook = answer.status === 404 && /no orderbook exists/i.test(said);
  return noBook || (answer.status === 400 && /invalid token/i.test(said));
}
