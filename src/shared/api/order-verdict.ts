import { z } from 'zod';
import { REASON_CODES } from '#domain/order/reasons';
import { EvidenceSchema } from './evidence.js';
import { EXIT_MEMBERS } from './order-exit.js';
import { LIMIT_MEMBERS } from './order-limit.js';
import { finite, OrderNumbersSchema, OrderThresholdsSchema, VerdictSchema } from './order-numbers.js';
import { PLAN_MEMBERS } from './order-plan.js';
import { PaidSchema } from './paid.js';

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
  thresholds: OrderThresholdsSchema,
});

/** The answer of preflight_trade (docs/interface.md, "Order verdict"). */
export const OrderVerdictSchema = z.strictObject({
  ok: z.literal(true),
  verdict: VerdictSchema,
  reasons: z.array(z.string()).min(1),
  reason_codes: z.array(z.enum(REASON_CODES)).min(1).describe('One code per reason, in the same order.'),
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
  ...PLAN_MEMBERS,
  ...EXIT_MEMBERS,
  ...LIMIT_MEMBERS,
  evidence: EvidenceSchema.optional(),
  paid: PaidSchema.optional(),
});

export type OrderVerdict = z.infer<typeof OrderVerdictSchema>;
