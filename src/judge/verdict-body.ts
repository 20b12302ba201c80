import type { OrderNumbers as NumbersBody } from '#api/order-numbers';
import type { OrderRequest } from '#api/order-request';
import type { OrderVerdict } from '#api/order-verdict';
import type { Market, Outcome } from '#domain/market';
import type { OrderNumbers } from '#domain/order/order-facts';
import { RULES_IN_FORCE, type Rules } from '#domain/order/rules';
import { DEFAULT_THRESHOLDS, MIN_BUY_NOTIONAL_USD, type Thresholds } from '#domain/order/thresholds';
import type { Assessment } from './assess.js';

/** How an answer was made, by the rules that it was made by: signed evidence covers these words. */
const METHOD: Readonly<Record<Rules, string>> = {
  1:
    'Walk of the live order book for the requested size; taker fee per level consumed = shares * rate * (p(1-p))^exponent with ' +
    "the market's own 2026 schedule. Numbers are rounded first and the thresholds compare them as shown. Arithmetic, not advice.",
  2:
    'Walk of the live order book for the requested size; taker fee per level consumed = shares * rate * (p(1-p))^exponent with ' +
    "the market's own 2026 schedule, cut to 5 decimals at each level. Numbers are rounded first and the thresholds compare them " +
    'as shown. Arithmetic, not advice.',
};
const FOR_WHOM =
  'For takers about to send a marketable order of this size; a resting maker order pays no fee and waits.';

/** Returns the limits that a request is judged by. */
export function thresholdsOf(
  request: Pick<OrderRequest, 'max_slippage_c' | 'veto_slippage_c' | 'max_book_age_s'>,
): Thresholds {
  return {
    slippageCautionCents: request.max_slippage_c,
    slippageVetoCents: request.veto_slippage_c,
    depthCautionFraction: DEFAULT_THRESHOLDS.depthCautionFraction,
    bookStaleVetoS: request.max_book_age_s,
  };
}

/** What an answer shows of its market. */
export type ShownMarket = Pick<Market, 'slug' | 'question' | 'minOrderShares' | 'matchingDelayS'>;

/**
 * Returns the answer of preflight_trade (docs/interface.md, "Order verdict"). Pure: the same
 * question has the same answer.
 */
export function toVerdictBody(
  market: ShownMarket,
  outcome: Outcome,
  { verdict, reasons, codes, facts }: Assessment,
  limits: Thresholds,
  evaluatedAtMs: number,
) {
  return {
    ok: true,
    verdict,
    reasons: [...reasons],
    reason_codes: [...codes],
    market: { slug: market.slug, question: market.question, outcome: outcome.label, token_id: outcome.tokenId },
    order: { side: facts.side, usd: facts.usd },
    numbers: toNumbersBody(facts.numbers),
    meta: {
      beta: true,
      method: METHOD[facts.rules],
      for_whom: FOR_WHOM,
      evaluated_at: new Date(evaluatedAtMs).toISOString(),
      valid_until: new Date(validUntilMs(limits, facts.numbers, evaluatedAtMs)).toISOString(),
      thresholds: {
        slippage_caution_cents: limits.slippageCautionCents,
        slippage_veto_cents: limits.slippageVetoCents,
        depth_caution_fraction: limits.depthCautionFraction,
        book_stale_veto_seconds: limits.bookStaleVetoS,
        note: noteOf(market, facts.rules),
      },
    },
  } satisfies OrderVerdict;
}

/** A live answer, before anything is added to it. */
export type LiveVerdict = ReturnType<typeof toVerdictBody>;

/** Returns when the book becomes too old; at once if it is. */
function validUntilMs(
  { bookStaleVetoS }: Thresholds,
  { bookAgeSeconds }: Pick<OrderNumbers, 'bookAgeSeconds'>,
  evaluatedAtMs: number,
): number {
  return evaluatedAtMs + Math.max(0, bookStaleVetoS - bookAgeSeconds) * 1e3;
}

/**
 * What the thresholds cannot show: how the venue treats an order between this answer and the fill.
 */
export function noteOf({ matchingDelayS, minOrderShares }: ShownMarket, rules = RULES_IN_FORCE): string {
  const minimum = rules === 1 ? `The market's minimum order is ${minOrderShares} shares.` : minimumOf(minOrderShares);
  if (matchingDelayS === 0) return `${minimum} A book walk is a forecast, not a fill.`;
  return `${minimum} The venue holds a marketable order on this market for ${matchingDelayS} s before it matches it, so the book may move first.`;
}

function minimumOf(shares: number): string {
  return (
    `A marketable BUY needs ${MIN_BUY_NOTIONAL_USD} USD; what a marketable SELL needs at least is not known. ` +
    `The market's minimum of ${shares} shares binds resting orders only.`
  );
}

/** Returns the numbers under the names of the interface (docs/interface.md, "Numbers"). */
export function toNumbersBody(numbers: OrderNumbers): NumbersBody {
  return {
    best_price: numbers.bestPrice,
    expected_vwap: numbers.expectedVwap,
    expected_slippage_cents: numbers.expectedSlippageCents,
    visible_depth_usd: numbers.visibleDepthUsd,
    order_vs_depth_pct: numbers.orderVsDepthPct,
    taker_fee_usd: numbers.takerFeeUsd,
    fee_drag_cents_per_share: numbers.feeDragCentsPerShare,
    fee_category: numbers.feeCategory,
    safe_size_usd: numbers.safeSizeUsd,
    book_age_seconds: numbers.bookAgeSeconds,
  };
}
