import type { ErrorRequestHandler, RequestHandler } from 'express';

/** What is wrong with a request that no route answered. */
type Refusal = 'not found' | 'invalid';

/** How an interface of the venue words a refusal, as JSON: always its own, never a page of HTML. */
export type Wording = (refusal: Refusal) => object;

export const gammaWording: Wording = (refusal) =>
  refusal === 'not found'
    ? { type: 'not found error', error: 'path not found' }
    : { type: 'validation error', error: 'request is not valid' };

export const plainWording: Wording = (refusal) => ({
  error: refusal === 'not found' ? 'not found' : 'Invalid payload',
});

/** Refuses every path that no route has taken. */
export function refusePath(wording: Wording): RequestHandler {
  return (_, response) => void response.status(404).json(wording('not found'));
}

/** Refuses what could not be read: a body that is no JSON, an escape in the path that is no text. */
export function refuseUnread(wording: Wording): ErrorRequestHandler {
  return (error: { readonly status?: number }, _request, response, _next) => {
    const status = error.status ?? 500;
    response.status(status).json(status < 500 ? wording('invalid') : { error: 'internal server error' });
  };
}
