import type { BookAnswer, BookProof, IsHeld } from '#domain/book/book';
import type { TokenId } from '#domain/ids';
import { parseJson } from '#domain/json';
import { parseClobBook } from './clob.js';

/** Books of one answer, each with the token it is of. */
export interface ClobBooks {
  readonly answers: readonly (readonly [TokenId, BookAnswer])[];
  /** Entries that are no book, or one that cannot be read. */
  readonly badCount: number;
}

/** How each book begins; a level of it never does. */
const BEGIN = '{"market":"';
const NEXT = `},${BEGIN}`;
/** What comes before the levels, in the order and without blanks, as the venue writes it. */
const HEAD =
  /\{"market":"0x(?:[0-9a-f]{2}){31,32}","asset_id":"([0-9]{1,78})","timestamp":"([0-9]{1,15})","hash":"([0-9a-f]{40})","bids":\[/y;

/**
 * Reads the text of an answer of `POST /books`: the venue leaves out tokens without a book and
 * orders the rest as it likes. null if it is no list at all; throws where it is not JSON. Levels
 * are read only of books that are not held: a few hundred books that stand still are proven by
 * their hashes in a tenth of the time that it takes to parse them.
 */
export function readClobBooks(text: string, isHeld: IsHeld): ClobBooks | null {
  return readUsual(text, isHeld) ?? readAny(JSON.parse(text));
}

function readAny(raw: unknown): ClobBooks | null {
  if (!Array.isArray(raw)) return null;
  const books = raw.map(parseClobBook).filter((book) => book !== null);
  const answers = books.map((snapshot) => [snapshot.tokenId, { kind: 'book', snapshot }] as const);
  return { answers, badCount: raw.length - books.length };
}

/** Book by book, each cut out where the next one begins; null where one is not written as usual. */
function readUsual(text: string, isHeld: IsHeld): ClobBooks | null {
  if (!text.startsWith(`[${BEGIN}`) || !text.endsWith('}]')) return null;
  const answers: (readonly [TokenId, BookAnswer])[] = [];
  let badCount = 0;
  for (let at = 1; at < text.length; ) {
    const head = headAt(text, at);
    if (head === null) return null;
    const next = text.indexOf(NEXT, at);
    const end = next === -1 ? text.length - 1 : next + 1;
    const { tokenId, proof } = head;
    if (isHeld(tokenId, proof)) {
      answers.push([tokenId, { kind: 'as_held', proof }]);
    } else {
      // undefined: it was cut in the wrong place, or is no JSON.
      const raw = parseJson(text.slice(at, end));
      if (raw === undefined) return null;
      const snapshot = parseClobBook(raw);
      if (snapshot === null) badCount++;
      else answers.push([snapshot.tokenId, { kind: 'book', snapshot }]);
    }
    at = end + 1;
  }
  return { answers, badCount };
}

function headAt(text: string, at: number): { readonly tokenId: TokenId; readonly proof: BookProof } | null {
  HEAD.lastIndex = at;
  const found = HEAD.exec(text);
  if (found === null) return null;
  return { tokenId: found[1] as TokenId, proof: { timestampMs: Number(found[2]), hash: found[3]! } };
}
