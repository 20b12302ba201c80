import { isAscii } from 'node:buffer';
import { PaymentPayloadV1Schema, PaymentPayloadV2Schema } from '@x402/core/schemas';
import { parseWallet, type WalletAddress } from '#domain/ids';
import { type Authorization, BASE_NETWORK, type PaymentPlace, type SignedPayment } from '#domain/payment/payment';
import { BASE_NETWORK_V1, SCHEME } from './x402.js';
import {
  type ExactPayload,
  PaymentIdentifierSchema,
  PurchaseSecretSchema,
  parseExactPayload,
} from './x402-authorization.js';

/**
 * A longer header is not looked at. A payment that echoes all of our terms takes about 5 kB, and
 * the longest signature 11 kB beside it.
 */
export const PAYMENT_HEADER_BYTES_MAX = 16_384;

/** Values of the two headers that can carry a payment: of either version in either. */
export interface PaymentHeaders {
  /** PAYMENT-SIGNATURE: where x402 v2 puts it. */
  readonly paymentSignature: string | undefined;
  /** X-PAYMENT: where x402 v1 puts it. */
  readonly xPayment: string | undefined;
}

export type PaymentReading =
  | { readonly kind: 'none' }
  | { readonly kind: 'payment'; readonly payment: SignedPayment }
  /**
   * It cannot be understood or is of a kind that is not accepted; the reason is for the caller and
   * repeats no value.
   */
  | { readonly kind: 'malformed'; readonly reason: string };

/**
 * Returns the payment in the headers of a request. Each value says its own version, whichever
 * header it is in. All spellings of one authorization (order of keys, white space, padding, upper
 * case) give the same payment key. If both headers are present they must carry the same
 * authorization, and v2 is taken; an empty one beside another is none. `v1Asset` is the token of v1
 * payments, which do not name theirs.
 */
export function readPayment(given: PaymentHeaders, v1Asset: WalletAddress): PaymentReading {
  const paymentSignature = unlessEmpty(given.paymentSignature, given.xPayment);
  const xPayment = unlessEmpty(given.xPayment, given.paymentSignature);
  const second = xPayment === undefined ? null : readText('X-PAYMENT', xPayment, 1, v1Asset);
  if (paymentSignature === undefined) return placed(second, 'X-PAYMENT', null);
  const first = readText('PAYMENT-SIGNATURE', paymentSignature, 2, v1Asset);
  return placed(first, 'PAYMENT-SIGNATURE', second === null ? null : { place: 'X-PAYMENT', reading: second });
}

function unlessEmpty(value: string | undefined, other: string | undefined): string | undefined {
  return value === '' && other ? undefined : value;
}

type GivenReading = Exclude<PaymentReading, { kind: 'none' }>;

/** Where each version has its header. */
const HEADER_OF = { 1: 'X-PAYMENT', 2: 'PAYMENT-SIGNATURE' } as const satisfies Record<1 | 2, PaymentPlace>;

/** Where the transport "MCP" of x402 has a payment, and where x402-mcp puts it. */
export const PAYMENT_META = 'x402/payment' satisfies PaymentPlace;
const DOTTED_META = 'x402.payment' satisfies PaymentPlace;

/** Returns the payment of what stood in one place or two, with the places that are not its own. */
function placed(
  reading: GivenReading | null,
  place: PaymentPlace,
  other: { readonly place: PaymentPlace; readonly reading: GivenReading } | null,
): PaymentReading {
  if (reading === null) return { kind: 'none' };
  if (reading.kind !== 'payment') return reading;
  if (other === null) return taken(reading.payment, [place]);
  if (other.reading.kind !== 'payment') return other.reading;
  const [a, b] = [reading.payment, other.reading.payment];
  if (!isSame(a.authorization, b.authorization)) {
    return malformed(`${place} and ${other.place} carry different authorizations: send one of them`);
  }
  return taken(a.version === 2 ? a : b, [place, other.place]);
}

