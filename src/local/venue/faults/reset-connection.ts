import type { Socket } from 'node:net';

/**
 * Resets a connection, without a closing handshake. One that is being ended is destroyed instead:
 * a reset at that moment fails without a word in libuv, the connection stays open, and the process
 * turns in a circle when it is to end.
 */
export function resetConnection(socket: Socket): void {
  if (socket.writableEnded) socket.destroy();
  else socket.resetAndDestroy();
}
