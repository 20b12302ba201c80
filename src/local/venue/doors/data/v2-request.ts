import type { Request } from 'express';
import { parseCondition } from '#domain/ids';
import { hash32 } from '../../market/deterministic-ids.js';
import { queryFlag, queryText } from '../query.js';
import type { DataOptions } from './data-options.js';
import { type Cursor, readCursor } from './feed-cursor.js';
import { commonFilter, idList, type RowFilter } from './row-filter.js';

const PAGE_USUAL = 100;
const PAGE_MAX = 1_000;
const IDS_MAX = 20;
const AMOUNT_MIN = 0.01;
const YEAR_S = 365 * 86_400;
const YEARS_BACK = 3;

/** A request that the second version of the Data API refuses with 400. */
export class Refused extends Error {}

/**
 * Returns which page is asked for: a cursor binds its page size, and comes with the filters that it
 * was made with. Throws Refused.
 */
export function cursorOf(request: Request, filter: RowFilter, pageRowsMax = 0): Cursor {
  if (request.query.offset !== undefined) throw new Refused('offset is not supported, follow pagination.next_cursor');
  const limit = Number(queryText(request, 'limit') ?? PAGE_USUAL);
  if (!Number.isInteger(limit) || limit < 0 || limit > PAGE_MAX)
    throw new Refused(`limit must be between 0 and ${PAGE_MAX}`);
  const text = queryText(request, 'cursor');
  const rows = limit === 0 ? PAGE_USUAL : limit;
  const filters = nameOf(request, filter);
  if (text === undefined) return { limit: pageRowsMax > 0 ? Math.min(pageRowsMax, rows) : rows, filters, after: null };
  const cursor = readCursor(text);
  if (cursor === null) throw new Refused('invalid cursor');
  if (cursor.filters !== filters) throw new Refused('cursor does not match the filters of this request');
  return cursor;
}

/** The end of a feed that is asked for without one moves with the clock: only what was asked counts. */
function nameOf(request: Request, filter: RowFilter): string {
  const requested = ['start', 'end', 'type'].map((name) => queryText(request, name) ?? '');
  return hash32(JSON.stringify({ ...filter, startS: 0, endS: 0, requested })).slice(2, 18);
}

/** Returns which rows are asked for. Throws Refused. */
export function filterOf(request: Request, options: DataOptions): RowFilter {
  const common = commonFilter(request);
  if (queryText(request, 'user') !== undefined && common.user === null) throw new Refused('invalid user address');
  const conditions = conditionList(request);
  const eventIds = atMost(idList(request, 'event_id'), 'event_id');
  const span = spanOf(common, conditions.length + eventIds.length > 0, Math.floor(options.clock.nowMs() / 1000));
  return {
    ...common,
    ...span,
    conditions,
    eventIds,
    takerOnly: queryFlag(request, 'taker_only') ?? true,
    filterType: queryText(request, 'filter_type') ?? 'TOKENS',
    filterAmount: Number(queryText(request, 'filter_amount') ?? 0) || AMOUNT_MIN,
  };
}

/** Returns the seconds a feed shows: what the caller says counts only on the feed of one wallet. */
function spanOf(requested: Pick<RowFilter, 'user' | 'startS' | 'endS'>, ofMarkets: boolean, nowS: number) {
  const floorS = nowS - YEARS_BACK * YEAR_S;
  if (requested.user !== null)
    return { startS: requested.startS === 0 ? floorS : requested.startS, endS: requested.endS };
  if (ofMarkets) return { startS: floorS, endS: Number.MAX_SAFE_INTEGER };
  const now = new Date(nowS * 1000);
  const startS = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1) / 1000;
  return { startS, endS: Number.MAX_SAFE_INTEGER };
}

/** Returns the condition ids asked for, under any of their three names. Throws Refused. */
export function conditionList(request: Request): string[] {
  const conditions = atMost(idList(request, 'condition', 'condition_id', 'conditionId'), 'condition');
  const malformed = conditions.find((id) => parseCondition(id) === null);
  if (malformed !== undefined) throw new Refused(`invalid condition id: ${malformed}`);
  return conditions;
}

/** Returns the list. Throws Refused where it is longer than the venue takes. */
export function atMost(ids: string[], name: string): string[] {
  if (new Set(ids).size > IDS_MAX) throw new Refused(`at most ${IDS_MAX} distinct ${name} values`);
  return ids;
}
