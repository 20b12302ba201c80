import type { DemoBook, DemoMarketStatus } from '#api/demo/demo-events';
import type { DemoMarket, DemoMarkets } from '#api/demo/demo-markets';
import { DEMO_EXAMPLE } from '#api/sandbox/sandbox-demo';
import { levelTexts } from '#domain/book/hashed-text';
import type { OrderBook } from '#domain/book/order-book';
import type { Market } from '#domain/market';
import { DEFAULT_THRESHOLDS } from '#domain/order/thresholds';
import { noteOf } from '#judge/verdict-body';

/** Returns the answer of GET /demo/markets. */
export function toDemoMarkets(markets: readonly Market[]): DemoMarkets {
  const isExample = markets.length === 0;
  return {
    example: isExample,
    max_book_age_s: DEFAULT_THRESHOLDS.bookStaleVetoS,
    markets: markets.map(toDemoMarket),
    ...(isExample ? { example_market: DEMO_EXAMPLE } : {}),
  };
}

function toDemoMarket(market: Market): DemoMarket {
  const { rate, exponent, category, known } = market.fee;
  return {
    slug: market.slug,
    question: market.question,
    condition_id: market.conditionId,
    outcomes: market.outcomes.map(({ label, tokenId }) => ({
      label,
      token_id: tokenId,
      events: `/demo/books/${tokenId}/events`,
    })),
    fee: { rate, exponent, category, known },
    min_order_shares: market.minOrderShares,
    matching_delay_s: market.matchingDelayS,
    game_due_at: market.gameDueMs === null ? null : new Date(market.gameDueMs).toISOString(),
    status: toDemoStatus(market),
    thresholds: {
      slippage_caution_cents: DEFAULT_THRESHOLDS.slippageCautionCents,
      slippage_veto_cents: DEFAULT_THRESHOLDS.slippageVetoCents,
      depth_caution_fraction: DEFAULT_THRESHOLDS.depthCautionFraction,
      book_stale_veto_seconds: DEFAULT_THRESHOLDS.bookStaleVetoS,
      note: noteOf(market),
    },
  };
}

export function toDemoStatus({ status }: Pick<Market, 'status'>): DemoMarketStatus {
  return {
    active: status.active,
    closed: status.closed,
    accepting_orders: status.acceptingOrders,
    order_book_enabled: status.orderBookEnabled,
    uma_resolution_status: status.umaResolutionStatus,
  };
}

/** Returns a book as it stands. */
export function toDemoBook(book: OrderBook, ageMs: number): DemoBook {
  return {
    timestamp_ms: book.timestampMs,
    confirmed_age_ms: ageMs,
    listed: book.listed,
    tick_size: book.hashFields.tickSize,
    doubt: book.doubt,
    trusted: !book.isSuspicious,
    bids: levelTexts(book.bids),
    asks: levelTexts(book.asks),
  };
}
