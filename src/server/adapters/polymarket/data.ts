import { OutsideError } from '#domain/errors';
import type { TradePage, TradeSource } from '#ports/trade-source';
import type { Upstream } from '#ports/venue';
import type { Clock } from '#system/clock';
import { parseTradesV2 } from '#wire/polymarket/data-api-v2';
import type { CallBudget, HttpJson, HttpJsonLimits, JsonAnswer } from '../http-client/json.js';
import { fetchPageV1, parseCursorV1, type TradeQuery, toQueryV1 } from './data-v1.js';
import { bodyOf, isAbsent, unreadable } from './venue-answers.js';

/**
 * A page is up to a megabyte, and nobody waits for it but a job: patience costs less than a lost
 * page.
 */
export const DATA_BUDGET: CallBudget = { attemptTimeoutMs: 15_000, attemptsMax: 5 };
export const DATA_LIMITS: Partial<HttpJsonLimits> = {
  callsInFlightMax: 8,
  // Whether a wallet ever traded is asked while a caller waits.
  backgroundInFlightMax: 7,
  backoffFirstMs: 250,
  backoffMaxMs: 5_000,
  breakerFailures: 10,
  breakerPauseMs: 5_000,
  // A page that is asked for a minute later is worth more than a walk that ends.
  throttleWaitMaxMs: 60_000,
  throttleMaxMs: 60_000,
};

/** Rows a page of the second version is asked for: one more is refused with 400. */
const PAGE_ROWS = 1_000;
/**
 * How long the first version is asked where the second one answered 404, before it is tried again.
 */
const V2_ABSENT_MS = 600_000;
const CURSOR_V2 = 'v2:';

export interface PolymarketDataOptions {
  readonly data: HttpJson;
  readonly clock: Clock;
}

export type PolymarketData = TradeSource & Upstream;

/**
 * Returns the venue's trades by its Data API, maker fills included. The second version (by cursor)
 * is asked first, the first one (by offset and window) where there is no second; a walk stays with
 * the version it began with. A cursor that the venue does not take (any more) is an OutsideError
 * with status 400: begin again without one.
 */
export function createPolymarketData({ data, clock }: PolymarketDataOptions): PolymarketData {
  let v2AbsentUntilMs = Number.NEGATIVE_INFINITY;

  async function fetchPage(query: TradeQuery, cursor: string | null): Promise<TradePage> {
    const v1 = parseCursorV1(cursor);
    const nowS = Math.floor(clock.nowMs() / 1e3);
    if (v1 !== null) return fetchPageV1(data, query, v1, nowS);
    if (cursor === null && clock.elapsedMs() < v2AbsentUntilMs) return fetchPageV1(data, query, null, nowS);
    const answer = await data.get(`/v2/trades?${toQueryV2(query, cursor)}`, 'background');
    if (!isAbsent(answer)) return toPageV2(data, query, answer, cursor);
    if (cursor !== null) throw new OutsideError(data.upstream, 'has no pages by cursor any more', GONE);
    v2AbsentUntilMs = clock.elapsedMs() + V2_ABSENT_MS;
    return fetchPageV1(data, query, null, nowS);
  }

  return {
    fetchWalletTrades: (wallet, range, cursor) => fetchPage({ of: { wallet }, range }, cursor),
    fetchMarketTrades: (condition, range, cursor) => fetchPage({ of: { condition }, range }, cursor),
    fetchTrades: (cursor) => fetchPage({ of: null, range: null }, cursor),
    async hasTraded(wallet) {
      const answer = await data.get(`/v2/trades?user=${wallet}&taker_only=false&start=1&limit=1`);
      const isV2 = !isAbsent(answer);
      if (isV2 && rowsOf(data, parseTradesV2(bodyOf(data, answer, 'trades'))) > 0) return true;
      // "Never" is the word of both versions, as far as both are there: one alone may have lost its
      // rows.
      const query: TradeQuery = { of: { wallet }, range: null };
      const second = await data.get(`/trades?${toQueryV1(query, { rows: 1 })}`);
      if (isV2 && isAbsent(second)) return false;
      const rows = bodyOf(data, second, 'trades');
      if (!Array.isArray(rows)) throw unreadable(data, 'a list of trades');
      return rows.length > 0;
    },
    health: data.health,
    probe: data.probe,
  };
}

const GONE = { failure: 'final', status: 400 } as const;

function rowsOf(data: HttpJson, page: { readonly rows: number } | null): number {
  if (page === null) throw unreadable(data, 'a page of trades');
  return page.rows;
}

/**
 * Only a wallet's trades heed `start` and `end`; without `start` they go back three years
 * (docs/venue.md, "Trades"). A cursor comes with the filters of the page that gave it, all of them
 * and as they were: the venue takes it with no others.
 */
function toQueryV2({ of, range }: TradeQuery, cursor: string | null): URLSearchParams {
  const query = new URLSearchParams({ taker_only: 'false', limit: String(range?.rows ?? PAGE_ROWS) });
  if (of !== null && 'wallet' in of) {
    query.set('user', of.wallet);
    query.set('start', String(Math.max(1, range?.fromS ?? 1)));
    if (range !== null) query.set('end', String(range.toS));
  }
  if (of !== null && 'condition' in of) query.set('condition', of.condition);
  if (cursor !== null) query.set('cursor', cursor.slice(CURSOR_V2.length));
  return query;
}

/**
 * A market's trades do not heed the range, so that the page is cut to it here, and the walk ends
 * where it is left behind.
 */
function toPageV2(data: HttpJson, { range }: TradeQuery, answer: JsonAnswer, cursor: string | null): TradePage {
  const page = parseTradesV2(bodyOf(data, answer, 'trades'));
  if (page === null) throw unreadable(data, 'a page of trades');
  const { names, skipped, unreadable: unreadableRows, unknownS, nextCursor } = page;
  // The cursor is the place of a row: equal rows on two pages are different fills.
  const counts = { names, skipped, unreadable: unreadableRows, unknownS, isSeamless: cursor !== null };
  const next = nextCursor === null ? null : `${CURSOR_V2}${nextCursor}`;
  if (next !== null && next === cursor) {
    throw new OutsideError(data.upstream, 'answered a page whose next page is itself', { failure: 'final' });
  }
  if (range === null) return { fills: page.fills, ...counts, next };
  const fills = page.fills.filter(({ timeS }) => timeS >= range.fromS && timeS <= range.toS);
  const isPast = page.fills.length > 0 && page.fills.every(({ timeS }) => timeS < range.fromS);
  return { fills, ...counts, next: isPast ? null : next };
}
