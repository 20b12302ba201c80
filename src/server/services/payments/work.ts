import { hash } from 'node:crypto';
import type { SignedPayment } from '#domain/payment/payment';
import type { PaymentRow } from '#domain/payment/payment-row';
import { DAY_MS } from '#domain/time';
import type { PaidWork } from './contract.js';

/** The credit pack in rows and prices. Every other operation is the name of a tool. */
export const CREDITS_OPERATION = 'credits';

/**
 * How long the answer of a payment is repeated to its buyer, and a name of its purchase stands for
 * it (docs/interface-paying.md, "Repeats of a payment").
 */
export const REPEAT_TO_BUYER_MS = 7 * DAY_MS;

/** Returns the name of what is bought. */
export function operationOf(work: PaidWork): string {
  return work.kind === 'pack' ? CREDITS_OPERATION : work.operation;
}

/**
 * Makes what the row keeps as its `answer`: the computed text, or nothing for a pack, whose answer
 * is made when it is settled. Rejects as `compute` does.
 */
export async function freeze(work: PaidWork): Promise<string> {
  return work.kind === 'pack' ? '' : work.compute();
}

/** Whether `freeze`, begun at once, would need nothing from outside of this process. */
export function isCached(work: PaidWork): boolean {
  return work.kind === 'pack' || work.isCached();
}

/** Returns the secrets that a payment was made with, as its row keeps them; null: none. */
export function secretOf({
  operation,
  answer,
  buyerSecret,
}: Pick<PaymentRow, 'operation' | 'answer' | 'buyerSecret'>): string | null {
  // Earlier rows of packs keep it in the place of an answer.
  const early = operation === CREDITS_OPERATION && answer !== '' ? answer : null;
  return buyerSecret ?? early;
}

/**
 * Returns what a payment's row is bound to: the request and all that was signed, but not how. One
 * authorization has several spellings and may have several signatures.
 */
export function boundFingerprint(request: string, { authorization }: SignedPayment): string {
  const { from, to, nonce } = authorization;
  const numbers = [authorization.value, authorization.validAfter, authorization.validBefore].map(
    (text) => `${BigInt(text)}`,
  );
  return hash('sha256', JSON.stringify([request, from, to, nonce, ...numbers]), 'hex');
}
