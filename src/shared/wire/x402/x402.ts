import { encodePaymentResponseHeader } from '@x402/core/http';
import type { PaymentRequired, PaymentRequirements } from '@x402/core/types';
import { BASE_NETWORK, PAYMENT_WINDOW_S, type SignedPayment } from '#domain/payment/payment';
import { type DiscoverableOperation, extensionsOf } from './x402-extensions.js';

/** What one paid operation costs and who is paid: both x402 forms are made of it. */
export interface PaymentOffer {
  /** Absolute URL of the endpoint, without a query. */
  readonly resourceUrl: string;
  /** Who sells, for catalogs; absent: that is not told. */
  readonly service?: ServiceFacts;
  /** What is bought; never a request for money. At most 500 characters. */
  readonly description: string;
  readonly amountMicros: bigint;
  /** USDC contract on Base. */
  readonly asset: string;
  readonly payTo: string;
  /**
   * Adds to the v2 terms how the operation is called, and that payment identifiers are understood.
   */
  readonly operation?: DiscoverableOperation;
}

/** `serviceName`, `tags` and `iconUrl` of a resource: 32 characters each, at most five tags. */
interface ServiceFacts {
  readonly name: string;
  readonly tags: readonly string[];
  readonly iconUrl: string;
}

/** How a payment ended, for its payer. */
export interface Receipt {
  readonly success: boolean;
  /** When `success` is false. */
  readonly errorReason?: string;
  readonly payer: string;
  /** Hash, or "" if nothing was sent. */
  readonly transaction: string;
  readonly network: typeof BASE_NETWORK | typeof BASE_NETWORK_V1;
  /** Micro-USDC, decimal; of version 2 alone. */
  readonly amount?: string;
}

/** The header with the v2 terms stays below this, because proxies cut headers off at 4 to 8 kB. */
export const PAYMENT_REQUIRED_BYTES_MAX = 4_000;

/**
 * EIP-712 domain of USDC on Base. A wallet that signs another name is refused by the facilitator.
 */
export const USDC_DOMAIN = { name: 'USD Coin', version: '2' } as const;

/** Stands in terms where a secret will: no other text of them has such characters. */
const SECRET_PLACEHOLDER = '\u{e000}';

/** Names of Base and of the only scheme that is accepted. */
export const BASE_NETWORK_V1 = 'base';
export const SCHEME = 'exact';
export const MEDIA_TYPE = 'application/json';

/** Returns the terms in v2 form. `error` says why payment is asked for. */
export function toPaymentRequired(offer: PaymentOffer, error: string, purchaseSecret?: string): PaymentRequired {
  const { resourceUrl: url, description, operation, service } = offer;
  const listing =
    service === undefined ? {} : { serviceName: service.name, tags: [...service.tags], iconUrl: service.iconUrl };
  const resource = { url, description, mimeType: MEDIA_TYPE, ...listing };
  const demand = { x402Version: 2, error, resource, accepts: [toPaymentRequirements(offer)] };
  return operation === undefined ? demand : { ...demand, extensions: extensionsOf(operation, purchaseSecret) };
}

/**
 * Returns the one entry of `accepts` in v2 form: exactly this amount of this token to this payee.
 */
export function toPaymentRequirements(
  offer: Pick<PaymentOffer, 'amountMicros' | 'asset' | 'payTo'>,
): PaymentRequirements {
  return {
    scheme: SCHEME,
    network: BASE_NETWORK,
    amount: String(offer.amountMicros),
    asset: offer.asset,
    payTo: offer.payTo,
    maxTimeoutSeconds: PAYMENT_WINDOW_S,
    extra: { ...USDC_DOMAIN },
  };
}

/**
 * Returns the maker of values of the header PAYMENT-REQUIRED: base64 of the v2 terms, which are the
 * same each time but for the secret in them.
 */
export function paymentRequiredHeaders(offer: PaymentOffer, error: string): (purchaseSecret: string) => string {
  const [head = '', tail] = JSON.stringify(toPaymentRequired(offer, error, SECRET_PLACEHOLDER)).split(
    SECRET_PLACEHOLDER,
  );
  // Terms that tell nothing of an operation have no extensions, and so no secret.
  return (purchaseSecret) =>
    Buffer.from(tail === undefined ? head : `${head}${purchaseSecret}${tail}`).toString('base64');
}

/**
 * Returns the v1 body. It has v1 entries only, since v1 clients throw on an entry of another form;
 * and no `outputSchema`, since they throw on the null that their own specification prints.
 */
export function toPaymentRequiredV1(offer: PaymentOffer, error: string) {
  const { resourceUrl: resource, description, amountMicros, asset, payTo } = offer;
  const entry = {
    scheme: SCHEME,
    network: BASE_NETWORK_V1,
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

/** A payment, of what its receipt shows. */
type Receipted = Pick<SignedPayment, 'version' | 'authorization'>;

/**
 * Returns the receipt for a payment, of its transaction or of why there is none, in the form of the
 * x402 version that it came in: in v1 the network has a name and there is no amount.
 */
export function receiptFor(
  { version, authorization }: Receipted,
  { transaction = '', errorReason }: { readonly transaction?: string; readonly errorReason?: string },
): Receipt {
  const reason = errorReason === undefined ? {} : { errorReason };
  const common = { success: errorReason === undefined, ...reason, payer: authorization.from, transaction };
  if (version === 1) return { ...common, network: BASE_NETWORK_V1 };
  return { ...common, network: BASE_NETWORK, amount: authorization.value };
}

/**
 * Returns the value of the header PAYMENT-RESPONSE (version 2) or X-PAYMENT-RESPONSE (version 1).
 */
export function encodeReceipt(receipt: Receipt): string {
  // The library's type knows v2 networks only; its encoder writes whatever it is given.
  return encodePaymentResponseHeader(receipt as Receipt & { readonly network: typeof BASE_NETWORK });
}
