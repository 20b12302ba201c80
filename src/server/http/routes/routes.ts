import cors from 'cors';
import type { ErrorRequestHandler, Express, Request, RequestHandler } from 'express';
import { OutsideError, Problem } from '#domain/errors';
import type { DoorRequest } from '#doors/request';
import type { Answer, Handler, Route } from '#doors/route';
import type { Log } from '#ports/log';
import { failureOf } from '#services/gate/call';
import { ok, problemAnswer, type Send } from '../answers/answer.js';
import { CORS } from '../answers/headers.js';

/** Express's request objects are ours from birth (fast-express.ts). */
type ServedRequest = Request & DoorRequest;

/** The answer to a program that asks for a path which does not exist. */
export const nothingHere = (): Answer =>
  problemAnswer(new Problem('not_found', 'there is nothing at this path: every endpoint is listed in /llms.txt'));

/**
 * Puts the routes into the app, and `missing` for every other path. Whatever they leave open gets a
 * JSON answer: 404, 405 or 500.
 */
export function mountRoutes(
  app: Express,
  { routes, missing = nothingHere }: { readonly routes: readonly Route[]; readonly missing?: Handler },
  send: Send,
  log: Log,
): void {
  for (const route of routes) mountRoute(app, route, send);
  app.use(answerWith(send, missing));
  app.use(errorHandler(send, log));
}

function mountRoute(app: Express, { path, methods }: Route, send: Send): void {
  const { GET, POST, HEAD = GET } = methods;
  const allowed = [...(GET ? ['GET', 'HEAD'] : []), ...(POST ? ['POST'] : []), 'OPTIONS'];
  const refuse = answerWith(send, () => {
    const text = `this path accepts ${allowed.join(', ')}`;
    return problemAnswer(new Problem('method_not_allowed', text), ['Allow', allowed.join(', ')]);
  });
  const table = app.route(path);
  // Before GET, because Express would run the GET handler for a HEAD, and a paid one has to be left
  // alone.
  table.head(HEAD === undefined ? refuse : answerWith(send, HEAD));
  table.options(
    cors({ ...CORS, methods: allowed }),
    answerWith(send, () => ({ ...ok({ methods: allowed }), headers: ['Allow', allowed.join(', ')] })),
  );
  if (GET !== undefined) table.get(answerWith(send, GET));
  if (POST !== undefined) table.post(answerWith(send, POST));
  table.all(refuse);
}

/** Written out: of an async function Express would keep a promise, and wait for it with another. */
function answerWith(send: Send, handler: Handler): RequestHandler {
  return (req, res, next) => {
    const answer = (answered: Awaited<ReturnType<Handler>>) => {
      try {
        send(req as ServedRequest, res, answered);
      } catch (error) {
        next(error);
      }
    };
    // What it throws itself goes to Express as it is.
    const answered = handler(req as ServedRequest, res);
    if (answered instanceof Promise) answered.then(answer, next);
    else answer(answered);
  };
}

/**
 * A Problem is answered as it is, and what Express cannot read is the caller's to correct. Anything
 * else is a fault of ours: it is logged for operators, and the caller gets only the request id.
 */
function errorHandler(send: Send, log: Log): ErrorRequestHandler {
  return (thrown: unknown, req, res, _next) => {
    const { requestId } = req as ServedRequest;
    const error = isUnreadable(thrown) ? UNREADABLE : thrown;
    if (!(error instanceof Problem)) log.error({ requestId, err: error }, 'request failed');
    if (res.headersSent) return void res.destroy();
    send(req as ServedRequest, res, problemAnswer(failureOf(error, requestId)));
  };
}

const UNREADABLE = new Problem(
  'malformed_request',
  'the request cannot be read: what is escaped in its path must be UTF-8',
);

/** Whether the router says that the request is at fault, as of an escape that it cannot decode. */
function isUnreadable(error: unknown): boolean {
  // What failed outside of this process may have a status too: that one's.
  if (!(error instanceof Error) || error instanceof Problem || error instanceof OutsideError) return false;
  const { status } = error as { readonly status?: unknown };
  return typeof status === 'number' && status >= 400 && status < 500;
}
