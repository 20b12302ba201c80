import type { OrderVerdict } from '#api/order-verdict';
import type { Answer } from '#client/answers';
import { asObject } from '#domain/json';
import { isAnotherOrder } from './order-words.js';

/** A verdict that was paid for; null if what came is none. */
export interface BoughtOrder {
  readonly body: OrderVerdict;
  /** Past its `valid_until` when it came, or a repeat: nobody may act upon it. */
  readonly isStale: boolean;
  /** About another order than the one that was asked for. */
  readonly isAnother: boolean;
}

/**
 * Returns the answer to a request with these parameters as it is drawn. A body with a part missing
 * is not drawn in part.
 */
export function boughtOrder(
  { body, stale }: Answer<unknown>,
  args: Readonly<Record<string, string>>,
): BoughtOrder | null {
  const received = asObject(body);
  const parts = [received?.market, received?.order, received?.numbers].map(asObject);
  const isWhole = typeof received?.verdict === 'string' && Array.isArray(received.reasons) && !parts.includes(null);
  if (!isWhole) return null;
  const verdict = received as unknown as OrderVerdict;
  return { body: verdict, isStale: stale, isAnother: isAnotherOrder(args, verdict) };
}
