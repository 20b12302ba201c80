import { createHash } from 'node:crypto';
import { once } from 'node:events';
import WebSocket from 'ws';
import {
  type LocalMarket,
  type LocalVenue,
  type LocalVenueOptions,
  startLocalVenue,
} from '#local/venue/start-local-venue';
import type { Clock } from '#system/clock';

// biome-ignore lint/suspicious/noExplicitAny: tests look into JSON that others wrote.
export type Json = any;

/** A clock that stands still until it is moved. */
export class StillClock implements Clock {
  #now: number;

  constructor(now = 1_784_030_400_000) {
    this.#now = now;
  }
  elapsedMs(): number {
    return this.nowMs();
  }

  nowMs(): number {
    return this.#now;
  }
  move(ms: number): void {
    this.#now += ms;
  }
}

/** Starts a venue where nothing moves but by step(). */
export function stillVenue(options: Partial<LocalVenueOptions> = {}): Promise<LocalVenue> {
  return startLocalVenue({ clock: new StillClock(), tickMs: 0, ...options });
}

export async function getJson(url: string): Promise<Json> {
  return (await fetch(url)).json();
}

export async function postJson(url: string, body: unknown): Promise<Response> {
  return fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
}

export function marketBySlug(venue: LocalVenue, part: string): LocalMarket {
  const market = venue.markets.find((each) => each.slug.includes(part));
  if (market === undefined) throw new Error(`no market with ${part} in its slug`);
  return market;
}

export function tokensOf(market: LocalMarket): [string, string] {
  return [market.outcomes[0]?.tokenId ?? '', market.outcomes[1]?.tokenId ?? ''];
}

/** A client of the market channel that keeps everything it hears. */
export class ChannelClient {
  readonly #socket: WebSocket;
  readonly texts: string[] = [];
  closed = false;
  /** Code and reason of the close. */
  closing = '';
  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data) => this.texts.push(String(data)));
    socket.on('close', (code, reason) => {
      this.closed = true;
      this.closing = `${code} ${reason}`.trim();
    });
    socket.on('error', () => {});
  }

  static async open(url: string): Promise<ChannelClient> {
    const client = new ChannelClient(new WebSocket(url));
    await once(client.#socket, 'open');
    return client;
  }

  /** Opens, subscribes and has the initial dump. */
  static async subscribed(url: string, tokens: readonly string[], more: object = {}): Promise<ChannelClient> {
    const client = await ChannelClient.open(url);
    client.send({ assets_ids: tokens, type: 'market', ...more });
    await client.settle();
    return client;
  }

  send(message: unknown): void {
    this.#socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  /** Waits until everything sent before now has arrived: the PONG comes after it. */
  async settle(): Promise<void> {
    const before = this.texts.filter((text) => text === 'PONG').length;
    this.#socket.send('PING');
    while (this.texts.filter((text) => text === 'PONG').length === before) await once(this.#socket, 'message');
  }

  async untilClosed(): Promise<void> {
    if (!this.closed) await once(this.#socket, 'close');
  }

  /** Every message heard, arrays unpacked, without PONGs and what is no JSON. */
  messages(): Json[] {
    return this.texts
      .filter((text) => text !== 'PONG')
      .flatMap((text) => {
        try {
          return JSON.parse(text);
        } catch {
          return [];
        }
      });
  }

  forget(): void {
    this.texts.length = 0;
  }

  close(): void {
    this.#socket.terminate();
  }
}

/** A book kept from frames by the shortest means: maps of the venue's own strings. */
export class NaiveBook {
  /** Returns the book of a token, a new one where there is none yet. */
  static in(books: Map<string, NaiveBook>, token: string): NaiveBook {
    const book = books.get(token) ?? new NaiveBook();
    books.set(token, book);
    return book;
  }

  readonly #sides = { BUY: new Map<string, string>(), SELL: new Map<string, string>() };
  fields: Json = {};

  takeBook(frame: Json): void {
    this.#sides.BUY = new Map(frame.bids.map((level: Json) => [level.price, level.size]));
    this.#sides.SELL = new Map(frame.asks.map((level: Json) => [level.price, level.size]));
    this.fields = { ...this.fields, ...frame };
  }

  takeChange(entry: Json, timestamp: string): void {
    const side = this.#sides[entry.side as 'BUY' | 'SELL'];
    if (entry.size === '0') side.delete(entry.price);
    else side.set(entry.price, entry.size);
    this.fields.timestamp = timestamp;
  }

  levels(side: 'BUY' | 'SELL'): { price: string; size: string }[] {
    const direction = side === 'BUY' ? 1 : -1;
    return [...this.#sides[side]]
      .sort(([a], [b]) => (Number(a) - Number(b)) * direction)
      .map(([price, size]) => ({ price, size }));
  }

  /**
   * SHA-1 of the ten fields, written here a second time so that the two spellings hold each other.
   */
  hash(minOrderSize: string, negRisk: boolean): string {
    const { market, asset_id, timestamp, tick_size, last_trade_price } = this.fields;
    const ten = {
      market,
      asset_id,
      timestamp,
      hash: '',
      bids: this.levels('BUY'),
      asks: this.levels('SELL'),
      min_order_size: minOrderSize,
      tick_size,
      neg_risk: negRisk,
      last_trade_price,
    };
    return createHash('sha1').update(JSON.stringify(ten)).digest('hex');
  }
}
