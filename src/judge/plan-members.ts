import type { OrderPlan, PlanMembers } from '#api/order-plan';
import { tickSizeTicks } from '#domain/book/tick-sizes';
import { formatScaled, formatUnits } from '#domain/decimal';
import { divideRounded, toMicros } from '#domain/money';
import type { OrderQuestion } from '#domain/order/gather-facts';
import { planOrder } from '#domain/plan/plan-order';
import type { Amounts, PlannedOrder } from '#domain/plan/planned';
import { reachOfShares } from '#domain/plan/reach';
import { usdNeededMax } from '#domain/plan/usd-needed';
import { type Assessment, assess } from './assess.js';
import { type OtherOutcome, toRemedies } from './remedies.js';
import type { LiveVerdict } from './verdict-body.js';

/** What a plan says of its book and its answer, beside the order. */
export interface PlanContext {
  /** As the venue wrote it with the book. */
  readonly tickSize: string | null;
  readonly negRisk: boolean;
  /** The answer that the plan stands in. */
  readonly body: Pick<LiveVerdict, 'market' | 'meta'>;
  readonly assessment: Assessment;
  /** null: not looked at, or without a book at hand that is fresh enough. */
  readonly other: OtherOutcome | null;
}

/** Decimals of a price that two amounts imply. */
const PRICE_UNITS = 100_000_000n;
const MICROS_PER_E5 = 10n;

/**
 * Returns what `plan=1` adds to an answer (docs/interface.md, "Plan"), from the question that the
 * answer was judged by. Pure.
 */
export function toPlanMembers(question: OrderQuestion, context: PlanContext): PlanMembers {
  const { side, usd, book, thresholds } = question;
  const { tickSize } = context;
  const capCents = thresholds.slippageCautionCents;
  const { planned, worstTicks } = planOrder({ side, usdMicros: toMicros(usd), book, tickSize, capCents });
  const reached = worstTicks === null ? {} : { worst_price: formatScaled(worstTicks, 4) };
  const remedies = toRemedies(question, context.assessment, context.body.market.token_id, context.other);
  if (planned.kind === 'none') return { ...reached, plan: null, plan_reason: planned.reason, remedies };
  return { ...reached, plan: toPlan(planned.order, question, context), remedies };
}

function toPlan(order: PlannedOrder, question: OrderQuestion, { tickSize, negRisk, body }: PlanContext): OrderPlan {
  const { side, worstTicks, makerMicros, takerMicros, form, exactAlternative } = order;
  const isBuy = side === 'BUY';
  const [usdMicros, sharesMicros] = isBuy ? [makerMicros, takerMicros] : [takerMicros, makerMicros];
  const assessment = assess({ ...question, usd: expectedUsd(order, question) });
  const tickTicks = tickSizeTicks(tickSize)!;
  return {
    order_type: 'FOK',
    side,
    token_id: body.market.token_id,
    tick_size: formatScaled(tickTicks, 4),
    neg_risk: negRisk,
    worst_price: formatScaled(worstTicks, 4),
    ...toAmounts(order),
    shares: formatUnits(sharesMicros, 6),
    implied_price: formatUnits(divideRounded(usdMicros * PRICE_UNITS, sharesMicros), 8),
    form,
    ...(exactAlternative === null ? {} : { exact_alternative: toAmounts(exactAlternative) }),
    ...(isBuy
      ? toUsdNeeded(order, question, tickTicks, assessment)
      : { left_shares: formatUnits(order.leftMicros, 6) }),
    for_client: { amount: Number(makerMicros) / 1e6, price: worstTicks / 1e4 },
    verdict: assessment.verdict,
    reason_codes: [...assessment.codes],
    valid_until: body.meta.valid_until,
  };
}

function toAmounts({ makerMicros, takerMicros }: Amounts) {
  return { maker_amount: String(makerMicros), taker_amount: String(takerMicros) };
}

function toUsdNeeded(
  { makerMicros, leftMicros }: PlannedOrder,
  { market }: OrderQuestion,
  tickTicks: number,
  { facts }: Assessment,
) {
  const feeE5 = BigInt(Math.round(facts.numbers.takerFeeUsd * 1e5));
  return {
    usd_needed: formatUnits(makerMicros + feeE5 * MICROS_PER_E5, 6),
    usd_needed_max: formatUnits(usdNeededMax(makerMicros, market.fee, tickTicks), 6),
    unspent_usd: formatUnits(leftMicros, 6),
  };
}

/** What the order spends, or by this book earns: the size that it is judged by. */
function expectedUsd({ side, makerMicros }: PlannedOrder, { book }: OrderQuestion): number {
  const usdMicros = side === 'BUY' ? makerMicros : reachOfShares(book.bids, makerMicros)!.usdMicros;
  return Number(usdMicros) / 1e6;
}
