import { z } from 'zod';
import { BASE_NETWORK } from '#domain/payment/payment';
import { DocSchema, ErrorBodySchema, ProblemCodeSchema } from './errors.js';

const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/);

/** Stands beside `error` where a payment was refused. */
const REFUSAL = z
  .string()
  .min(1)
  .describe('Why the payment was refused, in the terms of the x402 scheme or of the facilitator.');

/** One way to pay, in x402 v1 form (docs/interface-paying.md, "Payment terms"). */
export const PaymentRequirementV1Schema = z.strictObject({
  scheme: z.literal('exact'),
  network: z.literal('base'),
  maxAmountRequired: z
    .string()
    .regex(/^[1-9][0-9]{0,77}$/)
    .describe('Amount in the smallest unit of the asset.'),
  asset: address.describe('USDC contract on Base.'),
  payTo: address,
  resource: z.url(),
  description: z.string(),
  mimeType: z.literal('application/json'),
  maxTimeoutSeconds: z.int().min(1),
  extra: z.strictObject({ name: z.string(), version: z.string() }),
});

const RequestFaultSchema = ErrorBodySchema.pick({ error: true, code: true, candidates: true });

/**
 * The body of a 402: the x402 v1 form with our own `code` beside it. The same terms in v2 form are
 * in the header PAYMENT-REQUIRED. `accepts` has v1 entries only, because v1 clients refuse the
 * whole list for one that is not.
 */
export const PaymentRequiredBodySchema = z.strictObject({
  x402Version: z.literal(1),
  error: z.string().min(1).describe('Why payment is required and what to do next.'),
  accepts: z.array(PaymentRequirementV1Schema).min(1),
  code: ProblemCodeSchema.extract(['payment_required', 'payment_refused', 'insufficient_credits', 'invalid_token']),
  doc: DocSchema,
  reason: REFUSAL.optional(),
  balance: z.int().min(0).optional().describe('Credits on the wallet, if they were not enough.'),
  credits_required: z
    .int()
    .min(1)
    .optional()
    .describe('Credits that the call costs, if those on the wallet were not enough.'),
  fault: RequestFaultSchema.optional().describe(
    'Present if this request would be refused, free, even with a payment: correct it before you sign one.',
  ),
});

export type PaymentRequiredBody = z.infer<typeof PaymentRequiredBodySchema>;

/** What the header PAYMENT-REQUIRED holds, base64-encoded: the same terms in x402 v2 form. */
export const PaymentTermsSchema = z.object({
  x402Version: z.literal(2),
  error: z.string().describe('Why payment is required.'),
  resource: z.object({
    url: z.url(),
    description: z.string(),
    mimeType: z.literal('application/json'),
    serviceName: z.string().optional(),
    tags: z.array(z.string()).optional(),
    iconUrl: z.url().optional(),
  }),
  accepts: z
    .array(
      z.object({
        scheme: z.literal('exact'),
        network: z.literal(BASE_NETWORK),
        amount: z.string().describe('Amount in the smallest unit of the asset.'),
        asset: address.describe('USDC contract on Base.'),
        payTo: address,
        maxTimeoutSeconds: z.int().min(1),
        extra: z.object({ name: z.string(), version: z.string() }).describe('EIP-712 domain of the asset.'),
      }),
    )
    .min(1),
  extensions: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('How the operation is called, and that payment identifiers are understood.'),
});

/** What the header PAYMENT-RESPONSE holds, base64-encoded: the receipt of x402 v2. */
export const PaymentReceiptSchema = z.object({
  success: z.boolean(),
  transaction: z.string().describe('Hash on the chain; empty if nothing was sent.'),
  payer: z.string(),
  network: z.literal(BASE_NETWORK),
  amount: z.string().optional().describe('Amount in the smallest unit of the asset.'),
  errorReason: z.string().optional().describe('Present if success is false.'),
});

/**
 * What the header X-PAYMENT-RESPONSE holds, base64-encoded: the receipt of x402 v1, where the
 * network has a name and there is no amount.
 */
export const PaymentReceiptV1Schema = PaymentReceiptSchema.omit({ amount: true }).extend({
  network: z.literal('base'),
});
