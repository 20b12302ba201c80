import { z } from 'zod';
import { LIMIT_REASONS } from '#domain/plan/limit-order';
import { finite } from './order-numbers.js';
import { amount, decimal } from './order-plan.js';

const LimitOrderSchema = z
  .strictObject({
    order_types: z.array(z.enum(['GTC', 'GTD'])),
    maker_amount: amount,
    taker_amount: amount,
    shares: decimal.describe('Of at most 2 decimals.'),
    usd: decimal.describe('Exactly price times shares.'),
    gtd_seconds_min: z.number().int().describe('A GTD must live at least as long.'),
  })
  .describe('Amounts that the venue accepts; null: order_reason.');

/**
 * The order as one that rests at a price (docs/interface.md, "Limit").
 *
 * @public The types of the client package are written from it.
 */
export const OrderLimitSchema = z.strictObject({
  side: z.enum(['BUY', 'SELL']),
  price: decimal,
  post_only: z.boolean(),
  crosses: z.boolean().describe('It would take at once what has its price or a better one.'),
  post_only_refused: z.boolean().describe('It crosses and is post-only.'),
  queue_ahead: z
    .strictObject({ better_shares: decimal, better_usd: decimal, same_price_shares: decimal, same_price_usd: decimal })
    .describe('What rests on its own side before it.'),
  distance_to_touch_cents: finite
    .nullable()
    .describe('Behind the best price of its side; negative: better than it; null: that side is empty.'),
  tick_size: decimal.nullable(),
  min_shares: finite,
  maker_fee_usd: z.literal('0'),
  matching_delay_seconds: finite,
  game_due_at: z.iso.datetime({ precision: 3 }).nullable().describe('When the game was to be over at the latest.'),
  note: z.string(),
  order: LimitOrderSchema.nullable(),
  order_reason: z.enum(LIMIT_REASONS).optional().describe('Why order is null.'),
});

/** What `limit_price` adds to an answer of preflight_trade. */
export const LIMIT_MEMBERS = { limit: OrderLimitSchema.optional() } as const;

export type OrderLimit = z.infer<typeof OrderLimitSchema>;
