import type { IncomingMessage, ServerResponse } from 'node:http';
import { parseScaled } from '#domain/decimal';
import { type LoopbackServer, sendJson, startLoopbackServer } from '#test/support/loopback-server';
import { CREDS } from './credentials.js';
import { amountsRefusal, type DoorBook, type Fill, fillWhole, type PostedOrder } from './order-rules.js';

/** What the door does with the next POST in place of what it does with all. */
type Behaviour =
  | { readonly kind: 'lost_before_match' }
  | { readonly kind: 'lost_after_match' }
  | { readonly kind: 'answers'; readonly status: number; readonly body: unknown };

/** An order that was matched. */
interface DoorFill extends PostedOrder, Fill {
  readonly salt: string;
  readonly maker: string;
  readonly atMs: number;
  readonly transactionHash: string;
}

/** The venue's door for orders beside its books: judges amounts, fills orders, loses answers. */
export interface OrderDoor {
  readonly url: string;
  /** All orders that came by POST, refused ones too; of a batch, each. */
  readonly posted: readonly PostedOrder[];
  readonly fills: readonly DoorFill[];
  /** Texts of refusals. */
  readonly refusals: readonly string[];
  /** Method and path of all but reads. */
  readonly writes: readonly string[];
  next(...behaviours: readonly Behaviour[]): void;
  /** Takes the place of the price step of a token from now on, as the venue would tell it. */
  setTick(tokenId: string, tickSize: string): void;
  close(): Promise<void>;
}

/** Starts the door before a venue whose other reads it passes on. */
export async function startOrderDoor(clobUrl: string): Promise<OrderDoor> {
  const server = await startLoopbackServer();
  const door = new Door(server, clobUrl);
  server.answer((request, response) => void door.answer(request, response));
  return door;
}

type Request = {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
};

class Door implements OrderDoor {
  readonly posted: PostedOrder[] = [];
  readonly fills: DoorFill[] = [];
  readonly refusals: string[] = [];
  readonly writes: string[] = [];
  readonly #server: LoopbackServer;
  readonly #clobUrl: string;
  readonly #next: Behaviour[] = [];
  readonly #ticks = new Map<string, string>();

  constructor(server: LoopbackServer, clobUrl: string) {
    this.#server = server;
    this.#clobUrl = clobUrl;
  }

  get url(): string {
    return this.#server.baseUrl;
  }

  next(...behaviours: readonly Behaviour[]): void {
    this.#next.push(...behaviours);
  }

  setTick(tokenId: string, tickSize: string): void {
    this.#ticks.set(tokenId, tickSize);
  }

  close(): Promise<void> {
    return this.#server.close();
  }

