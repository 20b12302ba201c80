import express, { type Request, type Response, type Router } from 'express';
import { parseTokenId } from '#domain/ids';
import type { Clock } from '#system/clock';
import type { VenueFaults } from '../../faults/faults.js';
import type { BookView } from '../../market/book-view.js';
import type { LiveMarket } from '../../market/live-market.js';
import type { VenueState } from '../../market/venue-state.js';
import type { OrderDesk } from '../../orders/order-desk.js';
import { queryText } from '../query.js';
import { clobBook, clobMarket, clobMarketInfo } from './json.js';
import { orderRoutes } from './order-routes.js';

/** Most tokens in one `POST /books`. */
const BOOKS_MAX = 500;

export interface ClobOptions {
  readonly state: VenueState;
  readonly faults: VenueFaults;
  readonly clock: Clock;
  /** The book of a token, or null if it has none (unknown, proposed, resolved). */
  readonly viewOf: (tokenId: string) => BookView | null;
  /** Takes orders. */
  readonly desk: OrderDesk;
}

/** The CLOB's public REST interface: books and the terms of each market. */
export function clobRoutes(options: ClobOptions): Router {
  const { state, faults, clock, viewOf, desk } = options;
  const router = express.Router();
  router.use(orderRoutes(desk));
  router.get('/ok', (_, response) => void response.json('OK'));
  router.get('/time', (_, response) => void response.type('text').send(String(Math.floor(clock.nowMs() / 1000))));
  router.get('/book', (request, response) => {
    const token = tokenIn(request, response);
    if (token === null) return;
    const view = viewOf(token);
    if (view === null) refuse(response, 404, 'No orderbook exists for the requested token id');
    else response.json(clobBook(view, faults));
  });
  router.post('/books', express.json({ limit: '1mb', strict: false }), (request, response) =>
    answerBooks(request, response, options),
  );
  router.get('/books', (_, response) => refuse(response, 400, 'Invalid payload'));
  ofToken(router, '/tick-size', state, 'market not found', (market) => ({
    minimum_tick_size: Number(market.view(0).tickSize),
  }));
  ofToken(router, '/neg-risk', state, 'market not found', (market) => ({ neg_risk: market.event.negRisk }));
  ofToken(router, '/fee-rate', state, 'fee rate not found for market', (market) => ({
    base_fee: market.spec.fee === null ? 0 : 1000,
  }));
  ofCondition(router, '/clob-markets/:condition', state, clobMarketInfo);
  ofCondition(router, '/markets/:condition', state, clobMarket);
  router.get('/markets-by-token/:token', (request, response) => {
    const market = state.marketOfToken(request.params.token);
    if (market === undefined) return refuse(response, 404, 'market not found');
    // The venue's primary token may be the second outcome's: it says nothing about Yes and No.
    const [first, second] = market.ids.tokenIds;
    response.json({ condition_id: market.ids.conditionId, primary_token_id: second, secondary_token_id: first });
  });
  return router;
}

/**
 * Answers `POST /books`: at most 500 tokens, those without a book left out, in an order that is not
 * the caller's.
 */
function answerBooks(request: Request, response: Response, { faults, viewOf }: ClobOptions): void {
  const requested: unknown = request.body;
  if (!Array.isArray(requested) || requested.length > BOOKS_MAX) {
    refuse(response, 400, Array.isArray(requested) ? 'Payload exceeds the limit' : 'Invalid payload');
    return;
  }
  const tokens = new Set(requested.map((each: { token_id?: unknown } | null) => String(each?.token_id)));
  const books = [...tokens].sort().flatMap((token) => {
    const view = viewOf(token);
    return view === null ? [] : [clobBook(view, faults)];
  });
  response.json(books);
}

type FromMarket = (market: LiveMarket) => unknown;

function ofToken(router: Router, path: string, state: VenueState, missing: string, answer: FromMarket): void {
  router.get(path, (request, response) => {
    const token = tokenIn(request, response);
    if (token === null) return;
    const market = state.marketOfToken(token);
    if (market === undefined) refuse(response, 404, missing);
    else response.json(answer(market));
  });
}

function ofCondition(router: Router, path: string, state: VenueState, answer: FromMarket): void {
  router.get(path, (request, response) => {
    const market = state.marketOfCondition(String(request.params.condition).toLowerCase());
    if (market === undefined) refuse(response, 404, 'market not found');
    else response.json(answer(market));
  });
}

function tokenIn(request: Request, response: Response): string | null {
  const token = parseTokenId(queryText(request, 'token_id') ?? '');
  if (token === null) refuse(response, 400, 'Invalid token id');
  return token;
}

function refuse(response: Response, status: number, error: string): void {
  response.status(status).json({ error });
}
