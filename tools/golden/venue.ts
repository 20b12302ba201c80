import { type WebSocket, WebSocketServer } from 'ws';
import { deferred } from '#test/support/promises';
import { type Answered, startLoopback } from './loopback.js';
import { ALL_MARKETS, bookOf, CANDIDATES, conditionOf, type GoldenMarket, toGamma, tokensOf } from './markets.js';
import { marketsOfConditions, resolutionsOf, tradesPage, WALLETS } from './wallets.js';

/** A venue that never changes: Gamma, CLOB, Data API, market channel and live feed on one port. */
export interface GoldenVenue {
  readonly env: Readonly<Record<string, string>>;
  /** Lets the trades of the wallets that are held back out. */
  release(): void;
  close(): void;
}

const NOT_FOUND: Answered = { status: 404, body: { error: 'not found' } };
/** The words in which the venue says that a token has no book; anything else says nothing. */
const NO_BOOK = { error: 'No orderbook exists for the requested token id' };
const DOWN: Answered = { status: 503, body: { error: 'down' } };
const HELD = [WALLETS.held1, WALLETS.held2, WALLETS.held3, WALLETS.held4];
const BY_TOKEN = new Map(ALL_MARKETS.flatMap((market) => tokensOf(market).map((token) => [token, market] as const)));

export async function startGoldenVenue(): Promise<GoldenVenue> {
  const released = deferred();
  const loopback = await startLoopback(async (url, body) => {
    if (HELD.includes(url.searchParams.get('user') ?? '')) await released.promise;
    return answer(url, body);
  });
  const sockets = new WebSocketServer({ server: loopback.server });
  sockets.on('connection', (socket, { url }) => {
    socket.on('message', (data) => {
      const text = String(data);
      if (text === 'PING') socket.send('PONG');
      else if (url === '/ws/market') subscribe(socket, JSON.parse(text));
    });
  });
  const [http, ws] = [`http://${loopback.host}`, `ws://${loopback.host}`];
  return {
    env: {
      VENUE_GAMMA_URL: `${http}/gamma`,
      VENUE_CLOB_URL: `${http}/clob`,
      VENUE_DATA_URL: `${http}/data`,
      VENUE_WS_URL: `${ws}/ws/market`,
      VENUE_RTDS_URL: `${ws}/rtds`,
    },
    release: released.resolve,
    close: () => {
      for (const client of sockets.clients) client.terminate();
      loopback.close();
    },
  };
}

function answer({ pathname, searchParams }: URL, body: string): Answered {
  switch (pathname) {
    case '/gamma/markets':
      return markets(searchParams);
    case '/gamma/events':
      return events(searchParams);
    case '/clob/book':
      return book(searchParams.get('token_id') ?? '');
    case '/clob/books':
      return { body: (JSON.parse(body) as { token_id: string }[]).flatMap(({ token_id }) => bookIfAny(token_id)) };
    case '/data/v2/trades':
      return searchParams.get('user') === WALLETS.unreachable ? DOWN : { body: tradesPage(searchParams) };
    case '/data/v2/resolutions':
      return { body: resolutionsOf((searchParams.get('condition') ?? '').split(',')) };
    default:
      return clobMarket(pathname);
  }
}

function markets(query: URLSearchParams): Answered {
  if (query.get('slug') === 'golden-gamma-down') return DOWN;
  const conditions = query.getAll('condition_ids');
  const closed = query.get('closed') === 'true';
  if (conditions.length > 0) return { body: closed ? marketsOfConditions(conditions) : [] };
  const found = ALL_MARKETS.filter((market) => {
    const isRequested =
      market.slug === query.get('slug') || tokensOf(market).includes(query.get('clob_token_ids') ?? '');
    return isRequested && (market.gamma?.closed === true) === closed;
  });
  return { body: found.map(toGamma) };
}

function events(query: URLSearchParams): Answered {
  if (query.get('slug') !== 'golden-election' || query.get('closed') === 'true') return { body: [] };
  return {
    body: [{ slug: 'golden-election', title: 'Who wins the golden election?', markets: CANDIDATES.map(toGamma) }],
  };
}

function book(token: string): Answered {
  const market = BY_TOKEN.get(token);
  if (market === undefined) return NOT_FOUND;
  return market.bookStatus === undefined
    ? { body: bookOf(market, token) }
    : { status: market.bookStatus, body: NO_BOOK };
}

function bookIfAny(token: string): readonly object[] {
  const market = BY_TOKEN.get(token);
  return market === undefined || market.bookStatus !== undefined ? [] : [bookOf(market, token)];
}

function clobMarket(pathname: string): Answered {
  const received = ALL_MARKETS.find((market) => market.slug === 'golden-told-by-clob') as GoldenMarket;
  if (pathname !== `/clob/clob-markets/${conditionOf(received)}`) return NOT_FOUND;
  return { body: { c: conditionOf(received), mos: 5, ao: true, fd: { r: 0.05, e: 1 } } };
}

function subscribe(socket: WebSocket, message: { assets_ids?: readonly string[]; operation?: string }): void {
  if (message.operation === 'unsubscribe') return;
  const books = (message.assets_ids ?? []).flatMap((token) => {
    const market = BY_TOKEN.get(token);
    return market === undefined || market.isSilent ? [] : [{ event_type: 'book', ...bookOf(market, token) }];
  });
  socket.send(JSON.stringify(books));
}
