import type { OrderVerdict } from '#api/order-verdict';
import type { Answer } from '#client/answers';
import { asObject } from '#domain/json';

/** A verdict that was paid for; null if what came is none. */
export interface BoughtOrder {
  readonly body: OrderVerdict;
  /** Past its `valid_until`, or a repeat: nobody may act upon it. */
  readonly isStale: boolean;
}

/** Returns an answer as it is drawn. A body with a part missing is not drawn in part. */
export function boughtOrder({ body, stale }: Answer<unknown>): BoughtOrder | null {
  const received = asObject(body);
  const parts = [received?.market, received?.order, received?.numbers].map(asObject);
  const isWhole = typeof received?.verdict === 'string' && Array.isArray(received.reasons) && !parts.includes(null);
  return isWhole ? { body: received as unknown as OrderVerdict, isStale: stale } : null;
}
