import type { CrossedBook } from '../book/book.js';
import type { Ladder } from '../book/ladder.js';
import type { Market, Side } from '../market.js';
import { Doubles } from './doubles.js';
import { exact, type Sums } from './exact.js';
import type { OrderFacts } from './order-facts.js';
import { priceOrder } from './priced-order.js';
import { canAnySizePass } from './reasons.js';
import { RULES_IN_FORCE, type Rules } from './rules.js';
import { safeSizeUsd } from './safe-size.js';
import type { Thresholds } from './thresholds.js';

/**
 * An order and the world it would meet. `bookAgeMs` is the time since the venue last confirmed the
 * book.
 */
export interface OrderQuestion {
  readonly side: Side;
  readonly usd: number;
  readonly thresholds: Thresholds;
  readonly market: Pick<Market, 'fee' | 'minOrderShares' | 'status'> & Partial<Pick<Market, 'gameDueMs'>>;
  readonly book: {
    readonly bids: Ladder;
    readonly asks: Ladder;
    readonly listed: boolean;
    readonly crossed: CrossedBook | null;
    /** Whether REST was asked about the book as it stands, and showed the same. Left out: no. */
    readonly rechecked?: boolean;
  };
  readonly bookAgeMs: number;
  /** Wall time of the verdict. Left out: nothing is said of when a game was due. */
  readonly evaluatedAtMs?: number;
  /** Left out: those in force. */
  readonly rules?: Rules;
}

/** Returns all that a verdict is decided from, every number rounded as it will be shown. Pure. */
export function gatherFacts(question: OrderQuestion): OrderFacts {
  const doubles = new Doubles();
  const facts = factsBy(doubles, question);
  return doubles.certain ? facts : factsBy(exact, question);
}

/** The same by sums of one kind. */
export function factsBy(sums: Sums, question: OrderQuestion): OrderFacts {
  const { side, usd, thresholds, market, book, bookAgeMs, rules = RULES_IN_FORCE } = question;
  const ladder = side === 'BUY' ? book.asks : book.bids;
  const priced = priceOrder(sums, side, ladder, usd, market.fee, rules);
  const bookAgeSeconds = ageSecondsOf(bookAgeMs);
  const fixed = {
    thresholds,
    marketStatus: market.status,
    bookListed: book.listed,
    crossed: book.crossed,
    gameDueMs: market.gameDueMs ?? null,
    evaluatedAtMs: question.evaluatedAtMs ?? null,
    numbers: { bestPrice: priced.bestPrice, bookAgeSeconds },
  };
  const limits = { thresholds, minOrderShares: market.minOrderShares, rules };
  return {
    // Written out: spreading an object costs more here than a walk of the book.
    rules,
    thresholds,
    marketStatus: fixed.marketStatus,
    bookListed: fixed.bookListed,
    crossed: fixed.crossed,
    rechecked: book.rechecked ?? false,
    gameDueMs: fixed.gameDueMs,
    evaluatedAtMs: fixed.evaluatedAtMs,
    side,
    usd: priced.usd,
    shares: priced.shares,
    minOrderShares: market.minOrderShares,
    feeKnown: market.fee.known,
    feeRate: market.fee.rate,
    numbers: {
      bestPrice: priced.bestPrice,
      expectedVwap: priced.expectedVwap,
      expectedSlippageCents: priced.expectedSlippageCents,
      visibleDepthUsd: priced.visibleDepthUsd,
      orderVsDepthPct: priced.orderVsDepthPct,
      takerFeeUsd: priced.takerFeeUsd,
      feeDragCentsPerShare: priced.feeDragCentsPerShare,
      feeCategory: market.fee.category,
      safeSizeUsd: canAnySizePass(fixed) ? safeSizeUsd(sums, side, ladder, limits) : 0,
      bookAgeSeconds,
    },
  };
}

/** Returns the age of a book as it is shown: 3 decimals, never below 0. */
function ageSecondsOf(bookAgeMs: number): number {
  return Math.max(0, Math.round(bookAgeMs)) / 1e3;
}
