import { z } from 'zod';
import { BOOK_AGE_S_MAX, DEFAULT_THRESHOLDS, DEFAULT_USD, SLIPPAGE_CENTS_MAX, USD_MAX } from '#domain/order/thresholds';
import { PaidSchema } from './paid.js';

/** Longest slug or URL that is looked at. The venue's longest are under 200 characters. */
const SLUG_LENGTH_MAX = 512;
const OUTCOME_LENGTH_MAX = 256;

const DECIMAL = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

/**
 * A number, or the decimal text of one (a query string has no numbers). Infinity and NaN are
 * refused.
 */
const number = (what: string) =>
  z
    .union([z.number(), z.string().max(64).regex(DECIMAL).transform(Number)], { error: `${what} must be a number` })
    .refine(Number.isFinite, { error: `${what} must be a finite number` });

/**
 * The order as asked (docs/interface.md, "Order request"). One schema serves the query string and
 * the JSON body. Unknown keys are refused, so that a misspelt parameter is never silently ignored.
 * Bounds that are checked in code stand in `meta`, for readers of the schema.
 */
export const OrderRequestSchema = z
  .strictObject({
    slug: z
      .string({ error: 'slug must be one string' })
      .trim()
      .min(1, { error: 'slug must not be empty' })
      .max(SLUG_LENGTH_MAX, { error: `slug must be at most ${SLUG_LENGTH_MAX} characters` })
      .optional()
      .describe('Market or event slug, or a full event URL of the venue.'),
    outcome: z
      .string({ error: 'outcome must be one string' })
      .trim()
      .min(1, { error: 'outcome must not be empty' })
      .max(OUTCOME_LENGTH_MAX, { error: `outcome must be at most ${OUTCOME_LENGTH_MAX} characters` })
      .optional()
      .describe(
        'Outcome to price; required with the slug of a multi-outcome event and of a market whose sides are not Yes and No. ' +
          'A unique part of the name is enough.',
      ),
    token_id: z
      .string({ error: 'token_id must be one string of decimal digits' })
      .regex(/^[0-9]{1,78}$/, { error: 'token_id must be a string of 1 to 78 decimal digits' })
      .optional()
      .describe('Order-book token id: the alternative to slug and outcome.'),
    side: z
      .enum(['BUY', 'SELL'], { error: 'side must be BUY or SELL (upper case)' })
      .default('BUY')
      .describe('BUY takes asks, SELL takes bids.'),
    usd: number('usd')
      .refine((v) => v > 0, { error: 'usd must be greater than 0' })
      .refine((v) => v <= USD_MAX, { error: `usd must be at most ${USD_MAX}` })
      .default(DEFAULT_USD)
      .describe('Order size in USD of notional, before fees. Understood to the micro-dollar.')
      .meta({ exclusiveMinimum: 0, maximum: USD_MAX }),
    max_slippage_c: number('max_slippage_c')
      .refine((v) => v >= 0 && v <= SLIPPAGE_CENTS_MAX, {
        error: `max_slippage_c must be between 0 and ${SLIPPAGE_CENTS_MAX}`,
      })
      .default(DEFAULT_THRESHOLDS.slippageCautionCents)
      .describe('Slippage in cents per share above which OK becomes CAUTION.')
      .meta({ minimum: 0, maximum: SLIPPAGE_CENTS_MAX }),
    veto_slippage_c: number('veto_slippage_c')
      .refine((v) => v >= 0 && v <= SLIPPAGE_CENTS_MAX, {
        error: `veto_slippage_c must be between 0 and ${SLIPPAGE_CENTS_MAX}`,
      })
      .default(DEFAULT_THRESHOLDS.slippageVetoCents)
      .describe('Slippage in cents per share at which the verdict becomes VETO.')
      .meta({ minimum: 0, maximum: SLIPPAGE_CENTS_MAX }),
    max_book_age_s: number('max_book_age_s')
      .refine((v) => v > 0 && v <= BOOK_AGE_S_MAX, {
        error: `max_book_age_s must be above 0 and at most ${BOOK_AGE_S_MAX}`,
      })
      .default(DEFAULT_THRESHOLDS.bookStaleVetoS)
      .describe('Maximum acceptable order-book age in seconds.')
      .meta({ exclusiveMinimum: 0, maximum: BOOK_AGE_S_MAX }),
  })
  .superRefine((order, context) => {
    if (order.slug === undefined && order.token_id === undefined) {
      context.addIssue({ code: 'custom', message: 'give slug (a market or event slug, or a venue URL) or token_id' });
    }
    if (order.slug !== undefined && order.token_id !== undefined) {
      context.addIssue({ code: 'custom', message: 'give either slug or token_id, not both' });
    }
    if (order.veto_slippage_c < order.max_slippage_c) {
      context.addIssue({
        code: 'custom',
        path: ['veto_slippage_c'],
        message: `veto_slippage_c (${order.veto_slippage_c}) must not be below max_slippage_c (${order.max_slippage_c})`,
      });
    }
  });

export type OrderRequest = z.infer<typeof OrderRequestSchema>;

const finite = z.number();

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
  taker_fee_usd: finite.min(0).describe("Taker fee of the expected fills under the market's own 2026 schedule."),
  fee_drag_cents_per_share: finite.min(0).describe('Taker fee in cents per share.'),
  fee_category: z.string().describe('Fee schedule applied to the market; free text.'),
  safe_size_usd: finite
    .min(0)
    .describe('Largest order size that still passes the OK thresholds on this book; 0 if none does.'),
  book_age_seconds: finite.min(0).describe('Time since the venue last confirmed this book.'),
});

export type OrderNumbers = z.infer<typeof OrderNumbersSchema>;

const VerdictSchema = z.enum(['OK', 'CAUTION', 'VETO']);
export type Verdict = z.infer<typeof VerdictSchema>;

const OrderVerdictMetaSchema = z.strictObject({
  beta: z.boolean(),
  method: z.string(),
  for_whom: z.string(),
  evaluated_at: z.iso
    .datetime({ precision: 3 })
    .describe(
      'When this verdict was made. A repeat of a paid call is the old verdict: look here before you act on it.',
    ),
  valid_until: z.iso
    .datetime({ precision: 3 })
    .describe('When the book of this verdict becomes older than book_stale_veto_seconds; never act on it later.'),
  thresholds: z.strictObject({
    slippage_caution_cents: finite,
    slippage_veto_cents: finite,
    depth_caution_fraction: finite,
    book_stale_veto_seconds: finite,
    note: z.string(),
  }),
});

/** The answer of preflight_trade (docs/interface.md, "Order verdict"). */
export const OrderVerdictSchema = z.strictObject({
  ok: z.literal(true),
  verdict: VerdictSchema,
  reasons: z.array(z.string()).min(1),
  market: z.strictObject({
    slug: z.string().nullable(),
    question: z.string().nullable(),
    outcome: z.string().nullable(),
    token_id: z.string(),
  }),
  order: z.strictObject({ side: z.enum(['BUY', 'SELL']), usd: finite }),
  numbers: OrderNumbersSchema,
  meta: OrderVerdictMetaSchema.optional(),
  sandbox: z.literal(true).optional(),
  note: z.string().optional(),
  paid: PaidSchema.optional(),
});

export type OrderVerdict = z.infer<typeof OrderVerdictSchema>;
