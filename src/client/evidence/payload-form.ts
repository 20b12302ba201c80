import { parsePriceTicks, parseSizeMicros } from '#domain/decimal';
import { parseTokenId } from '#domain/ids';
import { asObject } from '#domain/json';
import { FEE_EXPONENT_MAX, FEE_RATE_MAX } from '#domain/market';
import { TICKS_PER_USD } from '#domain/money';
import { BOOK_AGE_S_MAX, SLIPPAGE_CENTS_MAX, USD_MAX } from '#domain/order/thresholds';
import {
  above0,
  between,
  DATE_MS_MAX,
  type Form,
  finite,
  flag,
  listOf,
  matching,
  maybe,
  members,
  moment,
  notNegative,
  oneOf,
  orNull,
  text,
  that,
  url,
  wholeBetween,
} from './forms.js';

/**
 * The form of evidence (src/shared/api/evidence.ts) with the bounds that the engine is made for,
 * written without a library, because it also runs in pages. It is looked at before anything is
 * computed: outside these bounds a sum of the engine may take for ever.
 */

/** Each price of a side once: a market has no more. */
const LEVELS_MAX = TICKS_PER_USD - 1;

const tokenId = that((value) => typeof value === 'string' && parseTokenId(value) !== null);
const level: Form = that((value) => {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [price, size] = value;
  if (typeof price !== 'string' || typeof size !== 'string') return false;
  const [ticks, micros] = [parsePriceTicks(price), parseSizeMicros(size)];
  return ticks !== null && micros !== null && ticks > 0 && ticks < TICKS_PER_USD;
});
const levels = listOf(level, { min: 0, max: LEVELS_MAX });
const texts = listOf(text, { min: 1, max: 100 });

const side = oneOf('BUY', 'SELL');

const numbers = members({
  best_price: between(0, 1),
  expected_vwap: between(0, 1),
  expected_slippage_cents: notNegative,
  visible_depth_usd: notNegative,
  order_vs_depth_pct: notNegative,
  taker_fee_usd: notNegative,
  fee_drag_cents_per_share: notNegative,
  fee_category: text,
  safe_size_usd: notNegative,
  book_age_seconds: notNegative,
});

const thresholds = members({
  slippage_caution_cents: finite,
  slippage_veto_cents: finite,
  depth_caution_fraction: finite,
  book_stale_veto_seconds: finite,
  note: text,
});

/** What differs between the forms of evidence: its `v`, and what that one has. */
interface Version {
  readonly v: number;
  readonly exponent: Form;
  readonly ofMarket: Readonly<Record<string, Form>>;
  readonly ofBook: Readonly<Record<string, Form>>;
}

const payloadFormOf = ({ v, exponent, ofMarket, ofBook }: Version): Form =>
  members({
    v: oneOf(v),
    issuer: url,
    engine: members({ version: text, source_sha256: matching(/^[0-9a-f]{64}$/) }),
    asked_at: moment,
    request: members({
      slug: maybe(text),
      outcome: maybe(text),
      token_id: maybe(text),
      side,
      usd: above0(USD_MAX),
      max_slippage_c: between(0, SLIPPAGE_CENTS_MAX),
      veto_slippage_c: between(0, SLIPPAGE_CENTS_MAX),
      max_book_age_s: above0(BOOK_AGE_S_MAX),
      evidence: oneOf(1),
    }),
    market: members({
      slug: text,
      question: text,
      outcome: text,
      token_id: tokenId,
      condition_id: text,
      fee: members({
        rate: between(0, FEE_RATE_MAX),
        exponent,
        category: text,
        known: flag,
      }),
      min_order_shares: notNegative,
      matching_delay_s: notNegative,
      ...ofMarket,
      status: members({
        active: flag,
        closed: flag,
        accepting_orders: flag,
        order_book_enabled: flag,
        uma_resolution_status: text,
      }),
    }),
    book: members({
      timestamp_ms: wholeBetween(0, DATE_MS_MAX),
      confirmed_age_ms: wholeBetween(0, Number.MAX_SAFE_INTEGER),
      listed: flag,
      ...ofBook,
      venue_hash: orNull(text),
      hash_fields: members({
        min_order_size: orNull(text),
        tick_size: orNull(text),
        neg_risk: orNull(flag),
        last_trade_price: orNull(text),
      }),
      bids: levels,
      asks: levels,
    }),
    result: members({
      verdict: oneOf('OK', 'CAUTION', 'VETO'),
      reason_codes: texts,
      reasons: texts,
      order: members({ side, usd: finite }),
      numbers,
      thresholds,
    }),
    response_hash: matching(/^sha256:[0-9a-f]{64}$/),
  });

const FORM_1 = payloadFormOf({ v: 1, exponent: wholeBetween(0, FEE_EXPONENT_MAX), ofMarket: {}, ofBook: {} });
const FORM_2 = payloadFormOf({
  v: 2,
  exponent: between(0, FEE_EXPONENT_MAX),
  ofMarket: { game_due_at: orNull(moment) },
  ofBook: { rechecked: flag },
});

/**
 * Returns which member of a payload is not of the form of evidence, or outside the bounds of the
 * engine; null if it may be computed with.
 */
export function payloadFault(payload: unknown): string | null {
  return (asObject(payload)?.v === 1 ? FORM_1 : FORM_2)(payload, 'payload');
}
