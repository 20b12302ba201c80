import type { IncomingMessage } from 'node:http';

const BEARER = /^bearer +(\S+)$/i;

/** Returns the bearer token; an empty text for credentials of another form (never valid); null where there are none. */
export function readBearer({ headers }: IncomingMessage): string | null {
  if (headers.authorization === undefined) return null;
  return BEARER.exec(headers.authorization)?.[1] ?? '';
}
