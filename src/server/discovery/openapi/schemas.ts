import { z } from 'zod';
import type { CreateDocumentOptions } from 'zod-openapi';
import { ToolFlagsSchema } from '#api/arguments';
import {
  CreditsResponseSchema,
  PurchaseResponseSchema,
  RedeemRequestSchema,
  RedeemResponseSchema,
  TokenRequestSchema,
  TokenResponseSchema,
} from '#api/credits';
import { DEMO_EVENTS } from '#api/demo/demo-events';
import { DemoMarketsSchema } from '#api/demo/demo-markets';
import { describePlainly } from '#api/describe-plainly';
import { ErrorBodySchema } from '#api/errors';
import { EvaluateRequestSchema } from '#api/evaluate/evaluate-request';
import { HealthSchema } from '#api/health';
import { OPERATIONS } from '#api/operations';
import { OrderRequestSchema } from '#api/order-request';
import { PaidSchema } from '#api/paid';
import {
  PaymentReceiptSchema,
  PaymentReceiptV1Schema,
  PaymentRequiredBodySchema,
  PaymentTermsSchema,
} from '#api/payment-required';
import { ScoreboardSchema } from '#api/scoreboard';
import { StatusReportSchema } from '#api/status';
import { StatusHistorySchema } from '#api/status-history';
import { PoolSchema } from '#api/wallets/wallet-parts';
import { NoCoverageSchema, QueuedSchema } from '#api/wallets/wallet-profile';

/** A JSON-RPC message, as far as it is the business of HTTP. */
const RpcMessageSchema = z
  .looseObject({
    jsonrpc: z.literal('2.0'),
    // An id of MCP is an integer; a refusal of another number sends that number back.
    id: z
      .union([z.string(), z.number(), z.null()])
      .optional()
      .describe('Absent from a notification; null in an error that belongs to no single request.'),
    method: z.string().optional().describe('For example tools/call.'),
    params: z.looseObject({}).optional(),
    result: z.looseObject({}).optional(),
    error: z.looseObject({ code: z.int(), message: z.string() }).optional(),
  })
  .describe('One JSON-RPC 2.0 message of the Model Context Protocol.');

/** What is sent in bodies. They are named here, because the list below is for what is sent back. */
export const BODY_SCHEMAS = {
  OrderRequest: z.strictObject({ ...OrderRequestSchema.shape, ...ToolFlagsSchema.shape }).meta({ id: 'OrderRequest' }),
  RedeemRequest: RedeemRequestSchema.meta({ id: 'RedeemRequest' }),
  EvaluateRequest: EvaluateRequestSchema.meta({ id: 'EvaluateRequest' }),
  TokenRequest: TokenRequestSchema.meta({ id: 'TokenRequest' }),
  RpcMessage: RpcMessageSchema,
} as const;

/** Every named schema of an answer. */
export const SCHEMAS = {
  OrderVerdict: OPERATIONS.preflight_trade.response,
  Leaderboard: OPERATIONS.leaderboard.response,
  RedList: OPERATIONS.red_list.response,
  WalletProfile: OPERATIONS.preflight_copy.response,
  NoCoverage: NoCoverageSchema,
  Queued: QueuedSchema,
  Pool: PoolSchema,
  Paid: PaidSchema,
  CreditTerms: CreditsResponseSchema,
  Purchase: PurchaseResponseSchema,
  Redeemed: RedeemResponseSchema,
  Renewed: TokenResponseSchema,
  RpcMessage: RpcMessageSchema,
  Health: HealthSchema,
  Status: StatusReportSchema,
  StatusHistory: StatusHistorySchema,
  Scoreboard: ScoreboardSchema,
  DemoMarkets: DemoMarketsSchema,
  DemoBookEvent: DEMO_EVENTS.book,
  DemoStaleEvent: DEMO_EVENTS.stale,
  DemoClosedEvent: DEMO_EVENTS.closed,
  PaymentRequired: PaymentRequiredBodySchema,
  PaymentTerms: PaymentTermsSchema,
  PaymentReceipt: PaymentReceiptSchema,
  PaymentReceiptV1: PaymentReceiptV1Schema,
  Error: ErrorBodySchema,
} as const;

export type SchemaName = keyof typeof SCHEMAS;

/** Returns a reference to a named schema. */
export function refTo(name: SchemaName) {
  return { $ref: `#/components/schemas/${name}` } as const;
}

/**
 * What is long and of no use to a reader is left out: patterns behind formats, limits of every
 * integer, numbers as text.
 */
export const DOCUMENT_OPTIONS: CreateDocumentOptions = {
  override: ({ jsonSchema, zodSchema }) => {
    if (jsonSchema.format?.startsWith('date') === true) delete jsonSchema.pattern;
    if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    asOneType(jsonSchema);
    describePlainly({ jsonSchema, zodSchema });
  },
};

/**
 * A query has no types, so a number or a switch is also accepted as text there; the document shows
 * the one that is meant.
 */
function asOneType(schema: { anyOf?: readonly object[] }): void {
  const [meant, text] = (schema.anyOf ?? []) as { type?: unknown; const?: unknown }[];
  // A switch is a truth value, whatever other spellings of one are taken; null is none of them.
  if (meant?.type === 'boolean' && text?.type !== 'null') {
    delete schema.anyOf;
    return void Object.assign(schema, { type: 'boolean' });
  }
  if (schema.anyOf?.length !== 2 || meant?.type !== 'number' || text?.type !== 'string') return;
  delete schema.anyOf;
  const { const: only, ...rest } = meant;
  Object.assign(schema, only === undefined ? rest : { type: 'integer', enum: [only] });
}
