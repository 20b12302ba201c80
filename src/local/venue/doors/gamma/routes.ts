import express, { type Request, type Response, type Router } from 'express';
import type { Clock } from '#system/clock';
import { gammaIdOf } from '../../market/deterministic-ids.js';
import type { ListedPriceCache } from '../../market/listed-prices.js';
import type { LiveMarket } from '../../market/live-market.js';
import type { VenueState } from '../../market/venue-state.js';
import { queryCount, queryFlag, queryList, queryText } from '../query.js';
import { gammaEvent, gammaMarketWithEvent, isListedAsOver, type Listing } from './event.js';

type Json = Record<string, unknown>;

const PAGE_USUAL = 20;
const PAGE_MAX = 100;
const OFFSET_MAX = 2_000;
/** camelCase names only: `volume_num` is refused, whatever the specification's example says. */
const ORDER_FIELDS = new Set([
  'id',
  'volume24hr',
  'volumeNum',
  'liquidityNum',
  'volume',
  'liquidity',
  'endDate',
  'startDate',
]);

const ORDER_FAULT = 'order fields are not valid';

export interface GammaOptions {
  readonly state: VenueState;
  readonly prices: ListedPriceCache;
  readonly clock: Clock;
}

/**
 * Gamma: what the venue lists. Old listings answer with deprecation headers; keyset ones page by
 * cursor.
 */
export function gammaRoutes(options: GammaOptions): Router {
  const gamma = new Gamma(options);
  const router = express.Router();
  router.use((_, response, next) => {
    response.set('cache-control', 'public, max-age=300');
    next();
  });
  for (const kind of ['markets', 'events'] as const) {
    router.get(`/${kind}`, (request, response) => {
      response.set({ deprecation: 'true', sunset: 'Fri, 01 May 2026 00:00:00 GMT' });
      response.set('warning', `299 - "use /${kind}/keyset"`);
      send(response, gamma.listOld(kind, request));
    });
    router.get(`/${kind}/keyset`, (request, response) => send(response, gamma.listKeyset(kind, request)));
    router.get(`/${kind}/slug/:slug`, (request, response) => send(response, gamma.bySlug(kind, request.params.slug)));
  }
  return router;
}

type Kind = 'markets' | 'events';

/** What is answered: a status and a JSON body. */
interface Answer {
  readonly status: number;
  readonly body: unknown;
}

class Gamma {
  readonly #options: GammaOptions;
  /** A listing has every market, and each id is a digest. */
  readonly #ids = new WeakMap<LiveMarket, string>();

  constructor(options: GammaOptions) {
    this.#options = options;
  }

