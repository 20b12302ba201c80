import { asObject } from '#domain/json';
import type { Authorization } from '#domain/payment/payment';
import type { OutgoingRequest, Purchase, X402Purchase } from '../state/purchase.js';
import { GuardrailRefused } from '../terms/errors.js';
import type { Limits } from '../terms/limits.js';
import type { PublishedTerms } from '../terms/published-terms.js';
import type { Fault } from '../terms/rules.js';
import { type Intent, sameAddress, termsFault } from '../terms/terms.js';
import { lastSecondOf } from './authorization-end.js';

/**
 * The gate in front of every signature and of everything that is sent with one. What is bought may
 * come from a file, which others than this program can have written, so it is held to the call that
 * is made and to what is published now, as if it were a stranger's.
 */

/** A purchase that is paid by an authorization, as far as its file says the truth. */
export type PaidPurchase = Purchase & { readonly lane: X402Purchase };

/** What a purchase has to be of. */
export interface Expected {
  readonly intent: Intent;
  readonly request: OutgoingRequest;
  /** Lower case. */
  readonly payer: string;
  readonly published: PublishedTerms;
  readonly limits: Limits;
  readonly nowS: number;
}

/** The last moment that a Date can name. */
const DATE_MS_MAX = 8.64e15;
const NONCE = /^0x[0-9a-f]{64}$/i;
const SECONDS = /^[0-9]{1,12}$/;

/**
 * Returns the rule that refuses to sign a purchase or to send it; null if none does. Pure, and
 * throws on nothing that was read from a file.
 */
export function purchaseFault(purchase: Purchase, expected: Expected): Fault | null {
  try {
    return requestFault(purchase, expected) ?? paymentFault(purchase.lane, expected);
  } catch {
    return mismatch('a purchase as this client writes it', 'one with parts missing');
  }
}

/**
 * Returns why a purchase is not of the request that is made: what is sent goes nowhere else, and
 * neither does a token.
 */
export function requestFault(
  { payer, request }: Purchase,
  expected: Pick<Expected, 'payer' | 'request'>,
): Fault | null {
  if (payer !== expected.payer) return mismatch(expected.payer, String(payer));
  const [wanted, found] = [textOf(expected.request), textOf(request)];
  return wanted === found ? null : mismatch(wanted, found);
}

function textOf(request: unknown): string {
  const { method, url, body, door } = (asObject(request) ?? {}) as Partial<OutgoingRequest>;
  return [method, url, ...(body ? [body] : []), ...(door === undefined ? [] : [`by ${door}`])].join(' ');
}

function paymentFault(lane: Purchase['lane'], expected: Expected): Fault | null {
  if (lane.kind !== 'x402') return mismatch('a payment', 'credits');
  const { intent, published, limits } = expected;
  return (
    termsFault(published, intent, lane.demand, limits) ??
    authorizationFault(lane, expected) ??
    lifetimeFault(lane.authorization, expected)
  );
}

/** The authorization pays the demand and nothing else. */
function authorizationFault({ demand, authorization }: X402Purchase, { payer }: Expected): Fault | null {
  const { from, to, value, validAfter, nonce } = authorization;
  if (!sameAddress(from, payer)) return mismatch(`a payment from ${payer}`, `one from ${from}`);
  if (!sameAddress(to, demand.payTo)) return mismatch(`a payment to ${demand.payTo}`, `one to ${to}`);
  if (value !== demand.amount) return mismatch(`a payment of ${demand.amount} micro-USDC`, `one of ${value}`);
  if (validAfter !== '0') return mismatch('a payment that is good at once', `one from ${validAfter} on`);
  return NONCE.test(nonce) ? null : mismatch('a nonce of 32 bytes', String(nonce));
}

function lifetimeFault({ validBefore }: Authorization, { limits, nowS }: Expected): Fault | null {
  const leftS = SECONDS.test(validBefore) ? Number(validBefore) - nowS : Number.POSITIVE_INFINITY;
  if (leftS <= limits.authorizationS) return null;
  const expected = `open for at most ${limits.authorizationS} s`;
  return { rule: 'authorization_lifetime', expected, found: `open for ${Math.ceil(leftS)} s` };
}

function mismatch(expected: string, found: string): Fault {
  return { rule: 'purchase_mismatch', expected, found };
}

/** Whether its account has signed it. */
export function isSigned({ lane }: PaidPurchase): boolean {
  return typeof lane?.signature === 'string';
}

/** What is signed leaves this process at once, unless it found nobody. */
export function mayHaveBeenSent(purchase: PaidPurchase): boolean {
  return isSigned(purchase) && purchase.unsent !== true;
}

/** Returns the error for a purchase that is not sent again, and may have been sent before. */
export function refusalOfSent({ id, lane }: PaidPurchase, fault: Fault): GuardrailRefused {
  const over = overText(lane.authorization);
  const next = `It was not sent again. If it was sent before, it may be charged until ${over}; after that the same call starts over`;
  return new GuardrailRefused(fault, { charged: 'unknown', next, purchaseId: id });
}

/** The moment after which an authorization is taken by no chain, in RFC 3339. */
export function overText(authorization: Authorization): string {
  const overMs = lastSecondOf(authorization) * 1e3;
  return overMs < DATE_MS_MAX ? new Date(overMs).toISOString() : 'its end';
}
