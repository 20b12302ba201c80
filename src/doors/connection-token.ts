import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import { TokenReading } from '#services/credits/token-reading';
import { bearerOf } from './credentials.js';

interface Presented {
  readonly authorization: string;
  readonly token: TokenReading;
}

/** What came last over each connection: nearly always the next call over it presents the same. */
const presented = new WeakMap<Socket, Presented>();

/** Returns the bearer token of a request, understood once as long as no other one comes over its connection. */
export function tokenOver(socket: Socket, { authorization }: IncomingHttpHeaders): TokenReading | null {
  if (authorization === undefined) return null;
  const last = presented.get(socket);
  if (last !== undefined && areEqual(authorization, last.authorization)) return last.token;
  const token = new TokenReading(bearerOf(authorization));
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
