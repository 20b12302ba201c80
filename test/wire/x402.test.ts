import { decodePaymentRequiredHeader } from '@x402/core/http';
import { PaymentRequiredV1Schema, PaymentRequiredV2Schema } from '@x402/core/schemas';
import { expect } from 'chai';
import { z } from 'zod';
import { OPERATIONS, paymentOffer } from '#api/operations';
import { PaymentRequirementV1Schema } from '#api/payment-required';
import {
  encodePaymentRequired,
  PAYMENT_REQUIRED_BYTES_MAX,
  type PaymentOffer,
  toPaymentRequired,
  toPaymentRequiredV1,
} from '#wire/x402';

const OFFER: PaymentOffer = {
  resourceUrl: 'https://preflight.example/api/preflight_trade',
  description: 'A verdict.',
  amountMicros: 20_000n,
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  payTo: '0x52908400098527886E0F7030069857D2E4169EE7',
};

/** The schema by which the reference v1 client parses every entry; it throws on the first that does not fit. */
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

describe('x402 terms', () => {
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
    const header = encodePaymentRequired(OFFER, 'payment required');
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
      expect(encodePaymentRequired(offer, 'x'.repeat(200)).length).to.be.below(PAYMENT_REQUIRED_BYTES_MAX);
      expect(offer.description).to.match(/^[\x20-\x7e]{1,500}$/);
      expect(offer.resourceUrl).to.match(/\/api\/[a-z_]+$/);
    }
  });
});
