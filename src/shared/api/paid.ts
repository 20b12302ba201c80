import { z } from 'zod';

/** `paid` of the credits lane (docs/interface-paying.md, "Paid object"). */
const PaidCreditsSchema = z.strictObject({
  credits_used: z.int().min(0).describe('Credits that this call was charged.'),
  credits_remaining: z.int().min(0).describe('Credits left for this token.'),
});

/**
 * `paid` of a call or a pack that was settled on the chain (docs/interface-paying.md, "Paid
 * object").
 */
export const PaidX402Schema = z.strictObject({
  price_paid_usdc: z
    .string()
    .regex(/^[0-9]+\.[0-9]{2,6}$/)
    .describe('Decimal amount in USDC.'),
  transaction: z.string().describe('Transaction of the settlement, as the facilitator reported it.'),
  network: z.string().describe('CAIP-2 name of the chain.'),
  receipt: z.url().describe('Page of the transaction in a block explorer.'),
});

/** How a live answer was paid; absent from examples and from free answers. */
export const PaidSchema = z
  .union([PaidCreditsSchema, PaidX402Schema])
  .describe('How this answer was paid: from credits, or per call on the chain.');

export type Paid = z.infer<typeof PaidSchema>;
