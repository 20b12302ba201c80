import { type EvaluateRequest, parseEvaluation } from '#api/evaluate/evaluate-request';
import type { OrderVerdict } from '#api/order-verdict';
import type { Route } from '#doors/route';
import type { Clock } from '#system/clock';
import { ok } from '../answers/answer.js';
import { BOOK_BODY_BYTES_MAX, EVALUATE_LIMIT, LIMITED_ADDRESSES_MAX } from '../limits/limits.js';
import { createRateLimiter, takePoint } from '../limits/rate-limit.js';
import { jsonBodyReader } from '../requests/body.js';
import { type PostedForm, readPosted } from '../requests/posted.js';

export interface EvaluateRouteDeps {
  readonly clock: Clock;
  readonly evaluate: (request: EvaluateRequest, nowMs: number) => OrderVerdict;
}

const FORM: PostedForm<EvaluateRequest> = {
  readBody: jsonBodyReader(BOOK_BODY_BYTES_MAX),
  parse: parseEvaluation,
  ifInQuery: 'the order and its book go into the JSON body, not into the query',
  ifAbsent: 'send a JSON body with book, side and usd',
};

/** POST /api/evaluate: an order on a book that the caller brings. Free; nothing is stored or logged. */
export function evaluateRoute({ clock, evaluate }: EvaluateRouteDeps): Route {
  const limiter = createRateLimiter(EVALUATE_LIMIT, LIMITED_ADDRESSES_MAX, clock);
  return {
    path: '/api/evaluate',
    methods: {
      POST: async (req, res) => {
        await takePoint(limiter, req, 'evaluations');
        return ok(evaluate(await readPosted(req, res, FORM), clock.nowMs()));
      },
    },
  };
}
