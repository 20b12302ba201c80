import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Clock } from '#system/clock';
import type { VenueFaults } from '../../faults/faults.js';
import { resetConnection } from '../../faults/reset-connection.js';
import type { TapeRow } from '../../market/tape-rows.js';
import { tradeJson } from '../data/data-rows.js';
import { type FeedType, parseFeedMessage } from './feed-message.js';

export const LIVE_FEED_PATH = '/rtds';

const MESSAGE_BYTES_MAX = 100_000;
const SOCKETS_MAX = 200;
/** A client that does not read is cut off when so much waits for it. */
const BUFFERED_BYTES_MAX = 4_000_000;

export interface LiveFeedOptions {
  readonly faults: VenueFaults;
  readonly clock: Clock;
}

/**
 * The venue's live feed of trades (RTDS), of which it documents little: it sends nothing before a
 * subscription with its `action`, has no filters that work, answers the text PING with PONG, and
 * reports each trade once, from the taker's side.
 */
export class LiveFeed {
  readonly #options: LiveFeedOptions;
  readonly #clients = new Map<WebSocket, { readonly socket: Socket; readonly types: Set<FeedType> }>();
  readonly #sockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: MESSAGE_BYTES_MAX,
  });

  constructor(options: LiveFeedOptions) {
    this.#options = options;
  }

  /** Takes over a connection that asks to become a WebSocket. */
  accept(request: IncomingMessage, socket: Socket, head: Buffer): void {
    if (this.#clients.size >= SOCKETS_MAX) {
      resetConnection(socket);
      return;
    }
    this.#sockets.handleUpgrade(request, socket, head, (client) => {
      this.#clients.set(client, { socket, types: new Set() });
      client.on('message', (data) => this.#onMessage(client, String(data)));
      // A reset connection reports an error before it closes; there is nothing to do about either.
      client.on('error', () => client.terminate());
      client.on('close', () => this.#clients.delete(client));
    });
  }

  /** Tells of trades. Makers' rows are left out. */
  publish(rows: readonly TapeRow[]): void {
    if (this.#clients.size === 0 || this.#options.faults.rtdsSilent) return;
    for (const row of rows)
      if (row.taker) for (const type of ['trades', 'orders_matched'] as const) this.#publish(type, row);
  }

  /** Resets every connection, without a closing handshake. */
  dropSockets(): void {
    for (const { socket } of this.#clients.values()) resetConnection(socket);
    this.#clients.clear();
  }

  #onMessage(client: WebSocket, text: string): void {
    if (text === 'PING') {
      client.send('PONG');
      return;
    }
    const message = parseFeedMessage(text);
    const types = this.#clients.get(client)?.types;
    if (message === null || types === undefined) return;
    for (const type of message.types) {
      if (message.action === 'subscribe') types.add(type);
      else types.delete(type);
    }
  }

  #publish(type: FeedType, row: TapeRow): void {
    const message = { topic: 'activity', type, timestamp: this.#options.clock.nowMs(), payload: tradeJson(row) };
    const text = JSON.stringify({ ...message, connection_id: 'local' });
    for (const [client, { types }] of this.#clients) {
      if (!types.has(type) || client.readyState !== client.OPEN) continue;
      if (client.bufferedAmount > BUFFERED_BYTES_MAX) client.terminate();
      else client.send(text);
    }
  }
}
