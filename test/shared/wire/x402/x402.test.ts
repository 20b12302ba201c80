import { decodePaymentRequiredHeader, decodePaymentResponseHeader } from '@x402/core/http';
import { PaymentRequiredV1Schema, PaymentRequiredV2Schema } from '@x402/core/schemas';
import { expect } from 'chai';
import { z } from 'zod';
import { OPERATIONS, paymentOffer } from '#api/operations';
import { OrderRequestSchema } from '#api/order-request';
import { PaymentRequirementV1Schema } from '#api/payment-required';
import { inputSchemaOf } from '#api/tools/input-schema';
import type { WalletAddress } from '#domain/ids';
import type { Authorization } from '#domain/payment/payment';
import {
  encodeReceipt,
  PAYMENT_REQUIRED_BYTES_MAX,
  type PaymentOffer,
  paymentRequiredHeaders,
  receiptFor,
  toPaymentRequired,
  toPaymentRequiredV1,
} from '#wire/x402/x402';
import {
  bazaarOf,
  type DiscoverableOperation,
  extensionsOf,
  mcpBazaarOf,
  operationAt,
} from '#wire/x402/x402-extensions';

const OFFER: PaymentOffer = {
  resourceUrl: 'https://preflight.example/api/preflight_trade',
  description: 'A verdict.',
  amountMicros: 20_000n,
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  payTo: '0x52908400098527886E0F7030069857D2E4169EE7',
};

/**
 * The schema by which the reference v1 client parses every entry; it throws on the first that does
 * not fit.
 */
const ClientEntryV1 = z.object({
  scheme: z.literal('exact'),
  network: z.enum(['base', 'base-sepolia', 'avalanche', 'avalanche-fuji', 'polygon', 'polygon-amoy', 'sei', 'iotex']),
  maxAmountRequired: z.string().regex(/^\d+$/),
  resource: z.url(),
  description: z.string(),
  mimeType: z.string(),
  outputSchema: z.record(z.string(), z.any()).optional(),
  payTo: z.string().regex(/^0x[0-9a-fA-F]{40}$/),
  maxTimeoutSeconds: z.int(),
  asset: z.string().regex(/^0x[0-9a-fA-F]{40}$/),
  extra: z.record(z.string(), z.any()).optional(),
});

/** As long as ours are. */
const SECRET = 's'.repeat(43);

const DISCOVERABLE: readonly DiscoverableOperation[] = [
  'preflight_trade',
  'leaderboard',
  'red_list',
  'preflight_copy',
  'credits',
];

describe('x402 terms', () => {
  it('carry in the header the secret that they were made with, and are otherwise the same each time', () => {
    for (const operation of DISCOVERABLE) {
      const offer = { ...OFFER, operation };
      const headers = paymentRequiredHeaders(offer, 'pay');
      for (const secret of [SECRET, `${SECRET.slice(1)}_`]) {
        expect(decodePaymentRequiredHeader(headers(secret))).to.deep.equal(toPaymentRequired(offer, 'pay', secret));
      }
    }
  });

  it('are in v2 form what the reference library reads, from the header too', () => {
    const demand = toPaymentRequired(OFFER, 'payment required');
    expect(PaymentRequiredV2Schema.parse(demand)).to.deep.equal(demand);
    expect(demand.accepts).to.deep.equal([
      {
        scheme: 'exact',
        network: 'eip155:8453',
        amount: '20000',
        asset: OFFER.asset,
        payTo: OFFER.payTo,
        maxTimeoutSeconds: 120,
        extra: { name: 'USD Coin', version: '2' },
      },
    ]);
    const header = paymentRequiredHeaders(OFFER, 'payment required')(SECRET);
    expect(header).to.match(/^[A-Za-z0-9+/]+={0,2}$/);
    expect(decodePaymentRequiredHeader(header)).to.deep.equal(demand);
  });

  it('are in v1 form what the reference library and the v1 client read', () => {
    const demand = toPaymentRequiredV1(OFFER, 'payment required');
    expect(PaymentRequiredV1Schema.safeParse(demand).error).to.equal(undefined);
    expect(demand.x402Version).to.equal(1);
    for (const entry of demand.accepts) {
      expect(ClientEntryV1.safeParse(entry).error).to.equal(undefined);
      expect(PaymentRequirementV1Schema.parse(entry)).to.deep.equal(entry);
      expect(entry).to.include({ network: 'base', maxAmountRequired: '20000' }).and.not.have.property('outputSchema');
    }
  });

  it('stay small enough for every proxy, and their descriptions within what facilitators list', () => {
    for (const tool of Object.keys(OPERATIONS) as (keyof typeof OPERATIONS)[]) {
      const offer = paymentOffer(tool, {
        baseUrl: `https://${'long.'.repeat(40)}example`,
        payeeAddress: OFFER.payTo,
        usdcAddress: OFFER.asset,
      });
      for (const one of [offer, ...DISCOVERABLE.map((operation) => ({ ...offer, operation }))]) {
        expect(paymentRequiredHeaders(one, 'x'.repeat(200))(SECRET).length).to.be.below(PAYMENT_REQUIRED_BYTES_MAX);
      }
      expect(offer.description).to.match(/^[\x20-\x7e]{1,500}$/);
      expect(offer.resourceUrl).to.match(/\/api\/[a-z_]+$/);
    }
  });
});

/** As a facilitator checks: what came as JSON with a schema that came as JSON. */
const toCheck = (schema: object) => z.fromJSONSchema(JSON.parse(JSON.stringify(schema)));

