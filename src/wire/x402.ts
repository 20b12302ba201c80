import { encodePaymentRequiredHeader } from '@x402/core/http';
import type { PaymentRequired } from '@x402/core/types';

/** What one paid operation costs and who is paid: both x402 forms are made of it. */
export interface PaymentOffer {
  /** Absolute URL of the endpoint, without a query. */
  readonly resourceUrl: string;
  /** What is bought; never a request for money. At most 500 characters. */
  readonly description: string;
  readonly amountMicros: bigint;
  /** USDC contract on Base. */
  readonly asset: string;
  readonly payTo: string;
}

/** The header with the v2 terms stays below this, because proxies cut headers off at 4 to 8 kB. */
export const PAYMENT_REQUIRED_BYTES_MAX = 4_000;

/** How long a signed authorization may stay open: it bounds how long an outcome can be unknown. */
export const PAYMENT_WINDOW_S = 120;

/** EIP-712 domain of USDC on Base. A wallet that signs another name is refused by the facilitator. */
const USDC_DOMAIN = { name: 'USD Coin', version: '2' };

const SCHEME = 'exact';
const MEDIA_TYPE = 'application/json';

/** Returns the terms in v2 form. `error` says why payment is asked for. */
export function toPaymentRequired(offer: PaymentOffer, error: string): PaymentRequired {
  const { resourceUrl: url, description, amountMicros, asset, payTo } = offer;
  return {
    x402Version: 2,
    error,
    resource: { url, description, mimeType: MEDIA_TYPE },
    accepts: [
      {
        scheme: SCHEME,
        network: 'eip155:8453',
        amount: String(amountMicros),
        asset,
        payTo,
        maxTimeoutSeconds: PAYMENT_WINDOW_S,
        extra: { ...USDC_DOMAIN },
      },
    ],
  };
}

/** Returns the value of the header PAYMENT-REQUIRED: base64 of the v2 terms. */
export function encodePaymentRequired(offer: PaymentOffer, error: string): string {
  return encodePaymentRequiredHeader(toPaymentRequired(offer, error));
}

/**
 * Returns the v1 body. It has v1 entries only, since v1 clients throw on an entry of another form; and no `outputSchema`,
 * since they throw on the null that their own specification prints.
 */
export function toPaymentRequiredV1(offer: PaymentOffer, error: string) {
  const { resourceUrl: resource, description, amountMicros, asset, payTo } = offer;
  const entry = {
    scheme: SCHEME,
    network: 'base',
    maxAmountRequired: String(amountMicros),
    asset,
    payTo,
    resource,
    description,
    mimeType: MEDIA_TYPE,
    maxTimeoutSeconds: PAYMENT_WINDOW_S,
    extra: { ...USDC_DOMAIN },
  } as const;
  return { x402Version: 1, error, accepts: [entry] } as const;
}
