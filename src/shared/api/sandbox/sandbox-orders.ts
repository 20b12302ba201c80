import type { OrderVerdict } from '../order-verdict.js';
import { ORDER_VERDICT_EXAMPLE } from './sandbox.js';

const NOTE =
  'Example on an invented book, free: size and limits of the request are not looked at. Leave sandbox out to check a real order.';

/** An order on the invented book of sandbox.ts, as the market `slug`. */
function onTheBook(slug: string, { market, ...other }: Partial<OrderVerdict>): OrderVerdict {
  const own = { ...ORDER_VERDICT_EXAMPLE.market, ...market, slug };
  return { ...ORDER_VERDICT_EXAMPLE, ...other, market: own, note: NOTE };
}

/** 100 USD, as in sandbox.ts. */
export const OK_EXAMPLE = onTheBook('sandbox-ok', {});

/**
 * 200 USD take 125 shares for 60 USD and 280 for 140: 405 shares, on average 200 / 405 = 0.493827.
 * Fee 0.04 * (125 * 0.48 * 0.52 + 280 * 0.25) = 4.048.
 */
export const CAUTION_EXAMPLE = onTheBook('sandbox-caution', {
  verdict: 'CAUTION',
  reasons: ['expected slippage of 1.3827 cents per share is above the limit of 1'],
  reason_codes: ['SLIPPAGE_CAUTION'],
  order: { side: 'BUY', usd: 200 },
  numbers: {
    ...ORDER_VERDICT_EXAMPLE.numbers,
    expected_vwap: 0.493827,
    expected_slippage_cents: 1.3827,
    order_vs_depth_pct: 18.6916,
    taker_fee_usd: 4.048,
    fee_drag_cents_per_share: 0.9995,
  },
});

/**
 * 1000 USD take the first three levels (1025 shares for 520 USD) and 480 / 0.55 = 872.727273 shares
 * of the last: on average 1000 / 1897.727273 = 0.526946. Fee 0.04 * (31.2 + 100 + 124.8 + 216) =
 * 18.88.
 */
export const VETO_EXAMPLE = onTheBook('sandbox-veto', {
  verdict: 'VETO',
  reasons: [
    'expected slippage of 4.6946 cents per share is at or above the veto limit of 3',
    'order is 93.4579% of visible depth (1070 USD), above 25%',
  ],
  reason_codes: ['SLIPPAGE_VETO', 'DEPTH_CAUTION'],
  order: { side: 'BUY', usd: 1_000 },
  numbers: {
    ...ORDER_VERDICT_EXAMPLE.numbers,
    expected_vwap: 0.526946,
    expected_slippage_cents: 4.6946,
    order_vs_depth_pct: 93.4579,
    taker_fee_usd: 18.88,
    fee_drag_cents_per_share: 0.9949,
  },
});

/** 100 USD on the same book, which nobody has confirmed for 75 s: no size is safe. */
export const STALE_EXAMPLE = onTheBook('sandbox-stale', {
  verdict: 'VETO',
  reasons: ['book was last confirmed 75 s ago, above the limit of 60 s'],
  reason_codes: ['BOOK_STALE'],
  numbers: { ...ORDER_VERDICT_EXAMPLE.numbers, safe_size_usd: 0, book_age_seconds: 75 },
});

/** Names that an order on `sandbox-candidates` chooses from. */
export const CANDIDATES = ['Blue', 'Green'] as const;

/** The answer once a candidate was chosen: 100 USD, OK. */
export function candidateExample(outcome: (typeof CANDIDATES)[number]): OrderVerdict {
  const question = 'Example: which party wins?';
  return onTheBook('sandbox-candidates', {
    market: { slug: null, question, outcome, token_id: outcome === 'Blue' ? '1234567891' : '1234567892' },
  });
}