function taken(payment: SignedPayment, places: readonly PaymentPlace[]): GivenReading {
  const own: readonly PaymentPlace[] = [HEADER_OF[payment.version], PAYMENT_META];
  const otherPlaces = places.filter((place) => !own.includes(place));
  return { kind: 'payment', payment: otherPlaces.length === 0 ? payment : { ...payment, otherPlaces } };
}

/**
 * Returns the payment in `_meta` of a message: of either version, as a JSON value or as a header
 * would have it, within the same limits.
 */
export function readPaymentMeta(
  meta: Readonly<Record<string, unknown>> | undefined,
  v1Asset: WalletAddress,
): PaymentReading {
  const read = (place: PaymentPlace) => readValue(`_meta["${place}"]`, meta?.[place], v1Asset);
  const [own, dotted] = [read(PAYMENT_META), read(DOTTED_META)];
  if (own === null) return placed(dotted, DOTTED_META, null);
  return placed(own, PAYMENT_META, dotted === null ? null : { place: DOTTED_META, reading: dotted });
}

function readValue(location: string, raw: unknown, v1Asset: WalletAddress): GivenReading | null {
  if (raw === undefined) return null;
  if (typeof raw === 'string') return readText(location, raw, 2, v1Asset);
  if (base64Length(JSON.stringify(raw)) > PAYMENT_HEADER_BYTES_MAX) return malformed(`${location}: ${TOO_LONG}`);
  return toReading(location, toPayment(raw, 2, v1Asset));
}

/** `version` is that of the place: it counts where a value does not say its own. */
function readText(location: string, value: string, version: 1 | 2, v1Asset: WalletAddress): GivenReading {
  const raw = decode(value);
  return toReading(location, raw.kind === 'decoded' ? toPayment(raw.value, version, v1Asset) : raw.fault);
}

function toPayment(raw: unknown, version: 1 | 2, v1Asset: WalletAddress): SignedPayment | string {
  const own = (raw as { readonly x402Version?: unknown } | null)?.x402Version;
  return (own === 1 || own === 2 ? own : version) === 1 ? toPaymentV1(raw, v1Asset) : toPaymentV2(raw);
}

function toReading(location: string, payment: SignedPayment | string): GivenReading {
  return typeof payment === 'string' ? malformed(`${location}: ${payment}`) : { kind: 'payment', payment };
}

/** How long a text is in a header. */
function base64Length(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 3) * 4;
}

const TOO_LONG = `is longer than ${PAYMENT_HEADER_BYTES_MAX} bytes`;

/**
 * Standard base64, padded or not. The library's decoder is not used, because it takes bytes that
 * are no UTF-8.
 */
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const utf8 = new TextDecoder('utf-8', { fatal: true });

function decode(value: string): { kind: 'decoded'; value: unknown } | { kind: 'fault'; fault: string } {
  if (value.length > PAYMENT_HEADER_BYTES_MAX) return fault(TOO_LONG);
  if (!BASE64.test(value)) return fault('is not base64 (the standard alphabet, one value)');
  try {
    const bytes = Buffer.from(value, 'base64');
    return { kind: 'decoded', value: JSON.parse(isAscii(bytes) ? bytes.toString('latin1') : utf8.decode(bytes)) };
  } catch {
    return fault('is not base64 of JSON');
  }
}

