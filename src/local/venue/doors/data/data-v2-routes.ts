import express, { type Request, type Response, type Router } from 'express';
import { isLater, type Position, type StampedRow } from '../../market/tape-rows.js';
import { queryList } from '../query.js';
import { creditsOf } from './credits.js';
import type { DataOptions } from './data-options.js';
import { activityJson, creditJson, inSnakeCase, tradeJson } from './data-rows.js';
import { type Cursor, cursorText } from './feed-cursor.js';
import { resolutionJson } from './resolution-json.js';
import { idList, matches } from './row-filter.js';
import { sendRows } from './send-rows.js';
import { atMost, conditionList, cursorOf, filterOf, Refused } from './v2-request.js';

type Json = Record<string, unknown>;

/**
 * The Data API in its second version (2026-09-04): an envelope {data, pagination}, snake_case,
 * pages by an opaque cursor, newest first. What is out of bounds is refused with 400, never
 * clamped. `start` and `end` count only together with `user`; a condition shows three years; the
 * bare feed shows the current and the previous month (UTC).
 */
export function dataV2Routes(options: DataOptions): Router {
  const router = express.Router();
  router.use((_, response, next) => {
    if (options.faults.dataV2Missing) response.status(404).json({ error: 'not found' });
    else next();
  });
  router.get('/trades', (request, response) => answer(response, () => answerTrades(request, response, options)));
  router.get('/activity', (request, response) => answer(response, () => answerActivity(request, response, options)));
  router.get('/resolutions', (request, response) =>
    answer(response, () => answerResolutions(request, response, options)),
  );
  return router;
}

function answer(response: Response, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    response.status(400).json({ error: error.message });
  }
}

function answerTrades(request: Request, response: Response, options: DataOptions): void {
  const filter = filterOf(request, options);
  const cursor = cursorOf(request, filter, options.faults.pageRowsMax);
  const page: Feed[] = [];
  for (const row of options.tape.newestFirst({ ...filter, after: cursor.after })) {
    if (!matches(row, filter)) continue;
    page.push({ position: row, json: () => inSnakeCase(tradeJson(row)) });
    if (page.length > cursor.limit) break;
  }
  sendPage(response, page, cursor, options);
}

function answerActivity(request: Request, response: Response, options: DataOptions): void {
  const filter = { ...filterOf(request, options), takerOnly: false };
  if (filter.user === null) throw new Refused("required query param 'user' not provided");
  const cursor = cursorOf(request, filter);
  const types = queryList(request, 'type');
  const wanted = (type: string) => types.length === 0 || types.includes(type);
  const trades = wanted('TRADE') ? [...options.tape.newestFirst(filter)].filter((row) => matches(row, filter)) : [];
  const credits = filter.side === null ? creditsOf(filter.user, options).filter(({ type }) => wanted(type)) : [];
  const feed: Feed[] = [
    ...trades.map((row: StampedRow) => ({ position: row, json: () => inSnakeCase(activityJson(row)) })),
    ...credits
      .filter(({ timestampS }) => timestampS >= filter.startS && timestampS <= filter.endS)
      .filter(({ row }) => isAmong(filter.conditions, row?.market.ids.conditionId ?? ''))
      .map((credit, at) => ({
        position: { timestampS: credit.timestampS, sequence: -1 - at },
        json: () => inSnakeCase(creditJson(credit)),
      })),
  ];
  const after = cursor.after;
  const left = feed.filter(({ position }) => after === null || isLater(after, position));
  sendPage(
    response,
    left.sort((a, b) => (isLater(a.position, b.position) ? -1 : 1)).slice(0, cursor.limit + 1),
    cursor,
    options,
  );
}

function answerResolutions(request: Request, response: Response, { state, faults }: DataOptions): void {
  const conditions = conditionList(request);
  const events = idList(request, 'event_id');
  if ((conditions.length === 0) === (events.length === 0)) {
    throw new Refused('exactly one of question_id, condition, event_id is required');
  }
  atMost(events, 'event_id');
  const markets =
    conditions.length > 0 ? conditions.map((id) => state.marketOfCondition(id)) : state.marketsOfEvents(events);
  const rows = markets.flatMap((market) => (market === undefined ? [] : resolutionJson(market)));
  sendRows(response, rows, faults, (data) => ({ data }));
}

/** One row of a page before it is written. */
interface Feed {
  readonly position: Position;
  readonly json: () => Json;
}

/** Sends at most `limit` of the rows; one more than that says that there is a next page. */
function sendPage(response: Response, rows: readonly Feed[], cursor: Cursor, { faults }: DataOptions): void {
  const { limit } = cursor;
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const more = rows.length > limit && last !== undefined;
  const pagination = {
    limit,
    has_more: more,
    next_cursor: more ? cursorText({ ...cursor, after: last.position }) : null,
  };
  sendRows(
    response,
    page.map(({ json }) => json()),
    faults,
    (data) => ({ data, pagination }),
  );
}

function isAmong(ids: readonly string[], id: string): boolean {
  return ids.length === 0 || ids.includes(id);
}
