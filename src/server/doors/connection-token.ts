import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import { type PresentedToken, presentToken } from '#services/credits/token-secrets';
import { bearerOf } from './credentials.js';

interface Presented {
  readonly authorization: string;
  readonly token: PresentedToken;
}

/** The token that came last over each connection: nearly always the next call over it presents the same. */
const presented = new WeakMap<Socket, Presented>();

/**
 * Returns the bearer token of a request, taken apart and hashed once as long as no other one comes over its connection; a text
 * that is no token as it came, an empty one for credentials of another form, null for none.
 */
export function tokenOver(socket: Socket, { authorization }: IncomingHttpHeaders): PresentedToken | string | null {
  if (authorization === undefined) return null;
  const last = presented.get(socket);
  if (last !== undefined && areEqual(authorization, last.authorization)) return last.token;
  const text = bearerOf(authorization);
  const token = presentToken(text);
  // Nothing is kept that may be of any length.
  if (token === null) return text;
  presented.set(socket, { authorization, token });
  return token;
}

/** In a time that does not tell how much of them is equal: a connection of a proxy carries the tokens of many. */
function areEqual(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i);
  return difference === 0;
}
