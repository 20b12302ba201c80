import type { Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Timers } from '#system/timers';
import { BACKLOG_MAX, SILENT_WAIT_MS, STOP_WAIT_MS } from './limits/limits.js';

export interface Lifecycle {
  /** From the first call of `stop` on. */
  readonly draining: () => boolean;
  /** Rejects if the port is taken or not allowed. */
  listen(port: number, host: string): Promise<AddressInfo>;
  /**
   * Stops listening, lets requests in flight finish and closes their connections; what takes longer
   * than the limit is cut. May be called again, and before `listen`.
   */
  stop(): Promise<void>;
}

/**
 * Returns the start and the graceful stop of a server. Answers given while it drains must say
 * `Connection: close`.
 */
export function createLifecycle(server: Server, timers: Timers): Lifecycle {
  const sockets = new Set<Socket>();
  let stopped: Promise<void> | null = null;
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });

  /** Cuts connections after a time; when the wait is aborted none is left to cut. */
  async function cutAfter(ms: number, isCut: (socket: Socket) => boolean, signal: AbortSignal): Promise<void> {
    await timers.sleep(ms, signal);
    // On a busy machine the time may be over before we have read what came in it.
    await new Promise(setImmediate);
    for (const socket of sockets) if (isCut(socket)) socket.destroy();
  }

  function stop(): Promise<void> {
    const over = new AbortController();
    const closed = new Promise<void>((resolve) => {
      // Closes idle connections too, and calls back (with an error that means nothing here) where
      // none was open.
      server.close(() => resolve());
    });
    // Node takes a connection that has not sent a byte for a busy one; what it sent may still be on
    // its way to us.
    void cutAfter(SILENT_WAIT_MS, (socket) => socket.bytesRead === 0, over.signal);
    void cutAfter(STOP_WAIT_MS, () => true, over.signal);
    return closed.finally(() => over.abort());
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
    server.listen({ port, host, backlog: BACKLOG_MAX }, () => {
      server.off('error', reject);
      resolve(server.address() as AddressInfo);
    });
  });
}
