import { Problem } from '#domain/errors';
import { callerOf } from '#doors/request';
import type { Route } from '#doors/route';
import type { Evaluations } from '#services/orders/evaluations';
import { ok } from '../answers/answer.js';
import { BOOK_BODY_BYTES_MAX } from '../limits/limits.js';
import { jsonBodyReader } from '../requests/body.js';

/** POST /api/evaluate: an order on a book that the caller brings. Free; nothing is stored or logged. */
export function evaluateRoute({ evaluations }: { readonly evaluations: Evaluations }): Route {
  const readBody = jsonBodyReader(BOOK_BODY_BYTES_MAX);
  return {
    path: '/api/evaluate',
    methods: {
      POST: async (req, res) => {
        await evaluations.admit(callerOf(req));
        if (Object.keys(req.query).length > 0) {
          throw new Problem('invalid_parameter', 'the order and its book go into the JSON body, not into the query');
        }
        const body = await readBody(req, res);
        if (body.kind === 'refused') throw body.problem;
        if (body.kind === 'absent') throw new Problem('invalid_parameter', 'send a JSON body with book, side and usd');
        return ok(evaluations.judge(body.value));
      },
    },
  };
}
