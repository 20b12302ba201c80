import type { Answer } from './exchange.js';

const TOKEN = /(tk_0x[0-9a-f]{40}_)[A-Za-z0-9_-]+/g;
const REQUEST_ID = /^[0-9a-f]{24}$/;

/**
 * Returns an answer without what differs from run to run: the date of the day, the request's id,
 * the secret of a token.
 */
export function normalise(answer: Answer): Answer {
  const id = answer.headers.find(([name, value]) => /^x-request-id$/i.test(name) && REQUEST_ID.test(value))?.[1];
  const clean = (text: string) =>
    (id === undefined ? text : text.replaceAll(id, '<request id>')).replace(TOKEN, '$1<secret>');
  const headers = answer.headers.map(
    ([name, value]) => [name, /^date$/i.test(name) ? '<date>' : clean(value)] as const,
  );
  return { status: answer.status, headers, body: clean(answer.body) };
}

/**
 * Returns the JSON value with every value in it replaced by the name of its type; lists keep their
 * first element.
 */
export function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (value === null || typeof value !== 'object') return value === null ? 'null' : typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shapeOf(inner)]));
}
