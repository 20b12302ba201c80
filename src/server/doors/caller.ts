import type { DoorRequest } from './request.js';

/**
 * Returns the network address that sent a request: the rightmost one of its way here that is no trusted proxy. Express finds
 * it; without trusted proxies it is the address of the connection, whatever the request says of itself. It is asked only when a
 * proxy said something.
 */
export function callerOf(req: Pick<DoorRequest, 'ip' | 'socket' | 'headers'>): string {
  const { socket, headers } = req;
  const address = headers['x-forwarded-for'] === undefined ? socket.remoteAddress : req.ip;
  return address ?? socket.remoteAddress ?? 'unknown';
}
