import { z } from 'zod';
import { REASON_CODES } from '#domain/order/reasons';
import { PLAN_FORMS, PLAN_REASONS } from '#domain/plan/planned';
import { finite, VerdictSchema } from './order-numbers.js';
import { OvertakenSchema } from './scoreboard.js';

export const decimal = z.string().regex(/^\d+(\.\d{1,8})?$/);
export const signedDecimal = z.string().regex(/^-?\d+(\.\d{1,8})?$/);
const tokenId = z
  .string()
  .optional()
  .describe('Absent from an evaluation of a book that names no token: asset_id would.');
export const amount = z
  .string()
  .regex(/^[1-9]\d*$/)
  .describe('In 1e-6 USD or shares, as it is signed.');

/**
 * An order of amounts that the venue accepts (docs/interface.md, "Plan").
 *
 * @public The types of the client package are written from it.
 */
export const OrderPlanSchema = z
  .strictObject({
    order_type: z.literal('FOK'),
    side: z.enum(['BUY', 'SELL']),
    token_id: tokenId,
    tick_size: decimal.describe('Price step of this book.'),
    neg_risk: z.boolean().describe('Signed for the negRisk exchange; the amounts are the same.'),
    worst_price: decimal.describe('The price to name: no fill is worse.'),
    maker_amount: amount,
    taker_amount: amount,
    shares: decimal.describe('A BUY gets at least as many; a SELL gives as many.'),
    implied_price: decimal.describe('USDC over shares, 8 decimals: worst_price itself if exact.'),
    form: z
      .enum(PLAN_FORMS)
      .describe('exact: the amounts have worst_price. floor4: shares rounded down, legal for FOK and FAK only.'),
    exact_alternative: z
      .strictObject({ maker_amount: amount, taker_amount: amount })
      .optional()
      .describe('Of floor4: the exact amounts that spend less, if they are 1 USD or more.'),
    usd_needed: decimal.optional().describe('Of a BUY: its spend and the fee of its expected fills.'),
    usd_needed_max: decimal
      .optional()
      .describe('Of a BUY: the same with the largest fee there is. Better fills cost more fee.'),
    unspent_usd: decimal.optional().describe('Of a BUY: what legal amounts leave of usd.'),
    left_shares: decimal.optional().describe('Of a SELL: what legal amounts leave of the shares that usd is worth.'),
    for_client: z
      .strictObject({ amount: finite, price: finite })
      .describe(
        "For the official clients' own functions: USD of a BUY, shares of a SELL. Compare the amounts they sign.",
      ),
    verdict: VerdictSchema.describe('Of this very order on the same book.'),
    reason_codes: z.array(z.enum(REASON_CODES)).min(1),
    valid_until: z.iso.datetime({ precision: 3 }),
  })
  .describe('An order of amounts that the venue accepts; null: plan_reason says why there is none.');

/** How an order may be changed to get a better verdict. */
export const CHANGES = ['safe_size', 'minimum', 'wait', 'other_outcome'] as const;

/**
 * A changed order that gets a better verdict (docs/interface.md, "Remedies").
 *
 * @public The types of the client package are written from it.
 */
export const RemedySchema = z.strictObject({
  change: z.enum(CHANGES),
  order: z
    .strictObject({ token_id: tokenId, side: z.enum(['BUY', 'SELL']), usd: finite })
    .describe('To be asked in its place, with the same limits.'),
  verdict: VerdictSchema.describe('Of that order on the same levels.'),
  reason_codes: z.array(z.enum(REASON_CODES)).min(1),
});

export type Remedy = z.infer<typeof RemedySchema>;

/** What `plan=1` adds to an answer of preflight_trade. */
export const PLAN_MEMBERS = {
  worst_price: decimal
    .optional()
    .describe('Only with plan=1, if the book fills the order: price of the last level that it takes as asked.'),
  plan: OrderPlanSchema.nullable().optional(),
  plan_reason: z.enum(PLAN_REASONS).optional().describe('Why plan is null.'),
  remedies: z
    .array(RemedySchema)
    .max(CHANGES.length)
    .optional()
    .describe('Only with plan=1: changes of the order that get a better verdict; empty if none does.'),
  overtaken: OvertakenSchema.nullable()
    .optional()
    .describe(
      'Only with plan=1: how often orders like this one would have filled 3 cents worse; null: of a VETO, or fewer than 1,000 were looked at.',
    ),
} as const;

/** The same, as it is where it was asked for. */
export type PlanMembers = { readonly worst_price?: string; readonly remedies: Remedy[] } & (
  | { readonly plan: OrderPlan }
  | { readonly plan: null; readonly plan_reason: (typeof PLAN_REASONS)[number] }
);

export type OrderPlan = z.infer<typeof OrderPlanSchema>;
