import { z } from 'zod';
import { NUMBER_CHARS_MAX, NUMBER_FORM, NUMBER_TEXT, readNumber } from '#domain/inputs/number-text';
import { foldName } from '#domain/order/same-name';
import {
  BOOK_AGE_S_MAX,
  DEFAULT_THRESHOLDS,
  DEFAULT_USD,
  MARKET_CHARS_MAX,
  OUTCOME_CHARS_MAX,
  SLIPPAGE_CENTS_MAX,
  USD_MAX,
} from '#domain/order/thresholds';
import { addition } from './addition.js';
import { type Parsed, parseArguments, withoutNulls } from './arguments.js';

/**
 * A number, or the decimal text of one (a query string has no numbers). Infinity and NaN are
 * refused.
 */
const number = (what: string) =>
  z
    .union([z.number(), z.string().trim().max(NUMBER_CHARS_MAX).regex(NUMBER_TEXT).transform(Number)], {
      error: ({ input }) => `${what} must be ${typeof input === 'string' ? NUMBER_FORM : 'a number'}`,
    })
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
      .max(MARKET_CHARS_MAX, { error: `slug must be at most ${MARKET_CHARS_MAX} characters` })
      .optional()
      .describe('Market or event slug, or the URL of an event. Give one of slug or token_id.')
      .meta({ examples: ['will-it-rain-tomorrow'] }),
    outcome: z
      .string({ error: 'outcome must be one string' })
      .trim()
      .min(1, { error: 'outcome must not be empty', abort: true })
      .max(OUTCOME_CHARS_MAX, { error: `outcome must be at most ${OUTCOME_CHARS_MAX} characters`, abort: true })
      .refine((name) => foldName(name) !== '', { error: 'outcome must not be empty: nothing in it can be seen' })
      .optional()
      .describe(
        'Outcome to price; required for an event of several and a market without Yes and No. ' +
          'A unique part is enough. If left out: Yes.',
      )
      .meta({ examples: ['Yes'] }),
    token_id: z
      .string({ error: 'token_id must be one string of decimal digits' })
      .trim()
      .regex(/^[0-9]{1,78}$/, { error: 'token_id must be a string of 1 to 78 decimal digits' })
      .optional()
      .describe('Order-book token id, instead of slug and outcome.')
      .meta({ examples: ['1234567890'] }),
    side: z
      .enum(['BUY', 'SELL'], { error: 'side must be BUY or SELL' })
      .default('BUY')
      .describe('BUY takes asks, SELL takes bids.')
      .meta({ examples: ['BUY'] }),
    usd: number('usd')
      .refine((v) => v > 0, { error: 'usd must be greater than 0' })
      .refine((v) => v <= USD_MAX, { error: `usd must be at most ${USD_MAX}` })
      .default(DEFAULT_USD)
      .describe('Order size in USD of notional, before fees; above 0, for a BUY at least 1.')
      .meta({ exclusiveMinimum: 0, maximum: USD_MAX, examples: [250] }),
    max_slippage_c: number('max_slippage_c')
      .refine((v) => v >= 0 && v <= SLIPPAGE_CENTS_MAX, {
        error: `max_slippage_c must be between 0 and ${SLIPPAGE_CENTS_MAX}`,
      })
      .default(DEFAULT_THRESHOLDS.slippageCautionCents)
      .describe('Slippage in cents per share above which the verdict is CAUTION.')
      .meta({ minimum: 0, maximum: SLIPPAGE_CENTS_MAX, examples: [1.5] }),
    veto_slippage_c: number('veto_slippage_c')
      .refine((v) => v >= 0 && v <= SLIPPAGE_CENTS_MAX, {
        error: `veto_slippage_c must be between 0 and ${SLIPPAGE_CENTS_MAX}`,
      })
      .default(DEFAULT_THRESHOLDS.slippageVetoCents)
      .describe(
        `Slippage in cents per share at which the verdict is VETO; left out: ${DEFAULT_THRESHOLDS.slippageVetoCents}, or max_slippage_c if more.`,
      )
      // A client that filled in a default would contradict its own max_slippage_c.
      .meta({ minimum: 0, maximum: SLIPPAGE_CENTS_MAX, examples: [4], default: undefined }),
    max_book_age_s: number('max_book_age_s')
      .refine((v) => v > 0 && v <= BOOK_AGE_S_MAX, {
        error: `max_book_age_s must be above 0 and at most ${BOOK_AGE_S_MAX}`,
      })
      .default(DEFAULT_THRESHOLDS.bookStaleVetoS)
      .describe('Maximum age of the book in seconds; above 0.')
      .meta({ exclusiveMinimum: 0, maximum: BOOK_AGE_S_MAX, examples: [30] }),
    plan: addition('plan')
      .describe('Adds `plan`: the order in amounts that the venue accepts. Same price.')
      .meta({ examples: [true] }),
    exit: addition('exit')
      .describe('Adds `exit`: the cost of getting out. Same price.')
      .meta({ examples: [true] }),
    limit_price: number('limit_price')
      .refine((v) => v > 0 && v < 1, { error: 'limit_price must be above 0 and below 1' })
      .refine((v) => Math.abs(v * 1e4 - Math.round(v * 1e4)) < 1e-6, {
        error: 'limit_price must have at most 4 decimals',
      })
      .optional()
      .describe('Adds `limit`: the order resting at this price; above 0, below 1, at most 4 decimals; default none.')
      .meta({ exclusiveMinimum: 0, exclusiveMaximum: 1, examples: [0.42] }),
    post_only: addition('post_only')
      .describe('With limit_price: as post-only.')
      .meta({ examples: [true] }),
    evidence: addition('evidence')
      .describe('Adds what the verdict was computed from, signed. Same price.')
      .meta({ examples: [true] }),
  })
  .superRefine((order, context) => {
    if (order.slug === undefined && order.token_id === undefined) {
      context.addIssue({ code: 'custom', message: 'give slug (a market or event slug, or a venue URL) or token_id' });
    }
    if (order.slug !== undefined && order.token_id !== undefined) {
      context.addIssue({ code: 'custom', message: 'give either slug or token_id, not both' });
    }
    if (order.post_only !== undefined && order.limit_price === undefined) {
      context.addIssue({ code: 'custom', path: ['post_only'], message: 'post_only needs limit_price' });
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

/** Reads raw parameters, of a query or a JSON body, as an order. */
export function parseOrder(raw: unknown): Parsed<OrderRequest> {
  return parseArguments(OrderRequestSchema, withSideInCapitals(withVetoDefault(withoutNulls(raw))));
}

/** People and other clients write "buy": the side is the same in any case, and without blanks around it. */
function withSideInCapitals(raw: unknown): unknown {
  const side = (raw as { readonly side?: unknown } | null)?.side;
  if (typeof side !== 'string' || !/[a-z\s]/.test(side)) return raw;
  return { ...(raw as object), side: side.trim().toUpperCase() };
}

/**
 * Returns the parameters with a veto that follows the caution where only that was given, so that
 * `max_slippage_c=5` alone is no contradiction with a default.
 */
function withVetoDefault(raw: unknown): unknown {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return raw;
  const { max_slippage_c: caution, veto_slippage_c: veto } = raw as Record<string, unknown>;
  const cents = typeof caution === 'string' ? readNumber(caution) : caution;
  const isRaised =
    veto === undefined &&
    typeof cents === 'number' &&
    cents > DEFAULT_THRESHOLDS.slippageVetoCents &&
    cents <= SLIPPAGE_CENTS_MAX;
  return isRaised ? { ...raw, veto_slippage_c: cents } : raw;
}
