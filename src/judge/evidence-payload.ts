import type { EvidencePayload } from '#api/evidence';
import type { OrderRequest } from '#api/order-request';
import type { BookHashFields } from '#domain/book/book';
import type { LevelText } from '#domain/book/hashed-text';
import type { Market, Outcome } from '#domain/market';
import type { OrderFacts } from '#domain/order/order-facts';
import type { Rules } from '#domain/order/rules';
import type { Assessment } from './assess.js';
import type { LiveVerdict } from './verdict-body.js';

/** Where order verdicts are sold: `endpoint` of the response hash, under the issuer's address. */
const ENDPOINT = '/api/preflight_trade';

/** A book as it was when it was judged. */
export interface JudgedBook {
  readonly timestampMs: number;
  readonly ageMs: number;
  readonly listed: boolean;
  /** Whether REST was asked about these levels and showed the same. */
  readonly rechecked: boolean;
  /** null if the levels do not reproduce one. */
  readonly venueHash: string | null;
  readonly hashFields: BookHashFields;
  /** Every level, the best last. */
  readonly bids: readonly LevelText[];
  readonly asks: readonly LevelText[];
}

/** What stands behind one answer. */
export interface Judged {
  readonly request: OrderRequest;
  readonly market: Pick<
    Market,
    'slug' | 'question' | 'conditionId' | 'fee' | 'minOrderShares' | 'matchingDelayS' | 'gameDueMs' | 'status'
  >;
  readonly outcome: Outcome;
  readonly book: JudgedBook;
  readonly assessment: Pick<Assessment, 'codes'> & { readonly facts: Pick<OrderFacts, 'rules'> };
  readonly body: LiveVerdict;
}

export interface Engine {
  readonly version: string;
  readonly sourceSha256: string;
}

type Unhashed = Omit<EvidencePayload, 'response_hash'>;

/**
 * Returns the payload without its response hash. What is signed are the numbers of the answer,
 * never computed again.
 */
export function toUnhashedPayload(issuer: string, engine: Engine, judged: Judged): Unhashed {
  const { request, market, outcome, book, assessment, body } = judged;
  const { rules } = assessment.facts;
  // What these add follows from the rest, so it is no part of what is signed.
  const { plan: _, exit: _exit, limit_price: _price, post_only: _postOnly, ...asked } = request;
  return {
    v: rules,
    issuer,
    engine: { version: engine.version, source_sha256: engine.sourceSha256 },
    asked_at: body.meta.evaluated_at,
    request: { ...asked, evidence: 1 },
    market: toMarket(market, outcome, rules),
    book: toBook(book, rules),
    result: {
      verdict: body.verdict,
      reason_codes: [...assessment.codes],
      reasons: body.reasons,
      order: body.order,
      numbers: body.numbers,
      thresholds: body.meta.thresholds,
    },
  };
}

/** Returns what the response hash covers. */
export function responseOf({ issuer, request, result, book }: Unhashed, method: string) {
  return {
    endpoint: issuer + ENDPOINT,
    inputs: request,
    result,
    method,
    dataVintage: new Date(book.timestamp_ms).toISOString(),
  };
}

function toMarket(market: Judged['market'], outcome: Outcome, rules: Rules): EvidencePayload['market'] {
  const { rate, exponent, category, known } = market.fee;
  const { active, closed, acceptingOrders, orderBookEnabled, umaResolutionStatus } = market.status;
  return {
    slug: market.slug,
    question: market.question,
    outcome: outcome.label,
    token_id: outcome.tokenId,
    condition_id: market.conditionId,
    fee: { rate, exponent, category, known },
    min_order_shares: market.minOrderShares,
    matching_delay_s: market.matchingDelayS,
    ...(rules === 1 ? {} : { game_due_at: toMoment(market.gameDueMs) }),
    status: {
      active,
      closed,
      accepting_orders: acceptingOrders,
      order_book_enabled: orderBookEnabled,
      uma_resolution_status: umaResolutionStatus,
    },
  };
}

function toMoment(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

function toBook(book: JudgedBook, rules: Rules): EvidencePayload['book'] {
  const { timestampMs, ageMs, listed, rechecked, venueHash, hashFields, bids, asks } = book;
  return {
    timestamp_ms: timestampMs,
    confirmed_age_ms: ageMs,
    listed,
    ...(rules === 1 ? {} : { rechecked }),
    venue_hash: venueHash,
    hash_fields: {
      min_order_size: hashFields.minOrderSize,
      tick_size: hashFields.tickSize,
      neg_risk: hashFields.negRisk,
      last_trade_price: hashFields.lastTradePrice,
    },
    bids: [...bids],
    asks: [...asks],
  };
}
