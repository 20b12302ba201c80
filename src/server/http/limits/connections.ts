import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { rateKey } from '#domain/rate-key';
import * as limits from './limits.js';

export interface ConnectionLimits {
  /** Open connections, and those of one address. */
  readonly max: number;
  readonly perAddressMax: number;
}

const LIMITS: ConnectionLimits = { max: limits.CONNECTIONS_MAX, perAddressMax: limits.CONNECTIONS_PER_ADDRESS_MAX };

/** The open connections of one address, or all of them. */
type Group = Set<Connection<unknown>>;

interface Connection<Request> {
  readonly socket: Socket;
  /** Requests that have not ended yet: the first is at work, the others were sent ahead. */
  readonly requests: Request[];
  /** A number that grows: who has the smallest has been idle for longest. */
  idleSince: number;
}

export interface Connections<Request> {
  /**
   * Must be called with each request: its connection is not idle until it has ended. It is started
   * once those before it have ended; never where the connection ends with one of them.
   */
  begin(socket: Socket, request: Request): Connection<Request>;
  /** Must be called when the response is closed. May be called again. */
  end(connection: Connection<Request>, request: Request): void;
}

export interface ConnectionEvents<Request> {
  /** Called with one request of a connection at a time: only then can its answer go out. */
  start(request: Request): void;
  /** Called instead with one that was sent ahead. */
  next(request: Request): void;
  /** Called once for each request, whether or not it was started. */
  ended(request: Request): void;
}

/**
 * Keeps the connections of a server below their limits, by closing the one that has been idle for
 * longest: who holds connections open without a word shuts nobody out. One that is waiting for an
 * answer is never closed; only when all are, a newcomer is. Trusted proxies carry many callers and
 * are counted in the whole alone. Near the limit idle connections are kept for less time. The one
 * to close is looked for when there is one too many. A request ends at the latest when its
 * connection is closed: Node closes no response that had to wait for the one before it.
 */
export function limitConnections<Request>(
  server: Server,
  isTrusted: (address: string) => boolean,
  { start, next, ended }: ConnectionEvents<Request>,
  { max, perAddressMax }: ConnectionLimits = LIMITS,
): Connections<Request> {
  const all: Group = new Set();
  const byAddress = new Map<string, Group>();
  const connections = new WeakMap<Socket, Connection<Request>>();
  let turn = 0;

  function setKeepAlive(): void {
    const isCrowded = all.size > max * limits.CROWDED_SHARE;
    server.keepAliveTimeout = isCrowded ? limits.CROWDED_KEEP_ALIVE_MS : limits.KEEP_ALIVE_MS;
  }

  function open(socket: Socket): Connection<Request> {
    const address = socket.remoteAddress ?? '';
    const key = rateKey(address);
    const own = isTrusted(address) ? null : (byAddress.get(key) ?? new Set());
    if (own !== null) byAddress.set(key, own);
    const connection: Connection<Request> = { socket, requests: [], idleSince: ++turn };
    connections.set(socket, connection);
    all.add(connection);
    own?.add(connection);
    socket.once('close', () => {
      all.delete(connection);
      own?.delete(connection);
      if (own?.size === 0) byAddress.delete(key);
      setKeepAlive();
      for (const request of [...connection.requests]) end(connection, request);
    });
    if (own !== null && own.size > perAddressMax) closeIdlest(own);
    if (all.size > max) closeIdlest(all);
    setKeepAlive();
    return connection;
  }

  function end(connection: Connection<Request>, request: Request): void {
    const { requests, socket } = connection;
    const at = requests.indexOf(request);
    if (at === -1) return;
    requests.splice(at, 1);
    if (requests.length === 0) connection.idleSince = ++turn;
    ended(request);
    if (at === 0 && requests.length > 0 && socket.writable) next(requests[0]!);
  }

  server.on('connection', open);

  return {
    begin(socket, request) {
      const connection = connections.get(socket) ?? open(socket);
      // What it had sent in one piece is read to its end also where it was closed in the middle.
      if (socket.destroyed) return connection;
      connection.requests.push(request);
      if (connection.requests.length === 1) start(request);
      else if (connection.requests.length > limits.SENT_AHEAD_MAX + 1) socket.destroy();
      return connection;
    },
    end,
  };
}

/**
 * The newcomer is idle, too, and the last of them. One that is being closed already makes room by
 * itself.
 */
function closeIdlest(group: Group): void {
  let idlest: Connection<unknown> | null = null;
  for (const connection of group) {
    if (connection.requests.length > 0 || connection.socket.destroyed) continue;
    if (idlest === null || connection.idleSince < idlest.idleSince) idlest = connection;
  }
  idlest?.socket.destroy();
}
