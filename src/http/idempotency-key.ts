import type { DoorRequest } from './answer.js';

/** Returns the Idempotency-Key of a request as it came, or null. */
export function idempotencyKey({ headers }: Pick<DoorRequest, 'headers'>): string | null {
  const key = headers['idempotency-key'];
  return typeof key === 'string' ? key : null;
}
