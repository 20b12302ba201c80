import type { DoorRequest } from './request.js';

/**
 * Returns the network address that sent a request: the rightmost one of its way here that is no trusted proxy. Express finds
 * it; without trusted proxies it is the address of the connection, whatever the request says of itself.
 */
export function callerOf({ ip, socket }: Pick<DoorRequest, 'ip' | 'socket'>): string {
  return ip ?? socket.remoteAddress ?? 'unknown';
}
