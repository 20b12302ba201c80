import type { OrderVerdict } from '../order-verdict.js';

/**
 * The example that `sandbox=1` returns for preflight_trade: an order of 100 USD on an invented
 * book.
 *
 *     asks   0.48 x 125 =  60 USD      fee: rate 0.04, exponent 1 ("politics_fees")
 *            0.50 x 400 = 200 USD      thresholds: the defaults
 *            0.52 x 500 = 260 USD
 *            0.55 x 1000 = 550 USD     together 1070 USD
 *
 * A BUY of 100 USD takes 125 shares for 60 USD and 80 shares for 40 USD: 205 shares.
 * - expected_vwap: 100 / 205 = 0.487805; expected_slippage_cents: (0.487805 - 0.48) * 100 = 0.7805,
 *   not above 1.
 * - order_vs_depth_pct: 100 / 1070 = 9.3458 %, not above 25 %.
 * - taker_fee_usd: 0.04 * (125 * 0.48 * 0.52 + 80 * 0.50 * 0.50) = 2.048; per share 2.048 / 205 =
 *   0.999 cents.
 * - safe_size_usd: x USD beyond the first 60 buy 125 + (x - 60) / 0.5 = 2x + 5 shares; the slippage
 *   reaches 1 cent where x / (2x + 5) = 0.49, at x = 122.5; 25 % of the depth would be 267.5.
 * So the verdict is OK.
 */
export const ORDER_VERDICT_EXAMPLE: OrderVerdict = {
  ok: true,
  verdict: 'OK',
  reasons: [
    '100 USD fills at 0.487805 on average, 0.7805 cents from the best price 0.48, ' +
      'and takes 9.3458% of 1070 USD visible depth; book is 0.42 s old',
  ],
  reason_codes: ['PASSED'],
  market: {
    slug: 'example-will-the-measure-pass',
    question: 'Example: will the measure pass?',
    outcome: 'Yes',
    token_id: '1234567890',
  },
  order: { side: 'BUY', usd: 100 },
  numbers: {
    best_price: 0.48,
    expected_vwap: 0.487805,
    expected_slippage_cents: 0.7805,
    visible_depth_usd: 1070,
    order_vs_depth_pct: 9.3458,
    taker_fee_usd: 2.048,
    fee_drag_cents_per_share: 0.999,
    fee_category: 'politics_fees',
    safe_size_usd: 122.5,
    book_age_seconds: 0.42,
  },
  sandbox: true,
  note: 'Example on an invented book, the same for every request and free. Leave sandbox out to check a real order.',
};
