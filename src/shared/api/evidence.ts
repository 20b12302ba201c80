import { z } from 'zod';
import { finite, OrderNumbersSchema, OrderThresholdsSchema, VerdictSchema } from './order-numbers.js';

/**
 * What a verdict was computed from, signed (docs/interface.md, "Evidence"). The payload suffices to
 * compute the whole answer again; whoever changes a byte of either breaks the signature.
 */

const decimal = z.string().regex(/^\d+(\.\d+)?$/);
const level = z.tuple([decimal, decimal]).describe('Price in USD and size in shares.');
/** Parts that the evidence of ratings has as well. */
export const sha256 = z.string().regex(/^sha256:[0-9a-f]{64}$/);
/** `members`: what they are, by paths in the payload, as docs/interface.md has it under "Evidence". */
export const responseHashOf = (members: string) =>
  sha256.describe(
    `Over the RFC 8785 form of {endpoint, inputs, result, method, dataVintage} (x402 draft extension response-provenance): ${members}.`,
  );
export const jws = z
  .string()
  .regex(/^[\w-]+\.\.[\w-]+$/)
  .describe(
    'Detached compact JWS (RFC 7515, alg EdDSA) over the RFC 8785 form of payload; keys in /.well-known/jwks.json.',
  );
const text = z.string();

const RequestSchema = z
  .strictObject({
    slug: text.optional(),
    outcome: text.optional(),
    token_id: text.optional(),
    side: z.enum(['BUY', 'SELL']),
    usd: finite,
    max_slippage_c: finite,
    veto_slippage_c: finite,
    max_book_age_s: finite,
    evidence: z.literal(1),
  })
  .describe('The order request as it was understood, with its defaults.');

const MarketSchema = z.strictObject({
  slug: text,
  question: text,
  outcome: text,
  token_id: text,
  condition_id: text,
  fee: z.strictObject({ rate: finite, exponent: finite, category: text, known: z.boolean() }),
  min_order_shares: finite,
  matching_delay_s: finite,
  game_due_at: z.iso
    .datetime({ precision: 3 })
    .nullable()
    .optional()
    .describe('When its game was to be over at the latest; null if it is none. From v 2 on.'),
  status: z.strictObject({
    active: z.boolean(),
    closed: z.boolean(),
    accepting_orders: z.boolean(),
    order_book_enabled: z.boolean(),
    uma_resolution_status: text,
  }),
});

const BookSchema = z.strictObject({
  timestamp_ms: z.int().min(0).describe("The venue's clock when the book last changed; 0 if it has none."),
  confirmed_age_ms: z.int().min(0).describe('Time since the venue last confirmed this book.'),
  listed: z.boolean().describe('False if the venue has no book for this token.'),
  rechecked: z
    .boolean()
    .optional()
    .describe('Whether REST was asked about these levels and showed the same. From v 2 on.'),
  venue_hash: text
    .nullable()
    .describe(
      'The SHA-1 that the venue sent with this book, by the word of the issuer: it follows from the levels, so anyone can ' +
        'compute it. null if it sent none that these levels reproduce.',
    ),
  hash_fields: z
    .strictObject({
      min_order_size: text.nullable(),
      tick_size: text.nullable(),
      neg_risk: z.boolean().nullable(),
      last_trade_price: text.nullable(),
    })
    .describe('What the venue hash covers beside the levels, as the venue wrote it.'),
  bids: z.array(level).describe('Every bid, the best last.'),
  asks: z.array(level).describe('Every ask, the best last.'),
});

const EvidencePayloadSchema = z.strictObject({
  v: z.literal([1, 2]).describe('The rules that it was judged by: 2 now, 1 in answers of before.'),
  issuer: z.url().describe('Base address of the service that answered.'),
  engine: z.strictObject({
    version: text,
    source_sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .describe('SHA-256 over the source files that a verdict depends on.'),
  }),
  asked_at: z.iso.datetime({ precision: 3 }),
  request: RequestSchema,
  market: MarketSchema,
  book: BookSchema,
  result: z.strictObject({
    verdict: VerdictSchema,
    reason_codes: z.array(text).min(1).describe('One code per reason, in the same order.'),
    reasons: z.array(text).min(1),
    order: z.strictObject({ side: z.enum(['BUY', 'SELL']), usd: finite }),
    numbers: OrderNumbersSchema,
    thresholds: OrderThresholdsSchema,
  }),
  response_hash: responseHashOf(
    'issuer + /api/preflight_trade, whatever the door; request; result; meta.method of the answer; ' +
      'book.timestamp_ms as 2026-11-26T12:00:00.000Z',
  ),
});

export const EvidenceSchema = z
  .strictObject({
    payload: EvidencePayloadSchema,
    jws,
  })
  .describe('Only with evidence=1: what the verdict was computed from, signed.');

export type EvidencePayload = z.infer<typeof EvidencePayloadSchema>;
export type Evidence = z.infer<typeof EvidenceSchema>;
