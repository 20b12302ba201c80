import { callerOf } from '#doors/request';
import type { Route } from '#doors/route';
import type { Evaluations } from '#services/orders/evaluations';
import { ok } from '../answers/answer.js';
import { BOOK_BODY_BYTES_MAX } from '../limits/limits.js';
import { jsonBodyReader } from '../requests/body.js';
import { type PostedBody, readPostedJson } from '../requests/posted.js';

const FORM: PostedBody = {
  readBody: jsonBodyReader(BOOK_BODY_BYTES_MAX),
  ifInQuery: 'the order and its book go into the JSON body, not into the query',
  ifAbsent: 'send a JSON body with book, side and usd',
};

/** POST /api/evaluate: an order on a book that the caller brings. Free; nothing is stored or logged. */
export function evaluateRoute({ evaluations }: { readonly evaluations: Evaluations }): Route {
  return {
    path: '/api/evaluate',
    methods: {
      POST: async (req, res) => {
        await evaluations.admit(callerOf(req));
        return ok(evaluations.judge(await readPostedJson(req, res, FORM)));
      },
    },
  };
}
