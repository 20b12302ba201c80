import type { OrderVerdict } from '#api/order-verdict';

/** A verdict as the SDK returns one that has just come. */
export function fresh(body: OrderVerdict) {
  return { body, text: JSON.stringify(body), lane: 'credits', stale: false, cached: false } as const;
}
