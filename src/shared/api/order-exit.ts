import { z } from 'zod';
import { REASON_CODES } from '#domain/order/reasons';
import { finite, VerdictSchema } from './order-numbers.js';
import { decimal, signedDecimal } from './order-plan.js';

/** Why there is no way out to be named. */
const EXIT_REASONS = ['entry_not_filled', 'thin_book'] as const;

const ComplementSchema = z
  .strictObject({ token_id: z.string(), usd: decimal, taker_fee_usd: decimal, net_usd: signedDecimal })
  .describe('Of a BUY: buying as many shares of the other outcome and merging the pairs, each worth 1 USD.');

/**
 * What it costs to get out again (docs/interface.md, "Exit").
 *
 * @public The types of the client package are written from it.
 */
export const OrderExitSchema = z
  .strictObject({
    side: z.enum(['BUY', 'SELL']),
    shares: decimal.describe('Those of the entry.'),
    expected_vwap: finite,
    expected_slippage_cents: finite,
    usd: decimal.describe('Proceeds of a SELL or cost of a BUY, before its fee.'),
    taker_fee_usd: decimal,
    round_trip_cost_usd: signedDecimal.describe('What entry and exit cost together, with both fees.'),
    round_trip_cost_cents_per_share: signedDecimal,
    break_even_price: decimal
      .nullable()
      .describe('The price at which leaving the whole position, with its fee, gives back the entry; null: none does.'),
    verdict: VerdictSchema.describe('Of the exit, by the same limits.'),
    reason_codes: z.array(z.enum(REASON_CODES)).min(1),
    complement: ComplementSchema.nullable(),
  })
  .describe('The opposite taking order for the same shares on this book; null: exit_reason.');

/** What `exit=1` adds to an answer of preflight_trade. */
export const EXIT_MEMBERS = {
  exit: OrderExitSchema.nullable().optional(),
  exit_reason: z.enum(EXIT_REASONS).optional(),
} as const;

export type OrderExit = z.infer<typeof OrderExitSchema>;

/** The same, as it is where it was asked for. */
export type ExitMembers =
  | { readonly exit: OrderExit }
  | { readonly exit: null; readonly exit_reason: (typeof EXIT_REASONS)[number] };
