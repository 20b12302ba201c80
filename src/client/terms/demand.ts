import { asObject, type JsonObject, parseObject } from '#domain/json';
import { fromBase64 } from '../text.js';

/** More entries than any honest service offers. */
const ACCEPTS_MAX = 16;

/**
 * One way to pay that a 402 offers, whatever form it came in. Its texts are the server's,
 * unchecked. Stable.
 */
export interface Demand {
  /** The x402 version that is answered. */
  readonly version: 1 | 2;
  readonly scheme: string;
  readonly network: string;
  readonly asset: string;
  readonly payTo: string;
  /** As it came: micro-USDC, if it is honest. */
  readonly amount: string;
  /** null where the demand names no resource. */
  readonly resourceUrl: string | null;
  readonly maxTimeoutSeconds: number;
  /** As it came: name and version of the token's EIP-712 domain, and whatever else. */
  readonly extra: JsonObject;
  /** What a payment of version 2 sends back. */
  readonly echo: {
    readonly accepted: JsonObject;
    readonly resource: JsonObject | null;
    readonly extensions: JsonObject | null;
  };
}

/** A 402 as it came. */
export interface PaymentRequiredAnswer {
  /** The header PAYMENT-REQUIRED; null if there was none. */
  readonly header: string | null;
  readonly body: string;
}

/**
 * Returns what a 402 over HTTP offers: version 2 from its header, else version 1 from its body.
 * Empty: not readable.
 */
export function readDemands({ header, body }: PaymentRequiredAnswer): readonly Demand[] {
  if (header === null) return demandsOf(parseObject(body), 1);
  const text = fromBase64(header);
  return text === null ? [] : demandsOf(parseObject(text), 2);
}

function demandsOf(terms: JsonObject | null, version: 1 | 2): readonly Demand[] {
  if (terms === null || terms.x402Version !== version || !Array.isArray(terms.accepts)) return [];
  if (terms.accepts.length > ACCEPTS_MAX) return [];
  const demands = terms.accepts.map((entry) => demandOf(asObject(entry) ?? {}, terms, version));
  return demands.filter((demand) => demand !== null);
}

function demandOf(entry: JsonObject, terms: JsonObject, version: 1 | 2): Demand | null {
  const { scheme, network, asset, payTo, maxTimeoutSeconds } = entry;
  const amount = version === 1 ? entry.maxAmountRequired : entry.amount;
  const resource = asObject(terms.resource);
  const resourceUrl = version === 1 ? entry.resource : resource?.url;
  if (![scheme, network, asset, payTo, amount].every(isText) || typeof maxTimeoutSeconds !== 'number') return null;
  return {
    version,
    scheme: scheme as string,
    network: network as string,
    asset: asset as string,
    payTo: payTo as string,
    amount: amount as string,
    resourceUrl: isText(resourceUrl) ? resourceUrl : null,
    maxTimeoutSeconds,
    extra: asObject(entry.extra) ?? {},
    echo: { accepted: entry, resource, extensions: asObject(terms.extensions) },
  };
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
