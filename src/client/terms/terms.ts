import { BASE_NETWORK, USDC_ON_BASE } from '#domain/payment/payment';
import type { Demand } from './demand.js';
import { type Limits, usdText } from './limits.js';
import { PACK, type PublishedTerms } from './published-terms.js';
import type { Fault } from './rules.js';

/** What is about to be bought. Stable. */
export interface Intent {
  /** Its name in the table of prices: a tool, or the credit pack. */
  readonly operation: string;
  /** Where it is asked for. */
  readonly url: string;
  /** True only in the call that buys the pack by name. */
  readonly packConsent?: boolean;
}

const BASE_NETWORK_V1 = 'base';
/** EIP-712 domain of USDC on Base: another one would sign something else. */
export const USDC_DOMAIN = { name: 'USD Coin', version: '2' } as const;
/** Decimal digits and nothing else: no sign, no point, no exponent. */
const UNITS = /^[0-9]{1,30}$/;
/** Ways of the scheme `exact` that this client signs; absent means the same. */
const METHODS: readonly unknown[] = [undefined, 'eip3009'];
const FLOWS: readonly unknown[] = [undefined, 'authorization'];

/**
 * Compares a demand with what /llms.txt of the same origin says, before anything is signed. Returns
 * the first rule that refuses it, or null. Pure.
 *
 * @example const fault = termsFault(published, { operation: 'preflight_trade', url }, demand,
 * DEFAULT_LIMITS);
 */
export function termsFault(published: PublishedTerms, intent: Intent, demand: Demand, limits: Limits): Fault | null {
  return (
    schemeFault(demand) ??
    networkFault(demand) ??
    assetFault(published, demand) ??
    payeeFault(published, demand) ??
    amountFault(published, intent, demand, limits) ??
    resourceFault(published, intent, demand) ??
    lifetimeFault(demand, limits)
  );
}

/** Whether two addresses are the same, in whatever spelling. */
export function sameAddress(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

function schemeFault({ scheme, extra }: Demand): Fault | null {
  const rule = 'scheme_unsupported';
  if (scheme !== 'exact') return { rule, expected: 'exact', found: scheme };
  if (!METHODS.includes(extra.assetTransferMethod)) {
    return { rule, expected: 'exact by eip3009', found: String(extra.assetTransferMethod) };
  }
  return FLOWS.includes(extra.paymentFlow)
    ? null
    : { rule, expected: 'payment after verification', found: String(extra.paymentFlow) };
}

function networkFault({ version, network }: Demand): Fault | null {
  const expected = version === 1 ? BASE_NETWORK_V1 : BASE_NETWORK;
  return network === expected ? null : { rule: 'network_mismatch', expected, found: network };
}

function assetFault(published: PublishedTerms, { asset, extra }: Demand): Fault | null {
  const rule = 'asset_mismatch';
  const expected = `USDC on Base, ${USDC_ON_BASE}`;
  if (!sameAddress(published.asset, USDC_ON_BASE)) return { rule, expected, found: published.asset };
  if (!sameAddress(asset, USDC_ON_BASE)) return { rule, expected, found: asset };
  const { name, version } = USDC_DOMAIN;
  const isUsdc = (extra.name ?? name) === name && (extra.version ?? version) === version;
  return isUsdc ? null : { rule, expected: `${name} ${version}`, found: `${extra.name} ${extra.version}` };
}

function payeeFault({ payTo: expected }: PublishedTerms, { payTo: found }: Demand): Fault | null {
  return sameAddress(expected, found) ? null : { rule: 'payee_mismatch', expected, found };
}

function amountFault({ prices }: PublishedTerms, intent: Intent, { amount }: Demand, limits: Limits): Fault | null {
  const price = prices.get(intent.operation);
  const pack = prices.get(PACK);
  const wanted = price === undefined ? 'nothing: it is free' : `${price} micro-USDC`;
  const mismatch: Fault = { rule: 'amount_not_published', expected: wanted, found: amount };
  if (!UNITS.test(amount)) return mismatch;
  const isPack = intent.operation === PACK || BigInt(amount) === pack;
  if (isPack && intent.packConsent !== true) {
    return { rule: 'pack_needs_consent', expected: 'the call that buys a credit pack', found: intent.operation };
  }
  if (price === undefined || BigInt(amount) !== price) return mismatch;
  if (intent.operation === PACK || price <= limits.perCallMicros) return null;
  return { rule: 'per_call_cap', expected: `at most ${usdText(limits.perCallMicros)}`, found: usdText(price) };
}

function resourceFault({ baseUrl }: PublishedTerms, { url }: Intent, { resourceUrl }: Demand): Fault | null {
  const [requestedUrl = ''] = url.split('?');
  const isRequested = resourceUrl === requestedUrl && requestedUrl.startsWith(`${baseUrl}/`);
  return isRequested ? null : { rule: 'resource_mismatch', expected: requestedUrl, found: resourceUrl ?? 'none' };
}

function lifetimeFault({ maxTimeoutSeconds }: Demand, { authorizationS }: Limits): Fault | null {
  if (maxTimeoutSeconds > 0 && maxTimeoutSeconds <= authorizationS) return null;
  return {
    rule: 'authorization_lifetime',
    expected: `above 0 and at most ${authorizationS} s`,
    found: `${maxTimeoutSeconds} s`,
  };
}
