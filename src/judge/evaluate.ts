import type { EvaluateRequest } from '#api/evaluate/evaluate-request';
import type { PlanMembers } from '#api/order-plan';
import type { OrderVerdict } from '#api/order-verdict';
import type { Level } from '#domain/book/book';
import { crossedBook, Ladder } from '#domain/book/ladder';
import { parsePriceTicks, parseSizeMicros } from '#domain/decimal';
import { parseTokenId } from '#domain/ids';
import { FEE_UNKNOWN } from '#domain/market';
import { assess } from './assess.js';
import { toExitMembers } from './exit-members.js';
import { toLimitMembers } from './limit-members.js';
import { toPlanMembers } from './plan-members.js';
import { thresholdsOf, toVerdictBody } from './verdict-body.js';

const NOTE = 'Computed on the book that you sent. Nothing was looked up, charged or stored.';
const NO_TOKEN = parseTokenId('0')!;
/** It is not known, and the order is judged as if it took orders. */
const OPEN = { active: true, closed: false, acceptingOrders: true, orderBookEnabled: true, umaResolutionStatus: '' };

/**
 * Judges an order on a book that the caller brings, by the code of live verdicts: the answer of
 * preflight_trade without a market, evidence and charge (docs/interface.md, "Evaluate"). Pure.
 */
export function evaluate(request: EvaluateRequest, nowMs: number): OrderVerdict {
  const { order, book, minOrderShares, tickSize, negRisk, age_s: ageS, matching_delay_s: matchingDelayS } = request;
  const [bids, asks] = [ladderOf('bids', book.bids), ladderOf('asks', book.asks)];
  const market = {
    slug: '',
    question: '',
    fee: request.fee ?? FEE_UNKNOWN,
    minOrderShares,
    matchingDelayS,
    gameDueMs: request.game_due_at == null ? null : Date.parse(request.game_due_at),
    status: OPEN,
  };
  const thresholds = thresholdsOf(order);
  const evaluatedAtMs = request.evaluated_at === undefined ? nowMs : Date.parse(request.evaluated_at);
  const question = {
    side: order.side,
    usd: order.usd,
    thresholds,
    market,
    book: { bids, asks, listed: true, crossed: crossedBook(bids, asks), rechecked: request.rechecked },
    bookAgeMs: Math.round(ageS * 1e3),
    evaluatedAtMs,
  };
  const assessment = assess(question);
  const tokenId = parseTokenId(book.tokenId ?? '');
  const outcome = { label: '', tokenId: tokenId ?? NO_TOKEN };
  const body = toVerdictBody(market, outcome, assessment, thresholds, evaluatedAtMs);
  const context = { tickSize, negRisk, body, assessment, other: null };
  return {
    ...body,
    market: { slug: null, question: null, outcome: null, token_id: body.market.token_id },
    ...(order.plan === undefined ? null : planOf(toPlanMembers(question, context), tokenId)),
    ...(order.exit === undefined ? null : toExitMembers(question, context)),
    ...(order.limit_price === undefined
      ? null
      : toLimitMembers(question, { price: order.limit_price, postOnly: order.post_only !== undefined, tickSize })),
    note: [NOTE, ...request.remarks].join(' '),
  } as OrderVerdict;
}

/** An order that is to be sent names no token where the book named none: 0 would be one. */
function planOf(members: PlanMembers, tokenId: string | null): PlanMembers {
  if (tokenId !== null) return members;
  const remedies = members.remedies.map((remedy) => ({ ...remedy, order: withoutToken(remedy.order) }));
  return members.plan === null ? { ...members, remedies } : { ...members, plan: withoutToken(members.plan), remedies };
}

function withoutToken<Order extends { readonly token_id?: string | undefined }>({ token_id: _, ...order }: Order) {
  return order;
}

function ladderOf(kind: 'bids' | 'asks', levels: readonly (readonly [string, string])[]): Ladder {
  const ladder = new Ladder(kind);
  ladder.replace(levels.map(levelOf));
  return ladder;
}

function levelOf([price, size]: readonly [string, string]): Level {
  return { priceTicks: parsePriceTicks(price)!, sizeMicros: parseSizeMicros(size)! };
}
