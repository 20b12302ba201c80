import { GuardrailRefused } from '../terms/errors.js';

/** Fails closed: without a record nothing is spent. */
export async function orUnavailable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    if (cause instanceof GuardrailRefused) throw cause;
    const found = cause instanceof Error ? cause.message : String(cause);
    throw new GuardrailRefused({ rule: 'ledger_unavailable', expected: 'a record on disk', found }, { cause });
  }
}
