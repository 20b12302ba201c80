import { type EvaluateRequest, parseEvaluation } from '#api/evaluate/evaluate-request';
import type { OrderVerdict } from '#api/order-verdict';
import { Problem } from '#domain/errors';
import { rateKey } from '#domain/rate-key';
import { callerOf } from '#doors/request';
import type { Route } from '#doors/route';
import type { Clock } from '#system/clock';
import { ok } from '../answers/answer.js';
import { BOOK_BODY_BYTES_MAX, EVALUATE_LIMIT, LIMITED_ADDRESSES_MAX } from '../limits/limits.js';
import { createRateLimiter } from '../limits/rate-limit.js';
import { jsonBodyReader } from '../requests/body.js';

export interface EvaluateRouteDeps {
  readonly clock: Clock;
  readonly evaluate: (request: EvaluateRequest, nowMs: number) => OrderVerdict;
}

/** POST /api/evaluate: an order on a book that the caller brings. Free; nothing is stored or logged. */
export function evaluateRoute({ clock, evaluate }: EvaluateRouteDeps): Route {
  const limiter = createRateLimiter(EVALUATE_LIMIT, LIMITED_ADDRESSES_MAX, clock);
  const readBody = jsonBodyReader(BOOK_BODY_BYTES_MAX);
  return {
    path: '/api/evaluate',
    methods: {
      POST: async (req, res) => {
        const retryAfterS = await limiter.take(rateKey(callerOf(req)));
        if (retryAfterS !== null) {
          throw new Problem('rate_limited', `too many evaluations: try again in ${retryAfterS} s`, { retryAfterS });
        }
        if (Object.keys(req.query).length > 0) {
          throw new Problem('invalid_parameter', 'the order and its book go into the JSON body, not into the query');
        }
        const body = await readBody(req, res);
        if (body.kind === 'refused') throw body.problem;
        if (body.kind === 'absent') throw new Problem('invalid_parameter', 'send a JSON body with book, side and usd');
        const parsed = parseEvaluation(body.value);
        if (parsed.kind === 'invalid') throw new Problem('invalid_parameter', parsed.message);
        return ok(evaluate(parsed.args, clock.nowMs()));
      },
    },
  };
}
