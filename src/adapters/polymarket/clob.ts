import type { BookSnapshot } from '#domain/book/book';
import { OutsideError } from '#domain/errors';
import type { TokenId } from '#domain/ids';
import type { BookSource, Upstream } from '#ports/venue';
import { parseClobBook, parseClobBooks } from '#wire/polymarket/clob';
import type { HttpJson, JsonAnswer } from '../http-client/json.js';
import { inGroups } from './venue-answers.js';

/** The venue refuses a call for more. */
const TOKENS_PER_CALL = 500;

export type ClobBooks = BookSource &
  Upstream & {
    /** Books of `POST /books` that could not be read and were left out, since the start. */
    badBookCount(): number;
  };

/** Returns books by REST. The venue has no book for a token that is unknown, proposed for resolution or resolved. */
export function createClobBooks({ clob }: { readonly clob: HttpJson }): ClobBooks {
  let badBooks = 0;

  async function fetchChunk(tokenIds: readonly TokenId[]): Promise<readonly BookSnapshot[]> {
    const request = tokenIds.map((tokenId) => ({ token_id: tokenId }));
    const parsed = parseClobBooks(bodyOf(clob.upstream, await clob.post('/books', request, 'background')));
    if (parsed === null) throw unreadable(clob.upstream, 'a list of books');
    badBooks += parsed.badCount;
    return parsed.books;
  }

  return {
    async fetchBook(tokenId, callClass) {
      const answer = await clob.get(`/book?token_id=${tokenId}`, callClass);
      if (answer.kind === 'refused' && hasNoBook(answer.status, answer.text)) return null;
      const book = parseClobBook(bodyOf(clob.upstream, answer));
      if (book?.tokenId !== tokenId) throw unreadable(clob.upstream, 'the book of this token');
      return book;
    },
    async fetchBooks(tokenIds) {
      const wanted = new Set(tokenIds);
      const books = new Map<TokenId, BookSnapshot>();
      for (const chunk of await Promise.all(inGroups([...wanted], TOKENS_PER_CALL).map(fetchChunk))) {
        // The answer leaves tokens out and has its own order, so only the book itself says whose it is.
        for (const book of chunk) if (wanted.has(book.tokenId)) books.set(book.tokenId, book);
      }
      return books;
    },
    health: clob.health,
    probe: clob.probe,
    badBookCount: () => badBooks,
  };
}

function hasNoBook(status: number, text: string): boolean {
  return status === 404 || (status === 400 && /invalid token/i.test(text));
}

function bodyOf(upstream: string, answer: JsonAnswer): unknown {
  if (answer.kind === 'ok') return answer.body;
  const { status } = answer;
  throw new OutsideError(upstream, `refused to show books (${status})`, { failure: 'final', status });
}

function unreadable(upstream: string, what: string): OutsideError {
  return new OutsideError(upstream, `answered something other than ${what}`, { failure: 'final' });
}
