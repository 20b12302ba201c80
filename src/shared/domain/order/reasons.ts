import { EXTREME_HIGH_TICKS, EXTREME_LOW_TICKS } from '../book/book.js';
import { DAY_MS } from '../time.js';
import type { FixedFacts, OrderFacts, SizedFacts } from './order-facts.js';
import { GAME_OVER_AFTER_H, MIN_BUY_NOTIONAL_USD } from './thresholds.js';

const HOUR_MS = 3_600_000;

/** What was done about a crossed book; by rules 1 that went without saying. */
const recheckOf = ({ rules, rechecked }: OrderFacts) =>
  rules === 1
    ? 'and it was still crossed when re-checked'
    : rechecked
      ? "and the venue's REST shows it crossed too"
      : "and no answer of the venue's REST to compare it with came before this verdict";

const dueDateOf = ({ gameDueMs }: OrderFacts) => new Date(gameDueMs ?? 0).toISOString().slice(0, 10);
const daysSinceDue = ({ gameDueMs, evaluatedAtMs }: OrderFacts) =>
  Math.floor(((evaluatedAtMs ?? 0) - (gameDueMs ?? 0)) / DAY_MS);

const takes = (f: OrderFacts) => (f.side === 'BUY' ? 'asks' : 'bids');

/**
 * The sentence of each reason. Each carries the number that triggered it (docs/interface.md, "Order
 * verdict").
 */
const SENTENCES = {
  MARKET_CLOSED: (f) => `market is closed: 0 of ${f.usd} USD can be filled`,
  UNDER_RESOLUTION: (f) =>
    `market is under resolution (${f.marketStatus.umaResolutionStatus}): 0 of ${f.usd} USD should be sent into a decided market`,
  NOT_ACCEPTING_ORDERS: (f) => `market is not accepting orders: 0 of ${f.usd} USD can be filled`,
  NO_BOOK: (f) => `the venue has no order book for this token: 0 of ${f.usd} USD can be filled`,
  BOOK_STALE: (f) =>
    `book was last confirmed ${f.numbers.bookAgeSeconds} s ago, above the limit of ${f.thresholds.bookStaleVetoS} s`,
  BOOK_CROSSED: (f) =>
    `book is crossed: best bid ${f.crossed?.bestBid} is not below best ask ${f.crossed?.bestAsk}, ${recheckOf(f)}`,
  SIDE_EMPTY: (f) => `no ${takes(f)} on the book: 0 of ${f.usd} USD can be filled`,
  BEYOND_DEPTH: (f) => `the ${takes(f)} hold ${f.numbers.visibleDepthUsd} USD, less than the order of ${f.usd} USD`,
  SLIPPAGE_VETO: (f) =>
    `expected slippage of ${f.numbers.expectedSlippageCents} cents per share is at or above the veto limit of ${f.thresholds.slippageVetoCents}`,
  BELOW_MINIMUM_SHARES: (f) => `order is ${f.shares} shares, below the market's minimum of ${f.minOrderShares}`,
  BELOW_MINIMUM_NOTIONAL: (f) =>
    `order is ${f.usd} USD, below the venue's minimum of ${MIN_BUY_NOTIONAL_USD} USD for a marketable BUY`,
  GAME_OVER: (f) =>
    `the game of this market was due by ${dueDateOf(f)}, ${daysSinceDue(f)} days ago, and the venue still takes orders: its outcome may be known, and what stands on the book left behind`,
  SLIPPAGE_CAUTION: (f) =>
    `expected slippage of ${f.numbers.expectedSlippageCents} cents per share is above the limit of ${f.thresholds.slippageCautionCents}`,
  DEPTH_CAUTION: (f) =>
    `order is ${f.numbers.orderVsDepthPct}% of visible depth (${f.numbers.visibleDepthUsd} USD), above ${f.thresholds.depthCautionFraction * 100}%`,
  PRICE_EXTREME: (f) =>
    `best price ${f.numbers.bestPrice} is at an extreme: the fee of ${f.numbers.feeDragCentsPerShare} cents per share and one tick are a large part of what can be won`,
  FEE_UNKNOWN: (f) => `fee schedule of this market is not known: the worst published rate of ${f.feeRate} is assumed`,
  PASSED: (f) =>
    `${f.usd} USD fills at ${f.numbers.expectedVwap} on average, ${f.numbers.expectedSlippageCents} cents from the best price ${f.numbers.bestPrice}, ` +
    `and takes ${f.numbers.orderVsDepthPct}% of ${f.numbers.visibleDepthUsd} USD visible depth; book is ${f.numbers.bookAgeSeconds} s old`,
} satisfies Readonly<Record<string, (f: OrderFacts) => string>>;

