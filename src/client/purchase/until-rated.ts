import { type Deadline, retryAfterOf } from '../http/deadline.js';
import type { ClientSystem } from '../system.js';
import type { PaidDelivery } from './send-until-known.js';

const QUEUED_STATUS = 202;
/** The service takes an authorization that has at least this long to go. */
const LEFT_S_MIN = 25;
/** After this long beyond its end an authorization is over, and another may be signed. */
const OVER_AFTER_S = 61;

/** Polls while the answer is QUEUED and there is time: the last answer, whichever it is. */
export async function untilRated(
  deliver: () => Promise<PaidDelivery>,
  system: ClientSystem,
  deadline: Deadline,
): Promise<PaidDelivery> {
  for (let attempt = 1; ; attempt++) {
    const delivery = await deliver();
    if (!isQueued(delivery)) return delivery;
    const pauseS = pauseOf(delivery, system.clock.nowMs() / 1e3);
    if (!(await deadline.pause(attempt, pauseS))) return delivery;
  }
}

/** Nobody pays for an example: one that is QUEUED is no purchase. */
function isQueued({ kind, exchange }: PaidDelivery): boolean {
  return kind === 'queued' || exchange.status === QUEUED_STATUS;
}

/** Retry-After; or, if the authorization would be over by then, the time until it may be replaced by another. */
function pauseOf(delivery: PaidDelivery, nowS: number): number | null {
  const told = retryAfterOf(delivery.exchange.headers);
  if (delivery.kind === 'answered' || delivery.purchase.lane.kind === 'credits') return told;
  const leftS = Number(delivery.purchase.lane.authorization.validBefore) - nowS;
  return leftS - (told ?? 0) * 1.25 >= LEFT_S_MIN ? told : Math.ceil(leftS + OVER_AFTER_S);
}
