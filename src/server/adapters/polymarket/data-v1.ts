import { OutsideError } from '#domain/errors';
import type { WalletAddress } from '#domain/ids';
import { reachedOf } from '#domain/rating/page-reach';
import type { TradePage } from '#ports/trade-source';
import { parseTradesV1 } from '#wire/polymarket/data-api-v1';
import type { ParsedTrades } from '#wire/polymarket/trade-row';
import type { HttpJson } from '../http-client/json.js';
import { bodyOf, refusalOf, unreadable } from './venue-answers.js';

/** Whose trades, and of which seconds (both inclusive); null: everybody's, of all times. */
export interface TradeQuery {
  readonly of: { readonly wallet: WalletAddress } | { readonly condition: string } | null;
  readonly range: { readonly fromS: number; readonly toS: number; readonly rows?: number } | null;
}

/** A page is asked for by its offset in the trades up to `endS` (null: up to now). */
interface CursorV1 {
  readonly endS: number | null;
  readonly offset: number;
  /**
   * Where the next window ends: how far back the last page with trades goes; null before the first.
   */
  readonly reachedS: number | null;
}

const PAGE_ROWS = 1_000;
/**
 * The venue answers 400 beyond; it has had lower limits, which are found out by that answer
 * (docs/venue.md, "Trades").
 */
const OFFSET_MAX = 10_000;
/** Trades come into the list within this: a window that ended before does not shift its offsets. */
const SETTLED_S = 120;
const CURSOR = /^v1:(\d{1,12}|-):(\d{1,6}):(\d{1,12}|-)$/;

/** Returns a cursor of the first version, or null if the text is none. */
export function parseCursorV1(text: string | null): CursorV1 | null {
  const match = CURSOR.exec(text ?? '');
  if (match === null) return null;
  const [, end, offset, reached] = match;
  return {
    endS: end === '-' ? null : Number(end),
    offset: Number(offset),
    reachedS: reached === '-' ? null : Number(reached),
  };
}

/**
 * Fetches a page by offset. An offset counts from the newest trade, and trades are made while one
 * pages: so all pages after the first are of the window that ends with the first one's newest
 * trade, and come to an end. Where the offset cannot grow any more, a new window ends at the oldest
 * second of the last page, whose rows come once more. A page may be shorter than asked for because
 * the venue cut it: only an empty one is the end.
 */
export async function fetchPageV1(
  data: HttpJson,
  query: TradeQuery,
  cursor: CursorV1 | null,
  nowS = 0,
): Promise<TradePage> {
  const at = cursor ?? { endS: query.range?.toS ?? null, offset: 0, reachedS: null };
  const answer = await data.get(
    `/trades?${toQueryV1(query, { rows: query.range?.rows ?? PAGE_ROWS, offset: at.offset, endS: at.endS })}`,
    'background',
  );
  if (answer.kind === 'refused' && answer.status === 400 && refusalOf(answer) !== null && at.offset > 0) {
    return fetchPageV1(data, query, nextWindow(data, at), nowS);
  }
  const page = parseTradesV1(bodyOf(data, answer, 'trades'));
  if (page === null) throw unreadable(data, 'a list of trades');
  return {
    ...toPage(data, query, page, at),
    isSeamless: at.offset > 0 && at.endS !== null && at.endS < nowS - SETTLED_S,
  };
}

/** Returns the query of the first version for a list of trades. */
export function toQueryV1(
  { of, range }: TradeQuery,
  { rows, offset, endS }: { rows: number; offset?: number; endS?: number | null },
): URLSearchParams {
  const query = new URLSearchParams({ takerOnly: 'false', limit: String(rows) });
  if (offset !== undefined) query.set('offset', String(offset));
  if (of !== null && 'wallet' in of) query.set('user', of.wallet);
  if (of !== null && 'condition' in of) query.set('market', of.condition);
  if (range !== null) query.set('start', String(range.fromS));
  if (endS !== undefined && endS !== null) query.set('end', String(endS));
  return query;
}

function toPage(data: HttpJson, { range }: TradeQuery, page: ParsedTrades, at: CursorV1): TradePage {
  const { names, skipped, unreadable, unknownS, rows } = page;
  const counts = { names, skipped, unreadable, unknownS };
  const isWanted = (timeS: number) => range === null || (timeS >= range.fromS && timeS <= range.toS);
  const fills = page.fills.filter(({ timeS }) => isWanted(timeS));
  if (rows === 0) return { fills, ...counts, next: null };
  const newestS = page.fills.reduce<number | null>((most, { timeS }) => Math.max(most ?? timeS, timeS), null);
  // By its newest row: one with an ancient time proves of no other that it is older.
  if (range !== null && newestS !== null && newestS < range.fromS) return { fills, ...counts, next: null };
  const next = { endS: at.endS ?? newestS, offset: at.offset + rows, reachedS: reachedOf(page.fills) ?? at.reachedS };
  return { fills, ...counts, next: toText(next.offset > OFFSET_MAX ? nextWindow(data, next) : next) };
}

/**
 * Throws if the window would not shrink: the venue does not heed it, or holds more rows of one
 * second than it lists.
 */
function nextWindow({ upstream }: HttpJson, { endS, reachedS }: CursorV1): CursorV1 {
  if (reachedS === null || (endS !== null && reachedS >= endS)) {
    const what = `lists no more than ${OFFSET_MAX} trades up to ${endS ?? 'now'}; what is older has to come from the chain`;
    throw new OutsideError(upstream, what, { failure: 'final' });
  }
  return { endS: reachedS, offset: 0, reachedS };
}

function toText({ endS, offset, reachedS }: CursorV1): string {
  return `v1:${endS ?? '-'}:${offset}:${reachedS ?? '-'}`;
}
