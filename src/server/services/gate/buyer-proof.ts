import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { Problem } from '#domain/errors';
import type { PaymentKey, SignedPayment } from '#domain/payment/payment';
import { lruOptions } from '../lru-options.js';
import { isIdempotencyKey, KEY_FAULT } from './idempotency.js';

/** A shorter Idempotency-Key could be guessed, and is no secret. */
export const SECRET_KEY_LENGTH_MIN = 16;
/**
 * Wrong secrets that are compared for one payment within an hour. Beyond, none is: not the right
 * one either.
 */
export const WRONG_SECRETS_MAX = 10;
const WRONG_SECRETS_WINDOW_MS = 3_600_000;
/** Payments whose wrong secrets are counted; beyond, the one asked for longest ago is forgotten. */
const COUNTED_PAYMENTS_MAX = 10_000;

/** What a request carries that the chain does not show. */
export interface BuyerSecrets {
  /** What is kept with a payment that this request begins (SHA-256); null: it carries no secret. */
  readonly stored: string | null;
  /** Any of these proves the buyer to a repeat (SHA-256). */
  readonly given: readonly string[];
}

/**
 * Returns the secrets of a request: what it sends back of the terms, its payment-identifier, its
 * Idempotency-Key. What it claims to send back is kept only if it was issued here: anything else
 * might be a constant of its client.
 */
export function buyerSecrets(
  { purchaseSecret, paymentIdentifier }: SignedPayment,
  idempotencyKey: string | null,
  isOurs: (secret: string) => boolean,
): BuyerSecrets {
  const isLong = idempotencyKey !== null && idempotencyKey.length >= SECRET_KEY_LENGTH_MIN;
  const echo = purchaseSecret !== undefined && isOurs(purchaseSecret) ? purchaseSecret : null;
  const stored = echo ?? paymentIdentifier ?? (isLong ? idempotencyKey : null);
  const given = [purchaseSecret, paymentIdentifier, idempotencyKey].filter((one) => one !== undefined && one !== null);
  return { stored: stored === null ? null : hash(stored), given: given.map(hash) };
}

/**
 * Returns what is wrong with the key of a purchase: it has not the form of one, or would be its
 * only secret and is too short; null: nothing.
 */
export function purchaseKeyFault(idempotencyKey: string | null, payment: SignedPayment): Problem | null {
  if (idempotencyKey === null) return null;
  if (!isIdempotencyKey(idempotencyKey)) return new Problem('invalid_parameter', KEY_FAULT);
  const hasOther = payment.purchaseSecret !== undefined || payment.paymentIdentifier !== null;
  if (hasOther || idempotencyKey.length >= SECRET_KEY_LENGTH_MIN) return null;
  const text =
    `the Idempotency-Key of a purchase must be at least ${SECRET_KEY_LENGTH_MIN} characters that nobody can guess: ` +
    'a repeat that carries it is shown the token; nothing was charged';
  return new Problem('invalid_parameter', text);
}

/**
 * Returns whether a request proves to be the buyer's, by what it carries and what its payment was
 * made with (null: nothing). Compared a bounded number of times.
 */
export function buyerProofs(elapsedMs: () => number) {
  const wrong = new LRUCache<PaymentKey, number>({
    ...lruOptions(COUNTED_PAYMENTS_MAX),
    ttl: WRONG_SECRETS_WINDOW_MS,
    ttlResolution: 0,
    noUpdateTTL: true,
    perf: { now: elapsedMs },
  });
  return (key: PaymentKey, stored: string | null, { given }: BuyerSecrets): boolean => {
    if (stored === null || given.length === 0) return false;
    const count = wrong.get(key) ?? 0;
    if (count >= WRONG_SECRETS_MAX) return false;
    if (given.includes(stored)) return true;
    wrong.set(key, count + 1);
    return false;
  };
}

function hash(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