/** Why an order got its verdict; the states of verdict.machine.ts. */
export type ReasonCode = keyof typeof SENTENCES;

/** All of them, worst first, as the verdict machine reports them. */
export const REASON_CODES = Object.keys(SENTENCES) as [ReasonCode, ...ReasonCode[]];

/** Returns the sentence of a reason, with its numbers. */
export function reasonSentence(code: ReasonCode, facts: OrderFacts): string {
  return SENTENCES[code](facts);
}

/*
 * One predicate per threshold of an order verdict (docs/interface.md, "Order verdict states"). They
 * are the guards of verdict.machine.ts and the conditions of safe_size_usd, so that both mean the
 * same. Whether a limit is "above" or "at or above" is stated here and nowhere else.
 */

export const isMarketClosed = (f: FixedFacts) => f.marketStatus.closed;

export const isUnderResolution = (f: FixedFacts) => f.marketStatus.umaResolutionStatus !== '';

export const isNotAcceptingOrders = (f: FixedFacts) =>
  !(f.marketStatus.active && f.marketStatus.acceptingOrders && f.marketStatus.orderBookEnabled);

export const hasNoBook = (f: FixedFacts) => !f.bookListed;

/** Above the limit: an age of exactly max_book_age_s still passes. */
export const isBookStale = (f: FixedFacts) => f.numbers.bookAgeSeconds > f.thresholds.bookStaleVetoS;

export const isBookCrossed = (f: FixedFacts) => f.crossed !== null;

export const isSideEmpty = (f: FixedFacts) => f.bookListed && f.numbers.bestPrice === 0;

export const isPriceExtreme = (f: FixedFacts) =>
  f.numbers.bestPrice !== 0 &&
  (f.numbers.bestPrice >= EXTREME_HIGH_TICKS / 1e4 || f.numbers.bestPrice <= EXTREME_LOW_TICKS / 1e4);

/** More than the time in which a game that was stopped is played on, while the venue takes orders. */
export const isGameOver = (f: FixedFacts) =>
  f.gameDueMs !== null &&
  f.evaluatedAtMs !== null &&
  f.evaluatedAtMs - f.gameDueMs > GAME_OVER_AFTER_H * HOUR_MS &&
  !isMarketClosed(f) &&
  !isNotAcceptingOrders(f) &&
  !hasNoBook(f);

/** More than the side holds. An empty side has its own reason. */
export const isBeyondDepth = (f: SizedFacts) => f.numbers.bestPrice > 0 && f.usd > f.numbers.visibleDepthUsd;

/** At or above the limit. */
export const isSlippageVeto = (f: SizedFacts) => f.numbers.expectedSlippageCents >= f.thresholds.slippageVetoCents;

/**
 * Above the limit: slippage of exactly max_slippage_c is still OK. Where slippage already vetoes,
 * that reason stands alone.
 */
export const isSlippageCaution = (f: SizedFacts) =>
  f.numbers.expectedSlippageCents > f.thresholds.slippageCautionCents && !isSlippageVeto(f);

/** Above the fraction; an order beyond the whole depth has its own reason. */
export const isDepthCaution = (f: SizedFacts) =>
  f.numbers.bestPrice > 0 && f.numbers.orderVsDepthPct > f.thresholds.depthCautionFraction * 100 && !isBeyondDepth(f);

/**
 * Fewer shares than the market's minimum order, which binds orders that rest: by rules 1 it bound
 * taking orders too. Nothing is known of shares where nothing can be filled.
 */
export const isBelowMinimumShares = (f: SizedFacts) => f.rules === 1 && f.shares > 0 && f.shares < f.minOrderShares;

/**
 * Below the notional of a marketable BUY that the venue takes. What a marketable SELL needs is not
 * known.
 */
export const isBelowMinimumNotional = (f: SizedFacts) => f.side === 'BUY' && f.usd < MIN_BUY_NOTIONAL_USD;

/** Whether nothing but the size of the order could keep it from OK. */
export const canAnySizePass = (f: FixedFacts) =>
  !(
    isMarketClosed(f) ||
    isUnderResolution(f) ||
    isNotAcceptingOrders(f) ||
    hasNoBook(f) ||
    isBookStale(f) ||
    isBookCrossed(f) ||
    isSideEmpty(f) ||
    isGameOver(f) ||
    isPriceExtreme(f)
  );

/** Whether the size of the order keeps it from OK in no way. */
export const doesSizePass = (f: SizedFacts) =>
  !(
    isBeyondDepth(f) ||
    isSlippageVeto(f) ||
    isSlippageCaution(f) ||
    isDepthCaution(f) ||
    isBelowMinimumShares(f) ||
    isBelowMinimumNotional(f)
  );
