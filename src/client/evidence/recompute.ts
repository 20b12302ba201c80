import type { EvidencePayload } from '#api/evidence';
import type { ExitMembers } from '#api/order-exit';
import type { PlanMembers } from '#api/order-plan';
import { levelTexts } from '#domain/book/hashed-text';
import { crossedBook, type Ladder } from '#domain/book/ladder';
import { parseTokenId, toConditionId } from '#domain/ids';
import { assess } from '#judge/assess';
import { type JudgedBook, responseOf, toUnhashedPayload } from '#judge/evidence-payload';
import { toExitMembers } from '#judge/exit-members';
import { toLimitMembers } from '#judge/limit-members';
import { toPlanMembers } from '#judge/plan-members';
import { type LiveVerdict, thresholdsOf, toVerdictBody } from '#judge/verdict-body';
import { ladderOf, marketStatusOf, momentMsOf } from './reported-book.js';

/**
 * The answer as it has to be, and the payload as it has to be, both computed from what the payload
 * says went in.
 */
export interface Recomputed {
  readonly body: LiveVerdict;
  readonly payload: Omit<EvidencePayload, 'response_hash'>;
  readonly book: JudgedBook;
  /** What the response hash has to cover. */
  readonly response: object;
  /**
   * What a plan has to be. Which exchange it is signed for is reported where the venue did not say it
   * with the book.
   */
  planOf(toldNegRisk: boolean): PlanMembers;
  /** What an exit has to be, but for the other outcome, whose book is no part of evidence. */
  exitOf(): ExitMembers;
  /** What a resting order at that price has to be. */
  limitOf(price: number, postOnly: boolean): object;
}

/**
 * Computes an answer again from its evidence, by the rules that it was made by. Throws on a payload
 * that is none: check its signature first.
 */
export function recompute(payload: EvidencePayload): Recomputed {
  const { v: rules, request, engine, asked_at } = payload;
  const [bids, asks] = [ladderOf('bids', payload.book.bids), ladderOf('asks', payload.book.asks)];
  const book = bookOf(payload.book, bids, asks);
  const market = marketOf(payload.market);
  const outcome = { label: payload.market.outcome, tokenId: parseTokenId(payload.market.token_id)! };
  const thresholds = thresholdsOf(request);
  const { side, usd } = request;
  const { listed, rechecked, ageMs: bookAgeMs } = book;
  const sides = { bids, asks, listed, rechecked, crossed: crossedBook(bids, asks) };
  const evaluatedAtMs = Date.parse(asked_at);
  const question = { rules, side, usd, thresholds, market, book: sides, bookAgeMs, evaluatedAtMs };
  const assessment = assess(question);
  const body = toVerdictBody(market, outcome, assessment, thresholds, evaluatedAtMs);
  const named = { version: engine.version, sourceSha256: engine.source_sha256 };
  const judged = { request, market, outcome, book, assessment, body };
  const again = toUnhashedPayload(payload.issuer, named, judged);
  const { tickSize, negRisk } = book.hashFields;
  return {
    body,
    payload: again,
    book,
    response: responseOf(again, body.meta.method),
    exitOf: () => toExitMembers(question, { assessment, tickSize, other: null }),
    limitOf: (price, postOnly) => toLimitMembers(question, { price, postOnly, tickSize }),
    planOf: (reported) =>
      toPlanMembers(question, { tickSize, negRisk: negRisk ?? reported, body, assessment, other: null }),
  };
}

function marketOf(received: EvidencePayload['market']) {
  return {
    slug: received.slug,
    question: received.question,
    conditionId: toConditionId(received.condition_id),
    fee: received.fee,
    minOrderShares: received.min_order_shares,
    matchingDelayS: received.matching_delay_s,
    gameDueMs: momentMsOf(received.game_due_at),
    status: marketStatusOf(received.status),
  };
}

function bookOf({ hash_fields, ...recorded }: EvidencePayload['book'], bids: Ladder, asks: Ladder): JudgedBook {
  return {
    timestampMs: recorded.timestamp_ms,
    ageMs: recorded.confirmed_age_ms,
    listed: recorded.listed,
    rechecked: recorded.rechecked ?? false,
    venueHash: recorded.venue_hash,
    hashFields: {
      minOrderSize: hash_fields.min_order_size,
      tickSize: hash_fields.tick_size,
      negRisk: hash_fields.neg_risk,
      lastTradePrice: hash_fields.last_trade_price,
    },
    bids: levelTexts(bids),
    asks: levelTexts(asks),
  };
}
