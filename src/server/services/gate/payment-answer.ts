import { hash } from 'node:crypto';
import { paymentKey, type SignedPayment } from '#domain/payment/payment';
import type { AnswerKey } from '#ports/store';
import { spellingOf } from '../payments/in-work.js';
import { boundFingerprint } from '../payments/work.js';

/** In lower case, which no promo code is. */
const SCOPE = 'payment';

/**
 * Returns what names the answer to a request that a payment came with, where credits paid for it. It
 * is found with the payment alone, whatever token comes with a repeat. It is made of all that the
 * payment brought: one that somebody made up, or read on the chain, names nothing but itself.
 */
export function paymentAnswerKey(payment: SignedPayment, request: string): AnswerKey {
  const { authorization, paymentIdentifier, purchaseSecret = null } = payment;
  const spelling = spellingOf(paymentKey(payment), payment, boundFingerprint(request, payment));
  const key = hash('sha256', JSON.stringify([spelling, paymentIdentifier, purchaseSecret]), 'hex');
  return { wallet: authorization.from, code: SCOPE, key };
}
