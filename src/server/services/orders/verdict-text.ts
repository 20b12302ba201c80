import { LRUCache } from 'lru-cache';
import { decimalText } from '#domain/decimal-text';
import type { Market, Outcome } from '#domain/market';
import { ageEnd } from '#domain/order/reasons';
import { DEFAULT_THRESHOLDS, type Thresholds } from '#domain/order/thresholds';
import type { Assessment } from '#judge/assess';
import { toUtcText } from '#judge/utc-time';
import { FOR_WHOM, METHOD, noteOf, type ShownMarket, validUntilMs } from '#judge/verdict-body';

type WrittenMarket = ShownMarket & Pick<Market, 'fee'>;

/** What is the same in every answer about an outcome, in the order in which it comes. */
interface OutcomeTexts {
  /** The market that it is of: where only the fee was missing, it is another object with the same outcomes. */
  readonly market: WrittenMarket;
  readonly names: string;
  readonly feeCategory: string;
  /** How an answer with the usual limits ends: nearly all have them. */
  readonly usualEnd: string;
}

/** Texts that outcomes have in common: the venue has tens of fee categories and of notes. */
const SHARED_TEXTS_MAX = 1_000;

const sharedTexts = new LRUCache<string, string>({ max: SHARED_TEXTS_MAX });

// What is kept is joined: a text that was added up is a tree of its pieces, gone through anew for every answer that it is part of.
const BEFORE_TIMES = [
  `},"meta":{"beta":true,"method":${JSON.stringify(METHOD)}`,
  `,"for_whom":${JSON.stringify(FOR_WHOM)},"evaluated_at":"`,
].join('');

const textsOfOutcomes = new WeakMap<Outcome, OutcomeTexts>();

/**
 * A verdict, and its answer as text with gaps where the age of the book and the time of the answer stand: while the book stands
 * still, these alone change.
 */
export interface FramedVerdict {
  readonly verdict: string;
  /** Up to the end of the reasons, or to the age in the last of them. */
  readonly head: string;
  /** Whether that sentence, and the reasons with it, end with the age. */
  readonly isAged: boolean;
  /** What outcomes have in all of their answers; they share it. */
  readonly names: string;
  /** Up to the age among the numbers. */
  readonly numbers: string;
  readonly end: string;
}

/**
 * Returns `JSON.stringify(toVerdictBody(…))`, character by character (verdict-body.ts). Written out because it is most of what an
 * answer costs that is not the network's; texts from outside still go through JSON.stringify.
 */
export function toVerdictText(
  market: WrittenMarket,
  outcome: Outcome,
  assessment: Assessment,
  limits: Thresholds,
  evaluatedAtMs: number,
): string {
  const frame = frameVerdict(market, outcome, assessment, limits);
  return `${beginVerdictText(frame, limits, assessment.facts.numbers.bookAgeSeconds, evaluatedAtMs)}}`;
}

/** Returns the text that is the same for every age that the book has within the limit. */
export function frameVerdict(
  market: WrittenMarket,
  outcome: Outcome,
  { verdict, codes, reasons, facts }: Assessment,
  limits: Thresholds,
): FramedVerdict {
  const texts = textsOf(market, outcome);
  const { numbers } = facts;
  const reasoned = `{"ok":true,"verdict":"${verdict}","reasons":${JSON.stringify(reasons)}`;
  // It is the last reason wherever it is one.
  const isAged = codes.at(-1) === 'PASSED';
  return {
    verdict,
    head: isAged ? reasoned.slice(0, -agedEnd(numbers.bookAgeSeconds).length) : reasoned,
    isAged,
    names: texts.names,
    numbers:
      `},"order":{"side":"${facts.side}","usd":${decimalText(facts.usd)}}` +
      `,"numbers":{"best_price":${decimalText(numbers.bestPrice)},"expected_vwap":${decimalText(numbers.expectedVwap)}` +
      `,"expected_slippage_cents":${decimalText(numbers.expectedSlippageCents)},"visible_depth_usd":${decimalText(numbers.visibleDepthUsd)}` +
      `,"order_vs_depth_pct":${decimalText(numbers.orderVsDepthPct)},"taker_fee_usd":${decimalText(numbers.takerFeeUsd)}` +
      `,"fee_drag_cents_per_share":${decimalText(numbers.feeDragCentsPerShare)},"fee_category":${texts.feeCategory}` +
      `,"safe_size_usd":${decimalText(numbers.safeSizeUsd)},"book_age_seconds":`,
    end: endOf(texts, market, limits),
  };
}

/** How the reasons end where the last of them is PASSED. */
function agedEnd(bookAgeSeconds: number): string {
  return `${ageEnd(bookAgeSeconds)}"]`;
}

/** Returns the text of the answer for this age and moment, without the brace that ends it. */
export function beginVerdictText(
  { head, isAged, names, numbers, end }: FramedVerdict,
  limits: Thresholds,
  bookAgeSeconds: number,
  evaluatedAtMs: number,
): string {
  const validUntil = toUtcText(validUntilMs(limits, { bookAgeSeconds }, evaluatedAtMs));
  return (
    `${head}${isAged ? agedEnd(bookAgeSeconds) : ''},"market":{${names}${numbers}${decimalText(bookAgeSeconds)}${BEFORE_TIMES}` +
    `${toUtcText(evaluatedAtMs)}","valid_until":"${validUntil}"${end}`
  );
}

function endOf({ usualEnd }: OutcomeTexts, market: WrittenMarket, limits: Thresholds): string {
  return limits === DEFAULT_THRESHOLDS ? usualEnd : endText(market, limits);
}

function endText(market: WrittenMarket, limits: Thresholds): string {
  return [
    `,"thresholds":{"slippage_caution_cents":${limits.slippageCautionCents}`,
    `,"slippage_veto_cents":${limits.slippageVetoCents},"depth_caution_fraction":${limits.depthCautionFraction}`,
    `,"book_stale_veto_seconds":${limits.bookStaleVetoS},"note":${JSON.stringify(noteOf(market))}}}`,
  ].join('');
}

/** Kept as long as the outcome is: the catalogue's next answer is another object. */
function textsOf(market: WrittenMarket, outcome: Outcome): OutcomeTexts {
  const kept = textsOfOutcomes.get(outcome);
  if (kept?.market === market) return kept;
  const { slug, question, fee } = market;
  const { label, tokenId } = outcome;
  const texts = {
    market,
    names: [
      `"slug":${JSON.stringify(slug)},"question":${JSON.stringify(question)}`,
      `,"outcome":${JSON.stringify(label)},"token_id":${JSON.stringify(tokenId)}`,
    ].join(''),
    feeCategory: shared(JSON.stringify(fee.category)),
    usualEnd: shared(endText(market, DEFAULT_THRESHOLDS)),
  };
  textsOfOutcomes.set(outcome, texts);
  return texts;
}

/** Returns the one copy of a text: of thousands of outcomes in turn it is the only one that is near the processor. */
function shared(text: string): string {
  const kept = sharedTexts.get(text);
  if (kept !== undefined) return kept;
  sharedTexts.set(text, text);
  return text;
}
