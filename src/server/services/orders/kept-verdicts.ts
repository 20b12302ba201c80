import type { OrderBook } from '#domain/book/order-book';
import type { Market, Side } from '#domain/market';
import type { FramedVerdict } from './verdict-text.js';

/**
 * Questions that are remembered with a book; the one that was asked first makes room. With all of them a book
 * takes up to 3.4 kB more, and as many books are held as are hot, 4,000: fourteen megabytes at most.
 */
export const QUESTIONS_PER_BOOK_MAX = 4;

/** An order as it was asked about, with the usual limits. */
interface Question {
  readonly side: Side;
  readonly usd: number;
  /** One object for as long as the catalogue says the same. */
  market: Market;
  /** Of the book. */
  version: number;
  /**
   * Null until it is asked for again of this version: to keep an answer takes a part of what it takes to make one, which is lost
   * where the book moves as often as it is asked about.
   */
  answer: FramedVerdict | null;
}

/**
 * Remembers what was answered while a book stands still: then the same question has the same numbers, and the age alone goes on.
 * It is for answers on books that are younger than the limit, when they are made and when they are found.
 */
export class KeptVerdicts {
  readonly #byBook = new WeakMap<OrderBook, Question[]>();

  find(book: OrderBook, market: Market, side: Side, usd: number): FramedVerdict | null {
    const asked = this.#byBook.get(book);
    const known = asked && questionIn(asked, side, usd);
    return known && isStill(known, book, market) ? known.answer : null;
  }

  /** To be told of every answer that was made because none was found. */
  note(book: OrderBook, market: Market, side: Side, usd: number, answer: FramedVerdict): void {
    const { version } = book;
    const asked = this.#byBook.get(book);
    const known = asked && questionIn(asked, side, usd);
    if (known) {
      known.answer = isStill(known, book, market) ? inOnePiece(answer) : null;
      known.market = market;
      known.version = version;
      return;
    }
    const question = { side, usd, market, version, answer: null };
    if (asked === undefined) this.#byBook.set(book, [question]);
    else if (asked.push(question) > QUESTIONS_PER_BOOK_MAX) asked.shift();
  }
}

function questionIn(asked: readonly Question[], side: Side, usd: number): Question | undefined {
  for (const question of asked) if (question.usd === usd && question.side === side) return question;
  return undefined;
}

/** Whether neither the book nor what the catalogue says of its market has changed since it was asked. */
function isStill({ version, market: askedOf }: Question, book: OrderBook, market: Market): boolean {
  return version === book.version && askedOf === market;
}

/** The other texts are in one piece, and kept already. */
function inOnePiece({ verdict, head, isAged, names, numbers, end }: FramedVerdict): FramedVerdict {
  return { verdict, head: joined(head), isAged, names, numbers: joined(numbers), end };
}

/** A text that was added up, or cut out of another, is gone through piece by piece each time that it is written. */
function joined(text: string): string {
  return [text.slice(0, 1), text.slice(1)].join('');
}
