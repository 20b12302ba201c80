import express, { type Request, type Response, type Router } from 'express';
import type { StampedRow } from '../../market/tape-rows.js';
import { queryCount, queryFlag, queryList, queryText } from '../query.js';
import { creditsOf } from './credits.js';
import type { DataOptions } from './data-options.js';
import { activityJson, creditJson, tradeJson } from './data-rows.js';
import { commonFilter, idList, matches, type RowFilter } from './row-filter.js';
import { sendRows } from './send-rows.js';

const TRADES_MAX = 10_000;
const OFFSET_MAX = 10_000;
const ACTIVITY_MAX = 500;
const PAGE_USUAL = 100;

/**
 * The Data API in its first version: who traded what. Newest first, by limit (clamped) and offset
 * (refused beyond its cap).
 */
export function dataV1Routes(options: DataOptions): Router {
  const router = express.Router();
  router.get('/', (_, response) => void response.json({ data: 'OK' }));
  router.get('/trades', (request, response) => {
    const page = pageOf(request, response, TRADES_MAX);
    if (page !== null) sendRows(response, sliced(rowsFor(request, options), page).map(tradeJson), options.faults);
  });
  router.get('/activity', (request, response) => answerActivity(request, response, options));
  return router;
}

function answerActivity(request: Request, response: Response, options: DataOptions): void {
  const filter = filterOf(request, false);
  if (filter.user === null) {
    response.status(400).json({ error: "required query param 'user' not provided" });
    return;
  }
  const page = pageOf(request, response, ACTIVITY_MAX);
  if (page === null) return;
  const types = queryList(request, 'type');
  const wanted = (type: string) => types.length === 0 || types.includes(type);
  const trades = wanted('TRADE') ? sliced(rowsFor(request, options, false), { offset: 0, end: page.end }) : [];
  const credits = creditsOf(filter.user, options).filter(
    (credit) => wanted(credit.type) && isCreditWanted(credit, filter),
  );
  const all = [
    ...trades.map((row) => ({ timestampS: row.timestampS, json: activityJson(row) })),
    ...credits.map((credit) => ({ timestampS: credit.timestampS, json: creditJson(credit) })),
  ].sort((a, b) => b.timestampS - a.timestampS);
  sendRows(
    response,
    all.slice(page.offset, page.end).map(({ json }) => json),
    options.faults,
  );
}

function isCreditWanted(credit: ReturnType<typeof creditsOf>[number], filter: RowFilter): boolean {
  const { conditions, side, startS, endS } = filter;
  if (side !== null || credit.timestampS < startS || credit.timestampS > endS) return false;
  return conditions.length === 0 || conditions.includes(credit.row?.market.ids.conditionId ?? '');
}

interface Page {
  readonly offset: number;
  /** The row after the last one. */
  readonly end: number;
}

/** Returns which rows are asked for, or null if the request has been refused. */
function pageOf(request: Request, response: Response, limitMax: number): Page | null {
  const offset = queryCount(request, 'offset', 0, 0, Number.MAX_SAFE_INTEGER);
  if (offset > OFFSET_MAX) {
    response.status(400).json({ error: `max historical activity offset of ${OFFSET_MAX} exceeded` });
    return null;
  }
  return { offset, end: offset + queryCount(request, 'limit', PAGE_USUAL, 0, limitMax) };
}

function* rowsFor(request: Request, { tape }: DataOptions, takerOnly?: boolean): Generator<StampedRow> {
  const filter = filterOf(request, takerOnly ?? queryFlag(request, 'takerOnly') ?? true);
  for (const row of tape.newestFirst(filter)) if (matches(row, filter)) yield row;
}

function filterOf(request: Request, takerOnly: boolean): RowFilter {
  return {
    ...commonFilter(request),
    conditions: idList(request, 'market'),
    eventIds: idList(request, 'eventId'),
    takerOnly,
    filterType: queryText(request, 'filterType') ?? 'TOKENS',
    filterAmount: Number(queryText(request, 'filterAmount') ?? 0) || 0,
  };
}

function sliced<T>(rows: Iterable<T>, { offset, end }: Page): T[] {
  const found: T[] = [];
  let at = 0;
  for (const row of rows) {
    if (at >= end) break;
    if (at++ >= offset) found.push(row);
  }
  return found;
}