  bySlug(kind: Kind, slug: string): Answer {
    const { state } = this.#options;
    const market = kind === 'markets' ? state.market(slug) : undefined;
    if (market !== undefined) return found(this.#marketJson(market));
    const event = kind === 'events' ? state.event(slug) : undefined;
    if (event !== undefined) return found(gammaEvent(event, this.#listing()));
    return { status: 404, body: { type: 'not found error', error: 'slug not found' } };
  }

  listOld(kind: Kind, request: Request): Answer {
    const offset = queryCount(request, 'offset', 0, 0, Number.MAX_SAFE_INTEGER);
    if (offset > OFFSET_MAX) return invalid(`offset too large, use /${kind}/keyset for deeper pagination`);
    // Which of them are listed where `closed` is left out changed with time and differs by list: the
    // open markets (9 April 2026), the closed events (15 May and 14 August 2026).
    const rows = this.#rows(kind, request, kind === 'events');
    return rows === null ? invalid(ORDER_FAULT) : found(written(rows.slice(offset, offset + pageSize(request))));
  }

  listKeyset(kind: Kind, request: Request): Answer {
    if (request.query.offset !== undefined) return invalid('offset is not allowed on keyset endpoints');
    const rows = this.#rows(kind, request, false)?.filter((row) => row.active);
    if (rows === undefined) return invalid(ORDER_FAULT);
    const start = startOf(rows, queryText(request, 'after_cursor'));
    const page = rows.slice(start, start + pageSize(request));
    const more = start + page.length < rows.length;
    const schema = `${kind === 'markets' ? 'Markets' : 'Events'}KeysetListResponse`;
    return found({
      $schema: `https://gamma-api.polymarket.com/schemas/${schema}.json`,
      [kind]: written(page),
      ...(more ? { next_cursor: cursorOf(page.at(-1)) } : {}),
    });
  }

  /** Returns the matching rows in order, or null if the order is not known. */
  #rows(kind: Kind, request: Request, closedByDefault: boolean | undefined): Row[] | null {
    const order = queryText(request, 'order');
    if (order !== undefined && !ORDER_FIELDS.has(order)) return null;
    const closed = queryFlag(request, 'closed') ?? closedByDefault;
    const found = kind === 'markets' ? this.#markets(request) : this.#events(request);
    const rows = found.filter((row) => closed === undefined || row.closed === closed);
    const descending = order !== undefined && queryFlag(request, 'ascending') === false;
    return rows.sort((a, b) => compare(a, b, order ?? 'id') * (descending ? -1 : 1));
  }

  #markets(request: Request): Row[] {
    const slugs = queryList(request, 'slug');
    const tokens = queryList(request, 'clob_token_ids');
    const conditions = queryList(request, 'condition_ids').map((id) => id.toLowerCase());
    const ids = queryList(request, 'id');
    const matches = (market: LiveMarket) =>
      (slugs.length === 0 || slugs.includes(market.spec.slug)) &&
      (tokens.length === 0 || market.ids.tokenIds.some((token) => tokens.includes(token))) &&
      (conditions.length === 0 || conditions.includes(market.ids.conditionId)) &&
      (ids.length === 0 || ids.includes(gammaIdOf(market.spec.slug)));
    const named = this.#named(slugs, tokens, conditions) ?? this.#options.state.markets();
    const { nowMs } = this.#listing();
    return named.filter(matches).map((market) => {
      const { active, spec } = market;
      const { closed } = market.listedStanding(nowMs);
      const id = this.#ids.get(market) ?? gammaIdOf(spec.slug);
      this.#ids.set(market, id);
      return { id, active, closed, json: once(() => this.#marketJson(market)) };
    });
  }

  /**
   * Returns the markets with the first kind of name that is asked for, or null if none is: there
   * are thousands in all.
   */
  #named(slugs: string[], tokens: string[], conditions: string[]): readonly LiveMarket[] | null {
    const { state } = this.#options;
    const found = (names: string[], byName: (name: string) => LiveMarket | undefined) => [
      ...new Set(names.map(byName).filter((market) => market !== undefined)),
    ];
    if (slugs.length > 0) return found(slugs, (slug) => state.market(slug));
    if (tokens.length > 0) return found(tokens, (token) => state.marketOfToken(token));
    if (conditions.length > 0) return found(conditions, (condition) => state.marketOfCondition(condition));
    return null;
  }

  #events(request: Request): Row[] {
    const slugs = queryList(request, 'slug');
    const { state } = this.#options;
    const named = slugs.map((slug) => state.event(slug)).filter((event) => event !== undefined);
    const wanted = slugs.length === 0 ? state.events() : [...new Set(named)];
    const listing = this.#listing();
    return wanted.map((event) => {
      const closed = isListedAsOver(event, listing.nowMs);
      const json = once(() => gammaEvent(event, listing));
      return { id: gammaIdOf(`event:${event.spec.slug}`), active: true, closed, json };
    });
  }

  #marketJson(market: LiveMarket): Json {
    const event = this.#options.state.event(market.event.slug);
    if (event === undefined) throw new Error(`market ${market.spec.slug} is listed without its event`);
    return gammaMarketWithEvent(market, event, this.#listing());
  }

  #listing(): Listing {
    const { prices, clock } = this.#options;
    const nowMs = clock.nowMs();
    return { pricesOf: (market) => prices.pricesOf(market, nowMs), nowMs };
  }
}

function pageSize(request: Request): number {
  return queryCount(request, 'limit', PAGE_USUAL, 0, PAGE_MAX);
}

/**
 * A row of a listing. Its JSON is written only if it is shown, or if its order depends on it: there
 * are thousands of rows.
 */
interface Row {
  readonly id: string;
  readonly active: boolean;
  readonly closed: boolean;
  readonly json: () => Json;
}

function written(rows: readonly Row[]): Json[] {
  return rows.map((row) => row.json());
}

function once(write: () => Json): () => Json {
  let json: Json | null = null;
  return () => {
    json ??= write();
    return json;
  };
}

function compare(a: Row, b: Row, field: string): number {
  if (field === 'id') return Number(a.id) - Number(b.id);
  const [left, right] = [a.json()[field], b.json()[field]];
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  return String(left ?? '').localeCompare(String(right ?? ''));
}

/** The venue's cursor is opaque; ours is the id of the last row, wrapped. */
function cursorOf(row: Row | undefined): string {
  return Buffer.from(`after:${row?.id}`).toString('base64url');
}

function startOf(rows: readonly Row[], cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  return rows.findIndex((row) => cursorOf(row) === cursor) + 1;
}

function send(response: Response, { status, body }: Answer): void {
  response.status(status).json(body);
}

function found(body: unknown): Answer {
  return { status: 200, body };
}

function invalid(error: string): Answer {
  return { status: 422, body: { type: 'validation error', error } };
}
