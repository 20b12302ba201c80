import type { IncomingMessage, ServerResponse } from 'node:http';
import { type PostedOrder, readPosted } from '#local/venue/orders/posted-order';
import { type LoopbackServer, sendJson, startLoopbackServer } from '#test/support/loopback-server';

/** What the line does with the next POST of orders in place of passing it on. */
export type Behavior =
  | {
      readonly kind: 'passes' | 'lost_before_match' | 'lost_after_match';
      /** Comes to its end before the venue has the order. */
      readonly before?: () => Promise<void>;
      /** Happens before an answer is lost. */
      readonly meanwhile?: () => void;
    }
  | { readonly kind: 'answers'; readonly status: number; readonly body: unknown };

/** A line to the local venue's order door: it writes down what passes, and loses answers. */
export interface OrderDoor {
  readonly url: string;
  /** All orders that came by POST, refused ones too; of a batch, each. */
  readonly posted: readonly PostedOrder[];
  /** Texts of refusals. */
  readonly refusals: readonly string[];
  /** Method and path of all but reads. */
  readonly writes: readonly string[];
  next(...behaviors: readonly Behavior[]): void;
  /** Forgets what was to come. */
  reset(): void;
  close(): Promise<void>;
}

/** Starts the line to a venue. */
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
  readonly refusals: string[] = [];
  readonly writes: string[] = [];
  readonly #server: LoopbackServer;
  readonly #clobUrl: string;
  readonly #next: Behavior[] = [];

  constructor(server: LoopbackServer, clobUrl: string) {
    this.#server = server;
    this.#clobUrl = clobUrl;
  }

  get url(): string {
    return this.#server.baseUrl;
  }

  next(...behaviors: readonly Behavior[]): void {
    this.#next.push(...behaviors);
  }

  reset(): void {
    this.#next.length = 0;
  }

  close(): Promise<void> {
    return this.#server.close();
  }

  async answer(request: Request, response: ServerResponse): Promise<void> {
    const { method, url, body } = request;
    const isOrder = method === 'POST' && /^\/orders?$/.test(url);
    if (method !== 'GET' && !url.startsWith('/auth/')) this.writes.push(`${method} ${url}`);
    if (!isOrder) return this.#pass(request, response);
    const received: unknown = JSON.parse(body);
    const legs: readonly unknown[] = Array.isArray(received) ? received : [received];
    this.posted.push(...legs.map((leg) => readPosted(leg)!));
    const behavior = this.#next.shift();
    if (behavior?.kind === 'answers') return sendJson(response, behavior.body, behavior.status);
    await behavior?.before?.();
    const isLost = behavior?.kind === 'lost_before_match' || behavior?.kind === 'lost_after_match';
    if (behavior?.kind !== 'lost_before_match') await this.#pass(request, isLost ? null : response);
    if (!isLost) return;
    behavior.meanwhile?.();
    response.destroy();
  }

  /** null: nobody hears the answer. */
  async #pass({ method, url, headers, body }: Request, response: ServerResponse | null): Promise<void> {
    const sent = Object.entries(headers).filter(([name]) => /^(poly_|content-type$)/.test(name));
    const answer = await fetch(this.#clobUrl + url, {
      method,
      headers: Object.fromEntries(sent.map(([name, value]) => [name, String(value)])),
      ...(body === '' ? {} : { body }),
    });
    const json: unknown = await answer.json();
    if (method === 'POST') this.#note(json);
    if (response !== null) sendJson(response, json, answer.status);
  }

  #note(json: unknown): void {
    const legs = (Array.isArray(json) ? json : [json]) as readonly { error?: string; errorMsg?: string }[];
    const texts = legs.map(({ error, errorMsg }) => error ?? errorMsg ?? '');
    this.refusals.push(...texts.filter((text) => text !== ''));
  }
}
