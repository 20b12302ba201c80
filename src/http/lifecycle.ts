import type { Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { SILENT_WAIT_MS, STOP_WAIT_MS } from './limits.js';

export interface Lifecycle {
  /** From the first call of `stop` on. */
  readonly draining: () => boolean;
  /** Rejects where the port is taken or not allowed. */
  listen(port: number, host: string): Promise<AddressInfo>;
  /**
   * Stops listening, lets requests in flight finish and closes their connections; what takes longer than the limit is
   * cut. May be called again, and before `listen`.
   */
  stop(): Promise<void>;
}

/** Returns the start and the graceful stop of a server. Answers given while it drains must say `Connection: close`. */
export function createLifecycle(server: Server, stopWaitMs = STOP_WAIT_MS): Lifecycle {
  const sockets = new Set<Socket>();
  let stopped: Promise<void> | null = null;
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });

  function stop(): Promise<void> {
    const closed = new Promise<void>((resolve) => {
      // Closes idle connections too, and calls back (with an error that means nothing here) where none was open.
      server.close(() => resolve());
    });
    // Node takes a connection that has not said a word for a busy one; what it said may still be on its way to us.
    const silent = setTimeout(() => {
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    }, SILENT_WAIT_MS);
    const deadline = setTimeout(() => sockets.forEach((socket) => void socket.destroy()), stopWaitMs);
    return closed.finally(() => {
      clearTimeout(silent);
      clearTimeout(deadline);
    });
  }

  return {
    draining: () => stopped !== null,
    listen: (port, host) => listen(server, port, host),
    stop() {
      stopped ??= stop();
      return stopped;
    },
  };
}

function listen(server: Server, port: number, host: string): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve(server.address() as AddressInfo);
    });
  });
}
