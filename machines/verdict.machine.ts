import { setup } from 'xstate';
import type { OrderFacts } from '#domain/order/order-facts';
import * as reasons from '#domain/order/reasons';
import type { Decision } from './classifier.js';

/** The one event: an order with all that is known about it. */
export interface OrderChecked {
  readonly type: 'order.checked';
  readonly facts: OrderFacts;
}

const guard =
  (check: (facts: OrderFacts) => boolean) =>
  ({ event }: { event: OrderChecked }) =>
    check(event.facts);

/** The checks by name: each threshold of the verdict is one of them. */
export const verdictGuards = {
  marketClosed: guard(reasons.isMarketClosed),
  underResolution: guard(reasons.isUnderResolution),
  notAcceptingOrders: guard(reasons.isNotAcceptingOrders),
  noBook: guard(reasons.hasNoBook),
  bookStale: guard(reasons.isBookStale),
  bookCrossed: guard(reasons.isBookCrossed),
  sideEmpty: guard(reasons.isSideEmpty),
  beyondDepth: guard(reasons.isBeyondDepth),
  slippageVeto: guard(reasons.isSlippageVeto),
  belowMinimumShares: guard(reasons.isBelowMinimumShares),
  belowMinimumNotional: guard(reasons.isBelowMinimumNotional),
  gameOver: guard(reasons.isGameOver),
  slippageCaution: guard(reasons.isSlippageCaution),
  depthCaution: guard(reasons.isDepthCaution),
  priceExtreme: guard(reasons.isPriceExtreme),
  feeUnknown: guard((facts) => !facts.feeKnown),
};

/**
 * The definition of the order verdict: which thresholds there are, in which order they are reported
 * (worst first), and which verdict each one means (its tag). An interpreted machine goes to the
 * state of the first guard that holds; `classifier.ts` compiles the same definition into a function
 * that names every guard that holds.
 *
 * A reason tagged OK is worth reporting and changes nothing; with no reason at all the order
 * PASSED.
 */
export const verdictDefinition = {
  id: 'verdict',
  initial: 'CHECKING',
  states: {
    CHECKING: {
      on: {
        'order.checked': [
          { guard: 'marketClosed', target: 'MARKET_CLOSED' },
          { guard: 'underResolution', target: 'UNDER_RESOLUTION' },
          { guard: 'notAcceptingOrders', target: 'NOT_ACCEPTING_ORDERS' },
          { guard: 'noBook', target: 'NO_BOOK' },
          { guard: 'bookStale', target: 'BOOK_STALE' },
          { guard: 'bookCrossed', target: 'BOOK_CROSSED' },
          { guard: 'sideEmpty', target: 'SIDE_EMPTY' },
          { guard: 'beyondDepth', target: 'BEYOND_DEPTH' },
          { guard: 'slippageVeto', target: 'SLIPPAGE_VETO' },
          { guard: 'belowMinimumShares', target: 'BELOW_MINIMUM_SHARES' },
          { guard: 'belowMinimumNotional', target: 'BELOW_MINIMUM_NOTIONAL' },
          { guard: 'gameOver', target: 'GAME_OVER' },
          { guard: 'slippageCaution', target: 'SLIPPAGE_CAUTION' },
          { guard: 'depthCaution', target: 'DEPTH_CAUTION' },
          { guard: 'priceExtreme', target: 'PRICE_EXTREME' },
          { guard: 'feeUnknown', target: 'FEE_UNKNOWN' },
          { target: 'PASSED' },
        ],
      },
    },
    MARKET_CLOSED: { type: 'final', tags: 'VETO' },
    UNDER_RESOLUTION: { type: 'final', tags: 'VETO' },
    NOT_ACCEPTING_ORDERS: { type: 'final', tags: 'VETO' },
    NO_BOOK: { type: 'final', tags: 'VETO' },
    BOOK_STALE: { type: 'final', tags: 'VETO' },
    BOOK_CROSSED: { type: 'final', tags: 'VETO' },
    SIDE_EMPTY: { type: 'final', tags: 'VETO' },
    BEYOND_DEPTH: { type: 'final', tags: 'VETO' },
    SLIPPAGE_VETO: { type: 'final', tags: 'VETO' },
    BELOW_MINIMUM_SHARES: { type: 'final', tags: 'VETO' },
    BELOW_MINIMUM_NOTIONAL: { type: 'final', tags: 'VETO' },
    GAME_OVER: { type: 'final', tags: 'CAUTION' },
    SLIPPAGE_CAUTION: { type: 'final', tags: 'CAUTION' },
    DEPTH_CAUTION: { type: 'final', tags: 'CAUTION' },
    PRICE_EXTREME: { type: 'final', tags: 'CAUTION' },
    FEE_UNKNOWN: { type: 'final', tags: 'OK' },
    PASSED: { type: 'final', tags: 'OK' },
  },
} as const satisfies Decision;

/**
 * The definition as a machine, which tests hold against the compiled one; without them a bundle
 * leaves it out.
 */
export const verdictMachine = /* @__PURE__ */ setup({
  types: { events: {} as OrderChecked },
  guards: verdictGuards,
}).createMachine(verdictDefinition);

/** What can be said about an order; every one but PASSED is a reason. */
export type VerdictState = Exclude<keyof typeof verdictDefinition.states, 'CHECKING'>;
