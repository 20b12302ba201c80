import type { Server } from 'node:http';
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net';
import { OutsideError } from '#domain/errors';
import type { Timers } from '#system/timers';
import { BACKLOG_MAX, DRAIN_MS, LEAVE_MS, SILENT_WAIT_MS, STOP_WAIT_MS } from './limits/limits.js';

export interface Lifecycle {
  /** From the first call of `drain` or `stop` on. */
  readonly leaving: () => boolean;
  /** From then on when no more connections are taken. */
  readonly draining: () => boolean;
  /** Rejects if the port is taken or not allowed. */
  listen(port: number, host: string): Promise<AddressInfo>;
  /**
   * Goes on as before for a while, then takes no more connections and closes each with its next
   * answer, so that whoever has one loses no request: what cannot connect was never sent. Resolves
   * at once where nobody ever connected: whoever did may connect anew for each request.
   */
  drain(): Promise<void>;
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
  let isLeaving = false;
  let hadConnection = false;
  let closed: Promise<void> | null = null;
  let stopped: Promise<void> | null = null;
  server.on('connection', (socket) => {
    hadConnection = true;
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

  /** Takes no more connections. Resolves when the last one is closed. */
  function stopListening(): Promise<void> {
    // It is called back with an error that means nothing here where it was not listening. What HTTP
    // would add to this is that idle connections are closed, on which a request may be on its way.
    closed ??= new Promise((resolve) => NetServer.prototype.close.call(server, () => resolve()));
    return closed;
  }

  function stop(): Promise<void> {
    const over = new AbortController();
    const gone = stopListening();
    server.close(() => undefined);
    // Node takes a connection that has not sent a byte for a busy one; what it sent may still be on
    // its way to us.
    void cutAfter(SILENT_WAIT_MS, (socket) => socket.bytesRead === 0, over.signal);
    void cutAfter(STOP_WAIT_MS, () => true, over.signal);
    return gone.finally(() => over.abort());
  }

  return {
    leaving: () => isLeaving,
    draining: () => closed !== null,
    listen: (port, host) => listen(server, port, host),
    async drain() {
      isLeaving = true;
      if (hadConnection) await timers.sleep(LEAVE_MS);
      void stopListening();
      if (sockets.size > 0) await timers.sleep(DRAIN_MS);
    },
    stop() {
      isLeaving = true;
      stopped ??= stop();
      return stopped;
    },
  };
}

function listen(server: Server, port: number, host: string): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => reject(toSentence(error, port, host));
    server.once('error', fail);
    server.listen({ port, host, backlog: BACKLOG_MAX }, () => {
      server.off('error', fail);
      resolve(server.address() as AddressInfo);
    });
  });
}

/** What to do where a place cannot be listened at. */
const REMEDIES: Readonly<Record<string, string>> = {
  EADDRINUSE: 'something else listens there: end it, or set another PORT or METRICS_PORT',
  EADDRNOTAVAIL: 'this machine has no such address: set HOST or METRICS_HOST to one that it has',
  ENOTFOUND: 'no such host is known: set HOST or METRICS_HOST to an address of this machine',
  EACCES: 'this user may not listen there: set a PORT or METRICS_PORT of 1024 or more',
};

function toSentence(error: NodeJS.ErrnoException, port: number, host: string): Error {
  const remedy = REMEDIES[error.code ?? ''];
  if (remedy === undefined) return error;
  return new OutsideError(`${host}:${port}`, `cannot be listened at: ${remedy}`, { failure: 'final', cause: error });
}
