import express, { type Request, type Response, type Router } from 'express';
import { parseWallet } from '#domain/ids';
import { gammaIdOf } from './deterministic-ids.js';
import { queryCount, queryFlag, queryList, queryText } from './query.js';
import type { Tape, TapeRow } from './tape.js';

const TRADES_MAX = 10_000;
const OFFSET_MAX = 10_000;
const ACTIVITY_MAX = 500;
const PAGE_USUAL = 100;

/** The Data API in its first version: who traded what. Newest first, by limit and offset. */
export function dataRoutes(tape: Tape): Router {
  const router = express.Router();
  router.get('/', (_, response) => void response.json({ data: 'OK' }));
  router.get('/trades', (request, response) => {
    const takerOnly = queryFlag(request, 'takerOnly') ?? true;
    const rows = matching(tape, request).filter((row) => row.taker || !takerOnly);
    answerPage(request, response, rows, TRADES_MAX, tradeJson);
  });
  router.get('/activity', (request, response) => {
    if (parseWallet(queryText(request, 'user') ?? '') === null) {
      response.status(400).json({ error: "required query param 'user' not provided" });
      return;
    }
    const types = queryList(request, 'type');
    const rows = types.length === 0 || types.includes('TRADE') ? matching(tape, request) : [];
    answerPage(request, response, rows, ACTIVITY_MAX, activityJson);
  });
  return router;
}

function answerPage(
  request: Request,
  response: Response,
  rows: readonly TapeRow[],
  limitMax: number,
  toJson: (row: TapeRow) => unknown,
): void {
  const offset = queryCount(request, 'offset', 0, 0, Number.MAX_SAFE_INTEGER);
  if (offset > OFFSET_MAX) {
    response.status(400).json({ error: `max historical activity offset of ${OFFSET_MAX} exceeded` });
    return;
  }
  const limit = queryCount(request, 'limit', PAGE_USUAL, 0, limitMax);
  response.json(rows.slice(offset, offset + limit).map(toJson));
}

function matching(tape: Tape, request: Request): TapeRow[] {
  const user = parseWallet(queryText(request, 'user') ?? '');
  const conditions = queryList(request, 'market');
  const events = queryList(request, 'eventId');
  const side = queryText(request, 'side');
  const start = Number(queryText(request, 'start') ?? 0);
  const end = Number(queryText(request, 'end') ?? Number.MAX_SAFE_INTEGER);
  return tape
    .newestFirst()
    .filter((row) => user === null || row.wallet.address === user)
    .filter((row) => conditions.length === 0 || conditions.includes(row.market.ids.conditionId))
    .filter((row) => events.length === 0 || events.includes(gammaIdOf(`event:${row.market.event.slug}`)))
    .filter((row) => side === undefined || row.side === side)
    .filter((row) => row.timestampS >= start && row.timestampS <= end)
    .filter((row) => isLargeEnough(row, request));
}

function isLargeEnough(row: TapeRow, request: Request): boolean {
  const least = Number(queryText(request, 'filterAmount') ?? 0);
  return (queryText(request, 'filterType') === 'CASH' ? row.shares * row.price : row.shares) >= least;
}

function tradeJson(row: TapeRow): Record<string, unknown> {
  const { wallet, market } = row;
  return {
    proxyWallet: wallet.address,
    side: row.side,
    asset: market.ids.tokenIds[row.outcome],
    conditionId: market.ids.conditionId,
    size: row.shares,
    price: row.price,
    timestamp: row.timestampS,
    ...aboutMarket(row),
    ...aboutWallet(row),
    transactionHash: row.transactionHash,
  };
}

function activityJson(row: TapeRow): Record<string, unknown> {
  return {
    proxyWallet: row.wallet.address,
    timestamp: row.timestampS,
    conditionId: row.market.ids.conditionId,
    type: 'TRADE',
    size: row.shares,
    usdcSize: Math.round(row.shares * row.price * 1e6) / 1e6,
    transactionHash: row.transactionHash,
    price: row.price,
    asset: row.market.ids.tokenIds[row.outcome],
    side: row.side,
    ...aboutMarket(row),
    ...aboutWallet(row),
  };
}

function aboutMarket({ market, outcome }: TapeRow): Record<string, unknown> {
  return {
    title: market.spec.question,
    slug: market.spec.slug,
    icon: '',
    eventSlug: market.event.slug,
    outcome: market.spec.outcomes[outcome],
    outcomeIndex: outcome,
  };
}

function aboutWallet({ wallet }: TapeRow): Record<string, unknown> {
  return { name: wallet.name, pseudonym: wallet.pseudonym, bio: '', profileImage: '', profileImageOptimized: '' };
}
