import { EXTREME_HIGH_TICKS, EXTREME_LOW_TICKS } from '../book/book.js';
import type { FixedFacts, SizedFacts } from './order-facts.js';
import { MIN_BUY_NOTIONAL_USD } from './thresholds.js';

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

/** More than the side holds. An empty side has its own reason. */
export const isBeyondDepth = (f: SizedFacts) => f.numbers.bestPrice > 0 && f.usd > f.numbers.visibleDepthUsd;

/** At or above the limit. */
export const isSlippageVeto = (f: SizedFacts) => f.numbers.expectedSlippageCents >= f.thresholds.slippageVetoCents;

/** Above the limit: slippage of exactly max_slippage_c is still OK. Where slippage already vetoes, that reason stands alone. */
export const isSlippageCaution = (f: SizedFacts) =>
  f.numbers.expectedSlippageCents > f.thresholds.slippageCautionCents && !isSlippageVeto(f);

/** Above the fraction; an order beyond the whole depth has its own reason. */
export const isDepthCaution = (f: SizedFacts) =>
  f.numbers.bestPrice > 0 && f.numbers.orderVsDepthPct > f.thresholds.depthCautionFraction * 100 && !isBeyondDepth(f);

/** Fewer shares than the market's minimum order. Nothing is known of shares where nothing can be filled. */
export const isBelowMinimumShares = (f: SizedFacts) => f.shares > 0 && f.shares < f.minOrderShares;

/** Below the notional of a marketable BUY that the venue takes. */
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
