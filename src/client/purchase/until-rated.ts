import { type Deadline, retryAfterOf } from '../http/deadline.js';
import { isUsable, lastSecondOf } from './authorization-end.js';
import type { ClientContext } from './context.js';
import type { PaidDelivery } from './send-until-known.js';

const QUEUED_STATUS = 202;
/** A pause is by chance up to so many times as long as it was told to be. */
const PAUSE_FACTOR_MAX = 1.25;

/** Polls while the answer is QUEUED and there is time: the last answer, whichever it is. */
export async function untilRated(
  deliver: () => Promise<PaidDelivery>,
  { system, onRetry }: Pick<ClientContext, 'system' | 'onRetry'>,
  deadline: Deadline,
): Promise<PaidDelivery> {
  for (let attempt = 1; ; attempt++) {
    const delivery = await deliver();
    if (!isQueued(delivery)) return delivery;
    const pauseS = pauseOf(delivery, system.clock.nowMs() / 1e3);
    if (!(await deadline.pause(attempt, pauseS, () => onRetry('the wallet is QUEUED; it is asked about again'))))
      return delivery;
  }
}

/** Nobody pays for an example: one that is QUEUED is no purchase. */
function isQueued({ kind, exchange }: PaidDelivery): boolean {
  return kind === 'queued' || exchange.status === QUEUED_STATUS;
}

/**
 * Retry-After; or, if the authorization would be over by then, the time until it may be replaced by
 * another.
 */
function pauseOf(delivery: PaidDelivery, nowS: number): number | null {
  const received = retryAfterOf(delivery.exchange.headers);
  if (delivery.kind === 'answered' || delivery.purchase.lane.kind === 'credits') return received;
  const { authorization } = delivery.purchase.lane;
  const isInTime = isUsable(authorization, nowS + (received ?? 0) * PAUSE_FACTOR_MAX);
  return isInTime ? received : Math.ceil(lastSecondOf(authorization) + 1 - nowS);
}
