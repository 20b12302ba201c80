import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import * as limits from './limits.js';
import { rateKey } from './rate-limit.js';

export interface ConnectionLimits {
  /** Open connections, and those of one address. */
  readonly max: number;
  readonly perAddressMax: number;
}

const LIMITS: ConnectionLimits = { max: limits.CONNECTIONS_MAX, perAddressMax: limits.CONNECTIONS_PER_ADDRESS_MAX };

/** The open connections of one address, or all of them. */
type Group = Set<Connection>;

interface Connection {
  readonly socket: Socket;
  /** Requests that are not answered yet. */
  atWork: number;
  /** A number that grows: who has the smallest has been idle for longest. */
  idleSince: number;
}

export interface Connections {
  /** Must be called with each request: its connection is not idle until `end` is called. */
  begin(socket: Socket): Connection | undefined;
  /** Must be called when the request is answered, or its client has left. */
  end(connection: Connection | undefined): void;
}

/**
 * Keeps the connections of a server below their limits, by closing the one that has been idle for longest: who holds connections
 * open without a word shuts nobody out. One that is waiting for an answer is never closed; only when all are, a newcomer is.
 * Trusted proxies carry many callers and are counted in the whole alone. Near the limit idle connections are kept for less time.
 * A request costs two numbers; the one to close is looked for when there is one too many.
 */
export function limitConnections(
  server: Server,
  isTrusted: (address: string) => boolean,
  { max, perAddressMax }: ConnectionLimits = LIMITS,
): Connections {
  const all: Group = new Set();
  const byAddress = new Map<string, Group>();
  const connections = new WeakMap<Socket, Connection>();
  let turn = 0;

  function setKeepAlive(): void {
    const isCrowded = all.size > max * limits.CROWDED_SHARE;
    server.keepAliveTimeout = isCrowded ? limits.CROWDED_KEEP_ALIVE_MS : limits.KEEP_ALIVE_MS;
  }

  function open(socket: Socket): void {
    const address = socket.remoteAddress ?? '';
    const key = rateKey(address);
    const own = isTrusted(address) ? null : (byAddress.get(key) ?? new Set());
    if (own !== null) byAddress.set(key, own);
    const connection: Connection = { socket, atWork: 0, idleSince: ++turn };
    connections.set(socket, connection);
    all.add(connection);
    own?.add(connection);
    socket.once('close', () => {
      all.delete(connection);
      own?.delete(connection);
      if (own?.size === 0) byAddress.delete(key);
      setKeepAlive();
    });
    if (own !== null && own.size > perAddressMax) closeIdlest(own);
    if (all.size > max) closeIdlest(all);
    setKeepAlive();
  }

  server.on('connection', open);

  return {
    begin(socket) {
      const connection = connections.get(socket);
      if (connection !== undefined) connection.atWork++;
      return connection;
    },
    end(connection) {
      if (connection !== undefined && --connection.atWork === 0) connection.idleSince = ++turn;
    },
  };
}

/** The newcomer is idle, too, and the last of them. One that is being closed already makes room by itself. */
function closeIdlest(group: Group): void {
  let idlest: Connection | null = null;
  for (const connection of group) {
    if (connection.atWork > 0 || connection.socket.destroyed) continue;
    if (idlest === null || connection.idleSince < idlest.idleSince) idlest = connection;
  }
  idlest?.socket.destroy();
}
