import { GuardrailRefused } from '../terms/errors.js';
import { PurchaseDamaged } from './damaged-purchase.js';

/** Fails closed: without a record nothing is spent. */
export async function orUnavailable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    if (cause instanceof GuardrailRefused) throw cause;
    const found = cause instanceof Error ? cause.message : String(cause);
    const fault = { rule: 'ledger_unavailable', expected: 'a record on disk', found } as const;
    if (!(cause instanceof PurchaseDamaged)) throw new GuardrailRefused(fault, { cause });
    throw new GuardrailRefused(fault, { charged: 'unknown', next: cause.next, cause });
  }
}
