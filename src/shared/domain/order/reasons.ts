import type { OrderFacts } from './order-facts.js';
import { MIN_BUY_NOTIONAL_USD } from './thresholds.js';

/** Why an order got its verdict; the states of verdict.machine.ts. */
export type ReasonCode =
  | 'MARKET_CLOSED'
  | 'UNDER_RESOLUTION'
  | 'NOT_ACCEPTING_ORDERS'
  | 'NO_BOOK'
  | 'BOOK_STALE'
  | 'BOOK_CROSSED'
  | 'SIDE_EMPTY'
  | 'BEYOND_DEPTH'
  | 'SLIPPAGE_VETO'
  | 'BELOW_MINIMUM_SHARES'
  | 'BELOW_MINIMUM_NOTIONAL'
  | 'SLIPPAGE_CAUTION'
  | 'DEPTH_CAUTION'
  | 'PRICE_EXTREME'
  | 'FEE_UNKNOWN'
  | 'PASSED';

const takes = (f: OrderFacts) => (f.side === 'BUY' ? 'asks' : 'bids');

/**
 * The sentence of each reason. Each carries the number that triggered it (docs/interface.md, "Order
 * verdict").
 */
const SENTENCES: Readonly<Record<ReasonCode, (f: OrderFacts) => string>> = {
  MARKET_CLOSED: (f) => `market is closed: 0 of ${f.usd} USD can be filled`,
  UNDER_RESOLUTION: (f) =>
    `market is under resolution (${f.marketStatus.umaResolutionStatus}): 0 of ${f.usd} USD should be sent into a decided market`,
  NOT_ACCEPTING_ORDERS: (f) => `market is not accepting orders: 0 of ${f.usd} USD can be filled`,
  NO_BOOK: (f) => `the venue has no order book for this token: 0 of ${f.usd} USD can be filled`,
  BOOK_STALE: (f) =>
    `book was last confirmed ${f.numbers.bookAgeSeconds} s ago, above the limit of ${f.thresholds.bookStaleVetoS} s`,
  BOOK_CROSSED: (f) =>
    `book is crossed: best bid ${f.crossed?.bestBid} is not below best ask ${f.crossed?.bestAsk}, and it was still crossed when re-checked`,
  SIDE_EMPTY: (f) => `no ${takes(f)} on the book: 0 of ${f.usd} USD can be filled`,
  BEYOND_DEPTH: (f) => `the ${takes(f)} hold ${f.numbers.visibleDepthUsd} USD, less than the order of ${f.usd} USD`,
  SLIPPAGE_VETO: (f) =>
    `expected slippage of ${f.numbers.expectedSlippageCents} cents per share is at or above the veto limit of ${f.thresholds.slippageVetoCents}`,
  BELOW_MINIMUM_SHARES: (f) => `order is ${f.shares} shares, below the market's minimum of ${f.minOrderShares}`,
  BELOW_MINIMUM_NOTIONAL: (f) =>
    `order is ${f.usd} USD, below the venue's minimum of ${MIN_BUY_NOTIONAL_USD} USD for a marketable BUY`,
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
};

/** Returns the sentence of a reason, with its numbers. */
export function reasonSentence(code: ReasonCode, facts: OrderFacts): string {
  return SENTENCES[code](facts);
}
