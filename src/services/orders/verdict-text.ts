import { decimalText } from '#domain/decimal-text';
import type { Market, Outcome } from '#domain/market';
import type { Thresholds } from '#domain/order/thresholds';
import type { Assessment } from './assess.js';
import { toUtcText } from './utc-time.js';
import { FOR_WHOM, METHOD, noteOf, type ShownMarket, validUntilMs } from './verdict-body.js';

type WrittenMarket = ShownMarket & Pick<Market, 'fee'>;

/** What is the same in every answer about an outcome, in the order in which it comes. */
interface OutcomeTexts {
  /** The market that it is of: where only the fee was missing, it is another object with the same outcomes. */
  readonly market: WrittenMarket;
  readonly names: string;
  readonly feeCategory: string;
  readonly note: string;
  /** How an answer with these limits ends: nearly all have the same. */
  end: { readonly limits: Thresholds; readonly text: string } | null;
}

const BEFORE_TIMES = `},"meta":{"beta":true,"method":${JSON.stringify(METHOD)},"for_whom":${JSON.stringify(FOR_WHOM)},"evaluated_at":"`;

const textsOfOutcomes = new WeakMap<Outcome, OutcomeTexts>();

/**
 * Returns `JSON.stringify(toVerdictBody(…))`, character by character (verdict-body.ts). Written out because it is most of what an
 * answer costs that is not the network's; texts from outside still go through JSON.stringify.
 */
export function toVerdictText(...of: Parameters<typeof beginVerdictText>): string {
  return `${beginVerdictText(...of)}}`;
}

/** Returns the same without the brace that ends it. */
export function beginVerdictText(
  market: WrittenMarket,
  outcome: Outcome,
  { verdict, reasons, facts }: Assessment,
  limits: Thresholds,
  evaluatedAtMs: number,
): string {
  const texts = textsOf(market, outcome);
  const { numbers } = facts;
  return (
    `{"ok":true,"verdict":"${verdict}","reasons":${JSON.stringify(reasons)},"market":{${texts.names}}` +
    `,"order":{"side":"${facts.side}","usd":${decimalText(facts.usd)}}` +
    `,"numbers":{"best_price":${decimalText(numbers.bestPrice)},"expected_vwap":${decimalText(numbers.expectedVwap)}` +
    `,"expected_slippage_cents":${decimalText(numbers.expectedSlippageCents)},"visible_depth_usd":${decimalText(numbers.visibleDepthUsd)}` +
    `,"order_vs_depth_pct":${decimalText(numbers.orderVsDepthPct)},"taker_fee_usd":${decimalText(numbers.takerFeeUsd)}` +
    `,"fee_drag_cents_per_share":${decimalText(numbers.feeDragCentsPerShare)},"fee_category":${texts.feeCategory}` +
    `,"safe_size_usd":${decimalText(numbers.safeSizeUsd)},"book_age_seconds":${decimalText(numbers.bookAgeSeconds)}${BEFORE_TIMES}` +
    `${toUtcText(evaluatedAtMs)}","valid_until":"${toUtcText(validUntilMs(limits, numbers, evaluatedAtMs))}"${endOf(texts, limits)}`
  );
}

/** The limits are the same object where they are the usual ones. */
function endOf(texts: OutcomeTexts, limits: Thresholds): string {
  if (texts.end?.limits !== limits) {
    const text =
      `,"thresholds":{"slippage_caution_cents":${limits.slippageCautionCents}` +
      `,"slippage_veto_cents":${limits.slippageVetoCents},"depth_caution_fraction":${limits.depthCautionFraction}` +
      `,"book_stale_veto_seconds":${limits.bookStaleVetoS},"note":${texts.note}}}`;
    texts.end = { limits, text };
  }
  return texts.end.text;
}

/** Kept as long as the outcome is: the catalogue's next answer is another object. */
function textsOf(market: WrittenMarket, outcome: Outcome): OutcomeTexts {
  const kept = textsOfOutcomes.get(outcome);
  if (kept?.market === market) return kept;
  const { slug, question, fee } = market;
  const { label, tokenId } = outcome;
  const texts = {
    market,
    names:
      `"slug":${JSON.stringify(slug)},"question":${JSON.stringify(question)}` +
      `,"outcome":${JSON.stringify(label)},"token_id":${JSON.stringify(tokenId)}`,
    feeCategory: JSON.stringify(fee.category),
    note: JSON.stringify(noteOf(market)),
    end: null,
  };
  textsOfOutcomes.set(outcome, texts);
  return texts;
}
