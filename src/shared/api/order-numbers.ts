import { z } from 'zod';

/** Any number that JSON can write. */
export const finite = z.number();

/**
 * Numbers behind the verdict (docs/interface.md, "Numbers"); rounded as shown, and the verdict is
 * computed from them as shown.
 */
export const OrderNumbersSchema = z.strictObject({
  best_price: finite.min(0).max(1).describe('Best available price on the relevant side; 0 if that side is empty.'),
  expected_vwap: finite
    .min(0)
    .max(1)
    .describe('Volume-weighted average fill price of what the book can fill; 6 decimals.'),
  expected_slippage_cents: finite
    .min(0)
    .describe('Adverse distance of expected_vwap from best_price, in cents per share.'),
  visible_depth_usd: finite.min(0).describe('Visible depth on the relevant side, in USD.'),
  order_vs_depth_pct: finite
    .min(0)
    .describe(
      'Order size in percent of visible depth; 999999.9999 if the side is empty or the figure would be larger.',
    ),
  taker_fee_usd: finite
    .min(0)
    .describe("Taker fee of the expected fills under the market's own 2026 schedule, cut to 5 decimals at each level."),
  fee_drag_cents_per_share: finite.min(0).describe('Taker fee in cents per share.'),
  fee_category: z.string().describe('Fee schedule applied to the market; free text.'),
  safe_size_usd: finite
    .min(0)
    .describe('Largest order size that still passes the OK thresholds on this book; 0 if none does.'),
  book_age_seconds: finite.min(0).describe('Time since the venue last confirmed this book.'),
});

export type OrderNumbers = z.infer<typeof OrderNumbersSchema>;

export const VerdictSchema = z.enum(['OK', 'CAUTION', 'VETO']);
export type Verdict = z.infer<typeof VerdictSchema>;

/** The limits in force, with what they cannot show. */
export const OrderThresholdsSchema = z.strictObject({
  slippage_caution_cents: finite,
  slippage_veto_cents: finite,
  depth_caution_fraction: finite,
  book_stale_veto_seconds: finite,
  note: z.string(),
});
