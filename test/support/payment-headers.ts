import { BASE_NETWORK } from '#domain/payment/payment';
import { USDC_DOMAIN } from '#wire/x402/x402';
import { type Account, DOMAIN, TRANSFER_TYPES } from './signed-payments.js';

/** The header that carries a payment. */
export interface PaymentHeader {
  readonly name: 'PAYMENT-SIGNATURE' | 'X-PAYMENT';
  readonly value: string;
}

/** A transfer authorization, as strings in the form in which payments carry it. */
export interface Transfer {
  readonly from: string;
  readonly to: string;
  readonly value: string;
  readonly validAfter: string;
  readonly validBefore: string;
  readonly nonce: string;
}

/** `payload` of a payment in either version. */
export interface SignedTransfer {
  readonly signature: string;
  readonly authorization: Transfer;
}

/** What was asked for: a payment of version 2 repeats it. */
export interface Demanded {
  readonly url: string;
  readonly amount: string;
  readonly asset: string;
  readonly payTo: string;
}

/**
 * Returns the transfer signed by the account, for itself unless `from` names another payer; by the
 * rules of USDC on Base.
 */
export async function signTransfer(
  account: Account,
  transfer: Omit<Transfer, 'from'> & { readonly from?: string },
  domain: Partial<typeof DOMAIN> | Record<string, unknown> = {},
): Promise<SignedTransfer> {
  const authorization = { from: account.address as string, ...transfer };
  const message = {
    ...authorization,
    from: authorization.from as `0x${string}`,
    to: authorization.to as `0x${string}`,
    value: BigInt(authorization.value),
    validAfter: BigInt(authorization.validAfter),
    validBefore: BigInt(authorization.validBefore),
    nonce: authorization.nonce as `0x${string}`,
  };
  const signature = await account.signTypedData({
    domain: { ...DOMAIN, ...domain },
    types: TRANSFER_TYPES,
    primaryType: 'TransferWithAuthorization',
    message,
  });
  return { signature, authorization };
}

/** Returns a payment of version 1. */
export function toPaymentV1(payload: SignedTransfer) {
  return { x402Version: 1, scheme: 'exact', network: 'base', payload };
}

/** Returns a payment of version 2, with what the terms said. */
export function toPaymentV2(payload: SignedTransfer, { url, amount, asset, payTo }: Demanded) {
  return {
    x402Version: 2,
    resource: { url, description: 'a verdict', mimeType: 'application/json' },
    accepted: {
      scheme: 'exact',
      network: BASE_NETWORK,
      amount,
      asset,
      payTo,
      maxTimeoutSeconds: 120,
      extra: { ...USDC_DOMAIN },
    },
    payload,
  };
}

/** Returns the value of a payment header: base64 of JSON. */
export function encodeHeader(payment: object): string {
  return Buffer.from(JSON.stringify(payment)).toString('base64');
}

export function decodeHeader(value: string): { readonly payload: SignedTransfer } & Record<string, unknown> {
  return JSON.parse(Buffer.from(value, 'base64').toString('utf8'));
}

/** Returns the headers of the same authorization in the two versions. */
export function bothVersions(payload: SignedTransfer, requested: Demanded): readonly [PaymentHeader, PaymentHeader] {
  return [
    { name: 'X-PAYMENT', value: encodeHeader(toPaymentV1(payload)) },
    { name: 'PAYMENT-SIGNATURE', value: encodeHeader(toPaymentV2(payload, requested)) },
  ];
}

/** Ways to write the same payment differently; they can be combined. */
const REWRITES: readonly ((payment: unknown) => unknown)[] = [(payment) => payment, reverseKeys, upperHex];
const SPACES: readonly (string | number)[] = ['', 2, '\t', '  \n'];

/** How many different spellings `respell` knows. */
export const SPELLINGS = 2 * REWRITES.length * REWRITES.length * SPACES.length;

/**
 * Returns the n-th spelling of a header value: order of keys, upper-case hexadecimal digits, white
 * space, padding.
 */
export function respell(value: string, n: number): string {
  const pick = <T>(from: readonly T[], at: number) => from[Math.floor(n / at) % from.length]!;
  const payment = pick(REWRITES, 1)(pick(REWRITES, REWRITES.length)(decodeHeader(value)));
  const text = JSON.stringify(payment, null, pick(SPACES, REWRITES.length ** 2));
  const base64 = Buffer.from(text).toString('base64');
  return pick([true, false], REWRITES.length ** 2 * SPACES.length) ? base64 : base64.replace(/=+$/, '');
}

function reverseKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reverseKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).reverse();
  return Object.fromEntries(entries.map(([key, inner]) => [key, reverseKeys(inner)]));
}

function upperHex(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(upperHex);
  if (typeof value === 'string') return /^0x[0-9a-f]+$/i.test(value) ? `0x${value.slice(2).toUpperCase()}` : value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, upperHex(inner)]));
}
