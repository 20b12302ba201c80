import { systemClock } from '#adapters/process/system-clock';
import { EVALUATE_LIMIT, LIMITED_ADDRESSES_MAX } from '#http/limits/limits';
import { createRateLimiter } from '#http/limits/rate-limit';
import { createEvaluations, type Evaluations } from '#services/orders/evaluations';

/** Returns evaluations with the limit of the service, counted from here on. */
export function newEvaluations(): Evaluations {
  const limiter = createRateLimiter(EVALUATE_LIMIT, LIMITED_ADDRESSES_MAX, systemClock);
  return createEvaluations({ clock: systemClock, limiter });
}
