import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Problem } from '#domain/errors';

/** A request as handlers see it. Its id and its start are set before anything else runs. */
export interface DoorRequest extends IncomingMessage {
  requestId: string;
  /** Elapsed time, not a date. */
  startedAtMs: number;
  readonly method: string;
  /** The address that sent it, behind the proxies that are trusted (Express). */
  readonly ip?: string | undefined;
  /** Raw parameters of the query, by name. */
  readonly query: Readonly<Record<string, unknown>>;
  /** Parts of the path that the route names. */
  readonly params?: Readonly<Record<string, string>>;
  /** What the reader of bodies parsed, also when it refused it. */
  readonly body?: unknown;
  /** The row of the route table that answers; absent until one is found. */
  readonly route?: { readonly path: string };
}

/**
 * Whether no answer can go out any more: the client has left, or has its refusal because what it
 * sent on was no HTTP.
 */
export function isGone(req: DoorRequest): boolean {
  return !req.socket.writable;
}

/** A JSON object, nothing at all, or a body that is refused whatever it may say. */
export type Body =
  | { readonly kind: 'object'; readonly value: Readonly<Record<string, unknown>> }
  | { readonly kind: 'absent' }
  | { readonly kind: 'refused'; readonly problem: Problem };

/** Reads the JSON body of a request within the limits of the HTTP door. Never rejects. */
export type ReadBody = (req: DoorRequest, res: ServerResponse) => Promise<Body>;

/**
 * Returns the network address that sent a request: the rightmost one of its way here that is no
 * trusted proxy. Express finds it; without trusted proxies it is the address of the connection,
 * whatever the request says of itself. It is asked only when a proxy said something.
 */
export function callerOf(req: Pick<DoorRequest, 'ip' | 'socket' | 'headers'>): string {
  const { socket, headers } = req;
  const address = headers['x-forwarded-for'] === undefined ? socket.remoteAddress : req.ip;
  return address ?? socket.remoteAddress ?? 'unknown';
}
