import type { CallOptions } from '../answers.js';
import { DEADLINE_MS, Deadline } from '../http/deadline.js';
import { whyNeverSent } from '../http/never-sent.js';
import type { ClientContext } from '../purchase/context.js';
import { PreflightError, ServiceProblem } from '../terms/errors.js';

/**
 * Runs the work of one call: until it is done, the caller gives up, or the time is over. `lost`
 * says what to do if the request may have arrived and no answer came.
 */
export type Bounded = <T>(options: CallOptions, work: (deadline: Deadline) => Promise<T>, lost?: string) => Promise<T>;

const NOTHING_PAID = 'Nothing was paid; try again';

/**
 * Returns what bounds the calls of a client, which `signal` ends all at once. Whatever fails on the
 * way to the service rejects as a ServiceProblem `unreachable`; a call that its caller has ended,
 * with the caller's own reason.
 */
export function boundedBy({ system, baseUrl }: ClientContext, ofAll: AbortSignal | undefined): Bounded {
  return async ({ signal, deadlineMs = DEADLINE_MS }, work, lost = NOTHING_PAID) => {
    const signals = [signal, ofAll];
    const deadline = new Deadline(system, deadlineMs, signals);
    try {
      return await work(deadline);
    } catch (cause) {
      if (cause instanceof PreflightError) throw cause;
      for (const one of signals) if (one?.aborted) throw one.reason;
      const neverSent = whyNeverSent(cause, baseUrl);
      const message = neverSent ?? `no answer from ${baseUrl}: ${cause instanceof Error ? cause.message : cause}`;
      const next = neverSent === null ? lost : NOTHING_PAID;
      throw new ServiceProblem(message, { code: 'unreachable', status: 0, charged: 'nothing', next, cause });
    } finally {
      deadline.end();
    }
  };
}
