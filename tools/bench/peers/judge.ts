import { Ladder } from '#domain/book/ladder';
import { assess } from '#judge/assess';
import { judged } from './embedded-way.js';
import type { Terms } from './terms.js';
import { fillOf, type TrueBook } from './truth.js';
import type { PeerOrder, Quote } from './way.js';

/** An answer, and when its asker had it. */
export interface Answered {
  readonly order: PeerOrder;
  readonly quote: Quote;
  readonly atMs: number;
}

/** In what an answer is wrong. All false: it is right. */
export interface Faults {
  /** Price or verdict are those of an earlier book, and no longer those of the true one. */
  readonly isOutdated: boolean;
  /** Price or verdict are those of no book that there was. */
  readonly isUnexplained: boolean;
  readonly leavesFeeOut: boolean;
  /** The fee that it states is not the sum over the levels. */
  readonly isFeeWrong: boolean;
  /** The venue would refuse the order as too small, and the answer does not say so. */
  readonly hidesMinimum: boolean;
  /** The price that it names to be sent is on no price step. */
  readonly isOffStep: boolean;
}

export interface Judged extends Faults {
  /** Since it was right last; 0 if it is. */
  readonly outdatedMs: number;
}

/** The venue refuses a BUY that takes for less; its minimum in shares is of resting orders. */
const MIN_BUY_USD = 1;

/** What answers round to: six decimals of a price, five of a fee. */
const PRICE_TOLERANCE = 1.01e-6;
const FEE_TOLERANCE_USD = 1.01e-5;

/** Compares an answer with the books that there were, oldest first, the last of them still true. */
export function judge({ order, quote, atMs }: Answered, books: readonly TrueBook[], terms: Terms): Judged {
  if ((quote.limit ?? quote.average ?? quote.averageOfShares) === undefined) throw new Error('this names no price');
  const now = books.findLastIndex(({ fromMs }) => fromMs <= atMs);
  let at = now;
  while (at >= 0 && !isOf(books[at]!, order, quote, terms)) at--;
  const meant = books[at] ?? books[now];
  if (meant === undefined) throw new Error('there was no book when this was answered');
  const { feeUsd } = fillOf(meant.asks, order, terms.fee);
  const sent = quote.toSend ?? quote.limit;
  const leavesFeeOut = quote.feeUsd === null && feeUsd > FEE_TOLERANCE_USD;
  return {
    isOutdated: at >= 0 && at < now,
    outdatedMs: at >= 0 && at < now ? atMs - books[at + 1]!.fromMs : 0,
    isUnexplained: at < 0,
    leavesFeeOut,
    isFeeWrong: quote.feeUsd !== null && !(Math.abs(quote.feeUsd - feeUsd) <= FEE_TOLERANCE_USD),
    hidesMinimum: order.usd < MIN_BUY_USD && quote.isBelowMinimum !== true,
    isOffStep: sent !== undefined && Math.round(sent * 1e4) % meant.stepTicks !== 0,
  };
}

/** Whether an answer is that of this book, in every number that it names but the fee. */
function isOf(book: TrueBook, order: PeerOrder, quote: Quote, terms: Terms): boolean {
  const byUsd = fillOf(book.asks, { usd: order.usd }, terms.fee);
  const isNear = (said: number | undefined, truth: number) =>
    said === undefined || Math.abs(said - truth) <= PRICE_TOLERANCE;
  return (
    isNear(quote.limit, byUsd.limit) &&
    isNear(quote.average, byUsd.average) &&
    isNear(quote.averageOfShares, fillOf(book.asks, { shares: order.shares }, terms.fee).average) &&
    (quote.verdict === undefined || quote.verdict === verdictOn(book, order, terms))
  );
}

function verdictOn({ asks }: TrueBook, { usd }: PeerOrder, terms: Terms): string {
  const ladder = new Ladder('asks');
  ladder.replace([...asks].reverse());
  const book = { bids: new Ladder('bids'), asks: ladder, listed: true, crossed: null };
  return assess({ side: 'BUY', usd, book, bookAgeMs: 0, ...judged(terms) }).verdict;
}