  async answer(request: Request, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url, this.url);
    if (request.method !== 'GET') return this.#write(request, pathname, response);
    const token = searchParams.get('token_id') ?? '';
    if (pathname === '/version') return sendJson(response, { version: 2 });
    if (pathname === '/tick-size') return sendJson(response, { minimum_tick_size: Number(await this.#tickOf(token)) });
    if (pathname === '/neg-risk') return sendJson(response, { neg_risk: (await this.#bookOf(token)).neg_risk });
    if (pathname === '/trades' && searchParams.has('user')) {
      return sendJson(response, this.#tradesOf(searchParams.get('user')!));
    }
    if (pathname.startsWith('/auth/')) return sendJson(response, { apiKeys: [CREDS.key] });
    const passed = await fetch(`${this.#clobUrl}${request.url}`);
    sendJson(response, await passed.json(), passed.status);
  }

  async #write({ method, body }: Request, pathname: string, response: ServerResponse): Promise<void> {
    if (pathname.startsWith('/auth/')) {
      return sendJson(response, { apiKey: CREDS.key, secret: CREDS.secret, passphrase: CREDS.passphrase });
    }
    this.writes.push(`${method} ${pathname}`);
    if (method === 'DELETE') return sendJson(response, { canceled: [], not_canceled: {} });
    const received = JSON.parse(body);
    const legs: Leg[] = Array.isArray(received) ? received : [received];
    this.posted.push(...legs.map(orderOf));
    const behaviour = this.#next.shift();
    if (behaviour?.kind === 'answers') return sendJson(response, behaviour.body, behaviour.status);
    if (behaviour?.kind === 'lost_before_match') return void response.destroy();
    const answers = [];
    for (const leg of legs) answers.push(await this.#take(leg));
    if (behaviour?.kind === 'lost_after_match') return void response.destroy();
    if (Array.isArray(received)) {
      return sendJson(
        response,
        answers.map(({ status, json }) => (status === 200 ? json : noOrder(json.error))),
      );
    }
    sendJson(response, answers[0]!.json, answers[0]!.status);
  }

  async #take(leg: Leg): Promise<{ status: number; json: Record<string, unknown> }> {
    const order = orderOf(leg);
    const salt = String(leg.order.salt);
    const no = (text: string) => {
      this.refusals.push(text);
      return { status: 400, json: { error: text } };
    };
    if (this.fills.some((fill) => fill.salt === salt)) return no('order is invalid. Duplicated.');
    const book = await this.#doorBook(order);
    const refusal = amountsRefusal(order, book.tick);
    if (refusal !== null) return no(refusal);
    const isTaking = order.orderType === 'FOK' || order.orderType === 'FAK';
    if (!isTaking) return { status: 200, json: accepted('live', salt) };
    const fill = fillWhole(order, book);
    if (fill === null) return no("order couldn't be fully filled. FOK orders are fully filled or killed.");
    const transactionHash = `0x${BigInt(salt).toString(16).padStart(64, '0')}`;
    this.fills.push({ ...order, ...fill, salt, maker: leg.order.maker, atMs: Date.now(), transactionHash });
    const [making, taking] =
      order.side === 'BUY' ? [fill.usdMicros, fill.sharesMicros] : [fill.sharesMicros, fill.usdMicros];
    return {
      status: 200,
      json: {
        ...accepted('matched', salt),
        makingAmount: String(Number(making) / 1e6),
        takingAmount: String(Number(taking) / 1e6),
        transactionsHashes: [transactionHash],
      },
    };
  }

  async #doorBook({ tokenId, side }: PostedOrder): Promise<DoorBook> {
    const book = await this.#bookOf(tokenId);
    const levels = (side === 'BUY' ? book.asks : book.bids).map(({ price, size }) => ({
      ticks: BigInt(parseScaled(price, 4)!),
      micros: BigInt(parseScaled(size, 6)!),
    }));
    levels.sort((a, b) => Number(side === 'BUY' ? a.ticks - b.ticks : b.ticks - a.ticks));
    return { tick: BigInt(parseScaled(await this.#tickOf(tokenId), 4)!), levels };
  }

  async #tickOf(tokenId: string): Promise<string> {
    return this.#ticks.get(tokenId) ?? (await this.#bookOf(tokenId)).tick_size;
  }

  async #bookOf(tokenId: string): Promise<BookJson> {
    return (await fetch(`${this.#clobUrl}/book?token_id=${tokenId}`)).json() as Promise<BookJson>;
  }

  /** As the first Data API writes them, newest first. */
  #tradesOf(user: string) {
    return this.fills
      .filter(({ maker }) => maker.toLowerCase() === user.toLowerCase())
      .map(({ maker, side, tokenId, usdMicros, sharesMicros, atMs, transactionHash }) => ({
        proxyWallet: maker,
        side,
        asset: tokenId,
        size: Number(sharesMicros) / 1e6,
        price: Number(usdMicros) / Number(sharesMicros),
        timestamp: Math.floor(atMs / 1e3),
        transactionHash,
      }))
      .reverse();
  }
}

interface BookJson {
  readonly tick_size: string;
  readonly neg_risk: boolean;
  readonly bids: readonly { readonly price: string; readonly size: string }[];
  readonly asks: readonly { readonly price: string; readonly size: string }[];
}

interface Leg {
  readonly order: Readonly<Record<'tokenId' | 'side' | 'makerAmount' | 'takerAmount' | 'maker', string>> & {
    readonly salt: number;
  };
  readonly orderType: string;
}

function orderOf({ order, orderType }: Leg): PostedOrder {
  const { tokenId, side, makerAmount, takerAmount } = order;
  return {
    tokenId,
    side: side === 'SELL' ? 'SELL' : 'BUY',
    makerAmount: BigInt(makerAmount),
    takerAmount: BigInt(takerAmount),
    orderType,
  };
}

function accepted(status: string, salt: string) {
  const nothing = { makingAmount: '', takingAmount: '', tradeIDs: [], transactionsHashes: [] };
  return { success: true, errorMsg: '', orderID: `0x${BigInt(salt).toString(16)}`, status, ...nothing };
}

function noOrder(error: unknown) {
  return { ...accepted('', '0'), orderID: '', errorMsg: error };
}
