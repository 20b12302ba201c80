import { isUsable, lastSecondOf } from '#client/purchase/authorization-end';
import type { Purchase } from '#client/state/purchase';
import { asObject } from '#domain/json';

const RETRY_S_MAX = 3_600;

/** When a queued wallet is asked about again, and whether by the same payment. */
export interface QueuePause {
  readonly askAtMs: number;
  /** False: the payment will be over by then, unused; another one has to be signed. */
  readonly withSame: boolean;
}

/**
 * Returns the pause after an answer; null if it is not QUEUED. `purchase`: what pays, if that is an
 * authorization.
 */
export function queuePause(body: unknown, purchase: Purchase | undefined, nowMs: number): QueuePause | null {
  const { verdict, retry_after_seconds: received } = asObject(body) ?? {};
  if (verdict !== 'QUEUED') return null;
  const retryS = typeof received === 'number' ? Math.min(RETRY_S_MAX, Math.max(1, received)) : 1;
  const askAtMs = nowMs + retryS * 1e3;
  if (purchase?.lane.kind !== 'x402') return { askAtMs, withSame: true };
  const { authorization } = purchase.lane;
  if (isUsable(authorization, askAtMs / 1e3)) return { askAtMs, withSame: true };
  return { askAtMs: (lastSecondOf(authorization) + 1) * 1e3, withSame: false };
}
