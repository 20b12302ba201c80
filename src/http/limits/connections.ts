import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import * as limits from './limits.js';
import { rateKey } from './rate-limit.js';

export interface ConnectionLimits {
  /** Open connections, and those of one address. */
  readonly max: number;
  readonly perAddressMax: number;
}

const LIMITS: ConnectionLimits = { max: limits.CONNECTIONS_MAX, perAddressMax: limits.CONNECTIONS_PER_ADDRESS_MAX };

/** Connections of one address, or all; `idle` in the order in which they fell idle. */
interface Group {
  open: number;
  readonly idle: Set<Socket>;
}

interface Connection {
  readonly groups: readonly Group[];
  /** Requests that are not answered yet. */
  atWork: number;
}

export interface Connections {
  /** Must be called with each request: its connection is not idle until it is answered. */
  begin(socket: Socket, res: ServerResponse): void;
}

/**
 * Keeps the connections of a server below their limits, by closing the one that has been idle for longest: who holds connections
 * open without a word shuts nobody out. One that is waiting for an answer is never closed; only when all are, a newcomer is.
 * Trusted proxies carry many callers and are counted in the whole alone. Near the limit idle connections are kept for less time.
 */
export function limitConnections(
  server: Server,
  isTrusted: (address: string) => boolean,
  { max, perAddressMax }: ConnectionLimits = LIMITS,
): Connections {
  const all: Group = { open: 0, idle: new Set() };
  const byAddress = new Map<string, Group>();
  const connections = new WeakMap<Socket, Connection>();

  function setKeepAlive(): void {
    const isCrowded = all.open > max * limits.CROWDED_SHARE;
    server.keepAliveTimeout = isCrowded ? limits.CROWDED_KEEP_ALIVE_MS : limits.KEEP_ALIVE_MS;
  }

  function open(socket: Socket): void {
    const address = socket.remoteAddress ?? '';
    const key = rateKey(address);
    const own = isTrusted(address) ? null : (byAddress.get(key) ?? { open: 0, idle: new Set() });
    if (own !== null) byAddress.set(key, own);
    const groups = own === null ? [all] : [all, own];
    connections.set(socket, { groups, atWork: 0 });
    for (const group of groups) {
      group.open++;
      group.idle.add(socket);
    }
    socket.once('close', () => {
      for (const group of groups) {
        group.open--;
        group.idle.delete(socket);
      }
      if (own?.open === 0) byAddress.delete(key);
      setKeepAlive();
    });
    if (own !== null && own.open > perAddressMax) closeIdlest(own);
    if (all.open > max) closeIdlest(all);
    setKeepAlive();
  }

  server.on('connection', open);

  return {
    begin(socket, res) {
      const connection = connections.get(socket);
      if (connection === undefined) return;
      connection.atWork++;
      for (const { idle } of connection.groups) idle.delete(socket);
      res.once('close', () => {
        connection.atWork--;
        if (connection.atWork > 0 || socket.destroyed) return;
        for (const { idle } of connection.groups) idle.add(socket);
      });
    },
  };
}

/** The newcomer is idle, too, and the last of them. */
function closeIdlest({ idle }: Group): void {
  const [idlest] = idle;
  idlest?.destroy();
}
