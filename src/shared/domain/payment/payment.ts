import type { WalletAddress } from '../ids.js';

/** Base mainnet, the only network that is accepted. */
export const BASE_CHAIN_ID = 8453;
/** The same as CAIP-2 writes it, as the terms of x402 do. */
export const BASE_NETWORK = 'eip155:8453';

/** USDC on Base, in the spelling with a checksum. */
export const USDC_ON_BASE = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';

/**
 * How long a signed authorization is to stay open (`maxTimeoutSeconds`): it bounds how long an
 * outcome can be unknown.
 */
export const PAYMENT_WINDOW_S = 120;

/**
 * An EIP-3009 transfer authorization as it was signed. Numbers stay the decimal strings that came:
 * they are part of what was signed. Addresses and the nonce are in lower case.
 */
export interface Authorization {
  readonly from: WalletAddress;
  readonly to: WalletAddress;
  /** Micro-USDC. */
  readonly value: string;
  /** Seconds since the epoch, by chain time. */
  readonly validAfter: string;
  readonly validBefore: string;
  /** 0x and 64 hexadecimal digits. */
  readonly nonce: string;
}

/** A payment as a caller sent it, in one form whatever the x402 version it came in. */
export interface SignedPayment {
  readonly version: 1 | 2;
  /** The token contract that the payment names, lower case. */
  readonly asset: WalletAddress;
  readonly authorization: Authorization;
  /** 0x and hexadecimal digits, as sent; of an ERC-6492 one, the signature inside. */
  readonly signature: string;
  /**
   * Whether it came with how its wallet would be deployed (ERC-6492). Never stored; absent: it did
   * not.
   */
  readonly isWrapped?: true;
  /** The v2 extension `payment-identifier`, where the client sent one. */
  readonly paymentIdentifier: string | null;
  /**
   * The v2 extension `purchase-secret` as the client echoed it from the terms: known to whoever
   * read that answer and to nobody who reads the chain. Never stored; absent in payments read from
   * a row.
   */
  readonly purchaseSecret?: string;
  /** `resource.url` as the client echoed it (v2), or null. */
  readonly resourceUrl: string | null;
  /**
   * Where it came beside the place of its version: the receipt is looked for there too. Never
   * stored; absent where it came in its own place alone.
   */
  readonly otherPlaces?: readonly PaymentPlace[];
}

/** A header, or a member of `_meta`, that clients put a payment into. */
export type PaymentPlace = 'PAYMENT-SIGNATURE' | 'X-PAYMENT' | 'x402/payment' | 'x402.payment';

/** What a payment has to be: exactly this amount of this token to this payee. */
export interface PaymentDemand {
  /** Absolute URL of what is paid for. */
  readonly resourceUrl: string;
  readonly description: string;
  readonly amountMicros: bigint;
  readonly asset: WalletAddress;
  readonly payTo: WalletAddress;
}

/**
 * Names one authorization for good: chain, token, payer and nonce. The token itself spends it at
 * most once.
 */
export type PaymentKey = string & { readonly __brand: 'PaymentKey' };

/**
 * Returns the key of a payment. It is made of decoded fields only, so that re-encoded copies are
 * the same payment.
 */
export function paymentKey({ asset, authorization }: Pick<SignedPayment, 'asset' | 'authorization'>): PaymentKey {
  return `${BASE_CHAIN_ID}:${asset}:${authorization.from}:${authorization.nonce}` as PaymentKey;
}

/**
 * Whether the resource that a client names is the one that is sold: the query is the client's, and
 * so is a slash at the end of the path.
 */
export function isSameResource(named: string, sold: string): boolean {
  return named === sold || placeOf(named) === placeOf(sold);
}

function placeOf(resourceUrl: string): string {
  if (!URL.canParse(resourceUrl)) return resourceUrl;
  const { origin, pathname } = new URL(resourceUrl);
  return origin + pathname.replace(/\/$/, '');
}

/**
 * Seconds that must be left of an authorization when it comes, so that a settlement and a retry
 * fit.
 */
const VALID_BEFORE_MARGIN_S = 20;
/** Clock difference of a client that signs as long as it was asked to. */
const CLOCK_SKEW_S = 60;
/** So much is waited for, until the chain's clock has come to `validAfter`. */
export const START_WAIT_S = 3;

/** Times of an authorization that do not do: clients look for these words of the scheme. */
const VALID_BEFORE = 'invalid_exact_evm_payload_authorization_valid_before';
const VALID_AFTER = 'invalid_exact_evm_payload_authorization_valid_after';

/**
 * Returns why a payment cannot pay a demand, in the terms of the x402 specification, or null if it
 * can. Of times it tells the difference to ours, since it is a clock that is wrong. No I/O.
 */
export function paymentFault(payment: SignedPayment, demand: PaymentDemand, nowS: number): string | null {
  const { authorization, asset } = payment;
  if (asset !== demand.asset) return 'invalid_payment_requirements: asset is not USDC on Base';
  if (authorization.to !== demand.payTo) return 'invalid_exact_evm_payload_recipient_mismatch';
  if (BigInt(authorization.value) !== demand.amountMicros)
    return 'invalid_exact_evm_payload_authorization_value_mismatch';
  const leftS = BigInt(authorization.validBefore) - BigInt(nowS);
  if (leftS < BigInt(VALID_BEFORE_MARGIN_S)) {
    return `${VALID_BEFORE}: ends ${away(leftS)} the server's time ${nowS}, and ${VALID_BEFORE_MARGIN_S} s must be left`;
  }
  const waitS = BigInt(authorization.validAfter) - BigInt(nowS);
  return waitS > BigInt(START_WAIT_S) ? notYetValid(waitS, `the server's time ${nowS}`) : null;
}

/** Returns the refusal of a payment that begins so many seconds after a time. */
export function notYetValid(waitS: bigint, time: string): string {
  return `${VALID_AFTER}: begins ${away(waitS)} ${time}`;
}

function away(seconds: bigint): string {
  return seconds < 0n ? `${-seconds} s before` : `${seconds} s after`;
}

/** Whether an authorization stays open for longer than clients are asked to let it. */
export function isLongLived({ validBefore }: Pick<Authorization, 'validBefore'>, nowS: number): boolean {
  return BigInt(validBefore) > BigInt(nowS + PAYMENT_WINDOW_S + CLOCK_SKEW_S);
}
