import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import type { VenueFaults } from '../../faults/faults.js';
import { announcedLate, outboundFrames, shownBook, UNASKED_MARKET, wireText } from '../../faults/frame-faults.js';
import { resetConnection } from '../../faults/reset-connection.js';
import type { ChannelFrame } from '../../frames/frames.js';
import type { BookView } from '../../market/book-view.js';
import { ChannelSocket } from './channel-socket.js';
import { parseSubscriptionMessage, type SubscriptionMessage } from './subscription-message.js';

export const MARKET_CHANNEL_PATH = '/ws/market';
/** Above so many tokens on one connection the venue sends no initial books, only changes. */
const TOKENS_WITH_DUMP_MAX = 500;
const MESSAGE_BYTES_MAX = 4_000_000;
const SOCKETS_MAX = 1_000;
/** How much later an announcement comes that is late. */
const LATE_MS = 495;

export interface MarketChannelOptions {
  readonly faults: VenueFaults;
  /** The book of a token, or null if it has none. */
  readonly viewOf: (tokenId: string) => BookView | null;
  readonly isResolved: (tokenId: string) => boolean;
  /**
   * A client that sends nothing for so long is disconnected. The venue seems to wait about 10 s
   * between PINGs.
   */
  readonly heartbeatMs: number;
}

/**
 * The market channel: a WebSocket server that answers subscriptions with books and passes on what
 * is published.
 */
export class MarketChannel {
  readonly #options: MarketChannelOptions;
  readonly #clients = new Map<ChannelSocket, Socket>();
  readonly #sockets = new WebSocketServer({
    noServer: true,
    autoPong: false,
    perMessageDeflate: false,
    maxPayload: MESSAGE_BYTES_MAX,
  });

  constructor(options: MarketChannelOptions) {
    this.#options = options;
  }

  get clientCount(): number {
    return this.#clients.size;
  }

  publish(frame: ChannelFrame): void {
    if (this.#clients.size === 0) return;
    if (this.#options.faults.newMarkets) for (const client of this.#clients.keys()) client.announce(UNASKED_MARKET);
    const late = announcedLate(frame, this.#options.faults, LATE_MS);
    if (late === null) this.#send(frame);
    else setTimeout(() => this.#send(late), LATE_MS).unref();
  }

  /** Closes the connections all of whose tokens are over. */
  closeResolved(): void {
    for (const client of this.#clients.keys()) this.#closeIfOver(client);
  }

  #closeIfOver(client: ChannelSocket): void {
    const { tokens } = client;
    const isOver = tokens.size > 0 && [...tokens].every(this.#options.isResolved);
    if (isOver) client.close(1000, 'all subscribed assets resolved');
  }

  #send(frame: ChannelFrame): void {
    for (const outbound of outboundFrames(frame, this.#options.faults, this.#options.viewOf)) {
      for (const client of this.#clients.keys()) if (client.wants(outbound)) client.deliver(outbound.text);
    }
  }

  /** Sends a token's book to its subscribers, as the faults in force show it. */
  resendBook(tokenId: string): void {
    const view = this.#options.viewOf(tokenId);
    const book = view === null ? null : shownBook(view, this.#options.faults, false);
    if (book === null) return;
    for (const client of this.#clients.keys())
      if (client.tokens.has(tokenId)) client.deliver(wireText(book, this.#options.faults));
  }

  /** Resets every connection, without a closing handshake. */
  dropSockets(): void {
    for (const socket of this.#clients.values()) resetConnection(socket);
    this.#clients.clear();
  }

  /** Takes over a connection that asks to become a WebSocket. */
  accept(request: IncomingMessage, socket: Socket, head: Buffer): void {
    if (this.#clients.size >= SOCKETS_MAX) {
      resetConnection(socket);
      return;
    }
    this.#sockets.handleUpgrade(request, socket, head, (webSocket) => this.#connected(webSocket, socket));
  }

  #connected(webSocket: WebSocket, socket: Socket): void {
    const client = new ChannelSocket(webSocket, this.#options.faults);
    const silence = setTimeout(() => webSocket.terminate(), this.#options.heartbeatMs);
    this.#clients.set(client, socket);
    webSocket.on('message', (data) => {
      silence.refresh();
      this.#onMessage(client, String(data));
    });
    webSocket.on('ping', (data) => {
      silence.refresh();
      client.answerHeartbeat((to) => to.pong(data));
    });
    // A reset connection reports an error before it closes; there is nothing to do about either.
    webSocket.on('error', () => webSocket.terminate());
    webSocket.on('close', () => {
      clearTimeout(silence);
      this.#clients.delete(client);
    });
  }

  #onMessage(client: ChannelSocket, text: string): void {
    if (text === 'PING') {
      client.answerHeartbeat((to) => to.send('PONG'));
      return;
    }
    const message = parseSubscriptionMessage(text);
    if (message === null) return;
    if (message.kind === 'unsubscribe') for (const token of message.tokenIds) client.tokens.delete(token);
    else this.#subscribe(client, message);
  }

  #subscribe(client: ChannelSocket, message: SubscriptionMessage): void {
    if (message.customFeatures !== null) client.customFeatures = message.customFeatures;
    for (const token of message.tokenIds) client.tokens.add(token);
    const { faults } = this.#options;
    if (faults.closeResolved) this.#closeIfOver(client);
    const wantsDump = message.initialDump ?? !faults.dumpsOnRequest;
    if (!wantsDump || client.tokens.size > TOKENS_WITH_DUMP_MAX) return;
    const books = [...new Set(message.tokenIds)].flatMap((token) => {
      const view = this.#options.viewOf(token);
      return (view === null ? null : shownBook(view, faults, true)) ?? [];
    });
    if (books.length > 0) client.deliver(wireText(books, faults));
  }
}
