import { z } from 'zod';
import { parseWallet } from '#domain/ids';
import { PaidX402Schema } from './paid.js';
import { CREDIT_COSTS, CREDIT_PACK } from './prices.js';

/** Longest promotional code that is looked at. */
const PROMO_CODE_LENGTH_MAX = 64;

const CODE_FAULT = `code must be one string of 1 to ${PROMO_CODE_LENGTH_MAX} characters`;
const WALLET_FAULT = 'wallet must be an EVM address: 0x and 40 hexadecimal digits';

/** The body of POST /api/redeem. The wallet comes out in its one spelling (lower case). */
export const RedeemRequestSchema = z.strictObject({
  code: z
    .string({ error: CODE_FAULT })
    .trim()
    .min(1, { error: CODE_FAULT })
    .max(PROMO_CODE_LENGTH_MAX, { error: CODE_FAULT })
    .describe('Promotional code.'),
  wallet: z
    .string({ error: WALLET_FAULT })
    .trim()
    .regex(/^0x[0-9a-fA-F]{40}$/, { error: WALLET_FAULT })
    .transform((text) => parseWallet(text)!)
    .describe('EVM address, used as an identity only. No signature is needed and no funds move.'),
});

export type RedeemRequest = z.infer<typeof RedeemRequestSchema>;

const NONCE_FAULT = 'nonce must be 16 to 128 characters of A-Z, a-z, 0-9, "_" and "-"';
const ISSUED_FAULT = 'issued_at must be an RFC 3339 time in UTC, for example 2026-08-01T12:00:00Z';
const SIGNATURE_FAULT = 'signature must be 0x and 130 hexadecimal digits';

/** The body of POST /api/credits/token (docs/interface-paying.md, "A lost token"). */
export const TokenRequestSchema = z.strictObject({
  wallet: RedeemRequestSchema.shape.wallet.describe('Who bought the credits, and signs.'),
  nonce: z
    .string({ error: NONCE_FAULT })
    .regex(/^[A-Za-z0-9_-]{16,128}$/, { error: NONCE_FAULT })
    .describe('Chosen by the caller; good once.'),
  issued_at: z.iso
    .datetime({ error: ISSUED_FAULT })
    .max(30, { error: ISSUED_FAULT })
    .describe('When the message was signed: at most 10 minutes ago.'),
  signature: z
    .string({ error: SIGNATURE_FAULT })
    .regex(/^0x[0-9a-fA-F]{130}$/, { error: SIGNATURE_FAULT })
    .describe('Of the message, by EIP-191 (personal_sign), by the key of the wallet.'),
});

export type TokenRequestBody = z.infer<typeof TokenRequestSchema>;

const instant = z.iso.datetime();

/**
 * The answer of POST /api/redeem (docs/interface-paying.md, "Credit resources"). The token is shown
 * in full only here.
 */
export const RedeemResponseSchema = z.strictObject({
  ok: z.literal(true),
  token: z.string(),
  wallet: z.string(),
  credits_added: z.int().min(1),
  balance: z.int().min(0),
  expires: instant,
  note: z.string(),
});

export type RedeemResponse = z.infer<typeof RedeemResponseSchema>;

/** The answer of POST /api/credits (docs/interface-paying.md, "Credit resources"). */
export const PurchaseResponseSchema = RedeemResponseSchema.extend({ paid: PaidX402Schema });

export type PurchaseResponse = z.infer<typeof PurchaseResponseSchema>;

/** The answer of POST /api/credits/token: `expires` is when the first of the credits lapse. */
export const TokenResponseSchema = RedeemResponseSchema.omit({ credits_added: true });

export type TokenResponse = z.infer<typeof TokenResponseSchema>;

const count = z.int().min(0);

/**
 * The answer of GET /api/credits; `balance` and `expires` only with a valid token, `expires` only
 * if there are credits.
 */
export const CreditsResponseSchema = z.strictObject({
  ok: z.literal(true),
  balance: count.optional(),
  expires: instant.optional(),
  pack: z.strictObject({ usd: z.number(), credits: count, valid_days: count }),
  costs: z.strictObject({ preflight_trade: count, leaderboard: count, red_list: count, preflight_copy: count }),
});

export type CreditsResponse = z.infer<typeof CreditsResponseSchema>;

/** The part of the answer that everybody gets. */
export const PACK_TERMS: CreditsResponse = { ok: true, pack: CREDIT_PACK, costs: CREDIT_COSTS };