/** Returns a v2 payment, or in words what is wrong with it. */
function toPaymentV2(raw: unknown): SignedPayment | string {
  const parsed = PaymentPayloadV2Schema.safeParse(raw);
  if (!parsed.success) return `is not an x402 v2 payment (${describePath(parsed.error.issues)})`;
  const { accepted, payload, resource, extensions } = parsed.data;
  const asset = parseWallet(accepted.asset);
  if (asset === null) return 'accepted.asset must be an EVM address';
  const unsupported = whyUnsupported(accepted.scheme, accepted.network, BASE_NETWORK, accepted.extra ?? {});
  if (unsupported !== null) return unsupported;
  const exact = parseExactPayload(payload);
  if (typeof exact === 'string') return exact;
  if (!isPaidAsAccepted(accepted, exact.authorization)) {
    return 'invalid_payment_requirements: accepted.payTo and accepted.amount must be those of the authorization';
  }
  const identifier = PaymentIdentifierSchema.safeParse(extensions?.['payment-identifier'] ?? {});
  if (!identifier.success) return 'payment-identifier: info.id must be 16 to 128 letters, digits, "-" or "_"';
  const echo = PurchaseSecretSchema.safeParse(extensions?.['purchase-secret'] ?? {});
  if (!echo.success) return 'purchase-secret: send it back as the terms gave it';
  const paymentIdentifier = identifier.data.info?.id ?? null;
  const purchaseSecret = echo.data.info?.value;
  const named = { paymentIdentifier, ...(purchaseSecret === undefined ? {} : { purchaseSecret }) };
  return { version: 2, asset, ...exact, ...named, resourceUrl: resource?.url ?? null };
}

function toPaymentV1(raw: unknown, asset: WalletAddress): SignedPayment | string {
  const parsed = PaymentPayloadV1Schema.safeParse(raw);
  if (!parsed.success) return `is not an x402 v1 payment (${describePath(parsed.error.issues)})`;
  const { scheme, network, payload } = parsed.data;
  const exact = whyUnsupported(scheme, network, BASE_NETWORK_V1, {}) ?? parseExactPayload(payload);
  if (typeof exact === 'string') return exact;
  return { version: 1, asset, ...exact, paymentIdentifier: null, resourceUrl: null };
}

/**
 * Other schemes, networks and ways to transfer (permit2, escrow…) exist; they would need other
 * checks and other proofs.
 */
function whyUnsupported(
  scheme: string,
  network: string,
  expectedNetwork: string,
  extra: Readonly<Record<string, unknown>>,
): string | null {
  if (scheme !== SCHEME) return `unsupported_scheme: only "${SCHEME}" is accepted`;
  // Both names mean Base; the library's schema of version 2 takes one of them.
  if (network !== BASE_NETWORK && network !== BASE_NETWORK_V1) {
    return `invalid_network: only "${expectedNetwork}" is accepted`;
  }
  const { assetTransferMethod = 'eip3009', paymentFlow = 'authorization' } = extra;
  if (assetTransferMethod !== 'eip3009') return 'unsupported transfer method: only "eip3009" is accepted';
  return paymentFlow === 'authorization' ? null : 'unsupported payment flow: only "authorization" is accepted';
}

/** What was accepted and what was signed are two statements of one payment. */
function isPaidAsAccepted(
  accepted: { payTo: string; amount: string },
  { to, value }: ExactPayload['authorization'],
): boolean {
  return parseWallet(accepted.payTo) === to && /^[0-9]{1,78}$/.test(accepted.amount) && isEqual(accepted.amount, value);
}

function isSame(a: Authorization, b: Authorization): boolean {
  const sameText = a.from === b.from && a.to === b.to && a.nonce === b.nonce;
  return (
    sameText &&
    isEqual(a.value, b.value) &&
    isEqual(a.validAfter, b.validAfter) &&
    isEqual(a.validBefore, b.validBefore)
  );
}

/** Numbers, not texts: "020000" is 20000. */
function isEqual(a: string, b: string): boolean {
  return BigInt(a) === BigInt(b);
}

function describePath(issues: readonly { readonly path: readonly (string | number)[] }[]): string {
  const path = issues[0]?.path.join('.') ?? '';
  return path === '' ? 'no object' : `look at ${path}`;
}

function fault(text: string): { kind: 'fault'; fault: string } {
  return { kind: 'fault', fault: text };
}

function malformed(reason: string): Extract<PaymentReading, { kind: 'malformed' }> {
  return { kind: 'malformed', reason };
}