describe('x402 extensions', () => {
  it('are in the terms of an operation, in the form that the reference library reads, and in no others', () => {
    for (const operation of DISCOVERABLE) {
      const demand = toPaymentRequired({ ...OFFER, operation }, 'payment required');
      expect(PaymentRequiredV2Schema.parse(demand)).to.deep.equal(demand);
      expect(demand.extensions).to.have.all.keys('bazaar', 'payment-identifier');
    }
    expect(toPaymentRequired(OFFER, 'payment required')).to.not.have.property('extensions');
  });

  it('describe calls by schemas that their own examples fit, and nothing undeclared does', () => {
    for (const operation of DISCOVERABLE) {
      const { info, schema } = bazaarOf(operation);
      const check = toCheck(schema);
      expect(check.safeParse(info).error, operation).to.equal(undefined);
      const { input } = info;
      const parameters = 'queryParams' in input ? 'queryParams' : 'body';
      expect(check.safeParse({ input: { ...input, [parameters]: { undeclared: 1 } } }).success).to.equal(false);
      expect(check.safeParse({ input: { ...input, undeclared: 1 } }).success).to.equal(false);
      expect(check.safeParse({ input: { ...input, type: 'mcp' } }).success).to.equal(false);
      expect(JSON.stringify(schema)).to.not.contain('$ref');
    }
  });

  it('describe tools as they are called by MCP, by schemas that their own examples fit', () => {
    for (const tool of ['preflight_trade', 'preflight_copy', 'leaderboard', 'red_list'] as const) {
      const { info, schema } = mcpBazaarOf(tool);
      const check = toCheck(schema);
      expect(check.safeParse(info).error, tool).to.equal(undefined);
      expect(info.input).to.include({ type: 'mcp', toolName: tool });
      expect(toCheck(info.input.inputSchema).safeParse({ ...info.input.example, sandbox: true }).error).to.equal(
        undefined,
      );
      expect(check.safeParse({ input: { ...info.input, type: 'http' } }).success).to.equal(false);
      expect(Object.keys(inputSchemaOf(tool).properties!)).to.include.members(
        Object.keys(info.input.inputSchema.properties),
      );
    }
  });

  it('describe the order as it is read: same names, and an example that is understood', () => {
    const { info, schema } = bazaarOf('preflight_trade');
    const { queryParams } = info.input as { queryParams: Record<string, unknown> };
    expect(OPERATIONS.preflight_trade.parse(queryParams).kind).to.equal('parsed');
    const declared = JSON.parse(JSON.stringify(schema)).properties.input.properties.queryParams.properties;
    const read = Object.keys(OrderRequestSchema.shape);
    expect(Object.keys(declared)).to.have.members([...read, 'sandbox']);
    expect(
      toCheck(schema).safeParse({ input: { ...info.input, queryParams: { slug: 'x', plan: 1 } } }).success,
    ).to.equal(true);
    for (const name of Object.keys(declared).filter((name) => name !== 'sandbox')) {
      const parsed = OPERATIONS.preflight_trade.parse({ [name]: Symbol.iterator });
      expect(parsed.kind === 'invalid' && parsed.message, name).to.not.contain('unknown parameter');
    }
  });

  it('take payment identifiers of the specified form only', () => {
    const { schema } = extensionsOf('credits')['payment-identifier'] as { schema: object };
    const check = toCheck(schema);
    expect(check.safeParse({ required: false }).success).to.equal(true);
    expect(check.safeParse({ required: false, id: 'pay_7d5d747be160e280' }).success).to.equal(true);
    for (const id of ['short', 'x'.repeat(129), 'with space in it 1']) {
      expect(check.safeParse({ required: false, id }).success, id).to.equal(false);
    }
  });

  it('are found by the URL of what is paid for', () => {
    expect(operationAt('https://preflight.example/api/preflight_trade')).to.equal('preflight_trade');
    for (const other of ['https://preflight.example/', 'https://preflight.example/api/toString', 'x', '']) {
      expect(operationAt(other)).to.equal(null);
    }
  });
});

describe('x402 receipts', () => {
  const payer = '0x52908400098527886e0f7030069857d2e4169ee7' as WalletAddress;
  const transaction = `0x${'ab'.repeat(32)}`;
  const authorization = { from: payer, value: '20000' } as Authorization;
  /** The receipt as the reference library reads it. */
  const receiptOf = (version: 1 | 2, facts: Parameters<typeof receiptFor>[1]) =>
    decodePaymentResponseHeader(encodeReceipt(receiptFor({ version, authorization }, facts)));

  it('say in v2 what was paid where, and are read by the reference library', () => {
    const settled = { success: true, transaction, payer, network: 'eip155:8453', amount: '20000' };
    expect(receiptOf(2, { transaction })).to.deep.equal(settled);
  });

  it('name the network in v1 and leave the amount out', () => {
    expect(receiptOf(1, { transaction })).to.deep.equal({ success: true, transaction, payer, network: 'base' });
  });

  it('say why where nothing was paid', () => {
    const errorReason = 'settlement_pending';
    const failed = { success: false, errorReason, transaction: '', payer };
    expect(receiptOf(2, { errorReason })).to.deep.equal({ ...failed, network: 'eip155:8453', amount: '20000' });
    expect(receiptOf(1, { errorReason })).to.deep.equal({ ...failed, network: 'base' });
  });
});
