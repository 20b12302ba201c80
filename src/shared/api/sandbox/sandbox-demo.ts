import type { DemoBook } from '../demo/demo-events.js';
import type { DemoMarket } from '../demo/demo-markets.js';
import { ORDER_VERDICT_EXAMPLE } from './sandbox.js';

const { slug, question, outcome, token_id } = ORDER_VERDICT_EXAMPLE.market;

/**
 * The book behind the free example of preflight_trade; judged by its facts, an order of 100 USD is
 * the example.
 */
export const DEMO_EXAMPLE: { readonly market: DemoMarket; readonly book: DemoBook } = {
  market: {
    slug: slug!,
    question: question!,
    condition_id: `0x${'0'.repeat(64)}`,
    outcomes: [{ label: outcome!, token_id, events: `/demo/books/${token_id}/events` }],
    fee: { rate: 0.04, exponent: 1, category: 'politics_fees', known: true },
    min_order_shares: 5,
    matching_delay_s: 0,
    game_due_at: null,
    status: {
      active: true,
      closed: false,
      accepting_orders: true,
      order_book_enabled: true,
      uma_resolution_status: '',
    },
    thresholds: {
      slippage_caution_cents: 1,
      slippage_veto_cents: 3,
      depth_caution_fraction: 0.25,
      book_stale_veto_seconds: 60,
      note:
        'A marketable BUY needs 1 USD; what a marketable SELL needs at least is not known. ' +
        "The market's minimum of 5 shares binds resting orders only. A book walk is a forecast, not a fill.",
    },
  },
  book: {
    timestamp_ms: 0,
    confirmed_age_ms: 420,
    listed: true,
    tick_size: '0.01',
    doubt: null,
    trusted: true,
    bids: [
      ['0.42', '900'],
      ['0.45', '600'],
      ['0.47', '300'],
    ],
    asks: [
      ['0.55', '1000'],
      ['0.52', '500'],
      ['0.5', '400'],
      ['0.48', '125'],
    ],
  },
};
