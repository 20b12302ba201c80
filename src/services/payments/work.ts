import type { PaymentRow } from '#domain/payment/payment-row';
import type { PaidWork } from './contract.js';

/** The credit pack in rows and prices. Every other operation is the name of a tool. */
export const CREDITS_OPERATION = 'credits';

/** Returns the name of what is bought. */
export function operationOf(work: PaidWork): string {
  return work.kind === 'pack' ? CREDITS_OPERATION : work.operation;
}

/**
 * Makes what the row keeps as its `answer`: the computed text, or the secret of a pack. Rejects as
 * `compute` does.
 */
export async function freeze(work: PaidWork): Promise<string> {
  return work.kind === 'pack' ? (work.secret ?? '') : work.compute();
}

/** Whether `freeze`, begun at once, would need nothing from outside of this process. */
export function isAtHand(work: PaidWork): boolean {
  return work.kind === 'pack' || work.isAtHand();
}

/**
 * Returns the secret that a credit pack was bought with; null: none, or another thing was bought.
 */
export function secretOf({ operation, answer }: Pick<PaymentRow, 'operation' | 'answer'>): string | null {
  return operation === CREDITS_OPERATION && answer !== '' ? answer : null;
}
