import type { OrderInput, OrderVerdict } from '../../answers.js';
import { recompute } from '../../evidence/recompute.js';
import type { Refusal } from '../errors.js';
import type { GuardOptions } from '../options.js';
import { type GuardedOrder, isTaking } from '../order.js';
import { ask, type VerdictWait } from './ask.js';
import { buyPlanOf, type PlanFound, proceedsMicrosOf, sellPlanOf } from './plan-amounts.js';

/** What is to be done with an order, were it an entry. */
export type Decision =
  | {
      readonly kind: 'planned' | 'resized';
      readonly verdict: OrderVerdict;
      readonly plan: PlanFound;
      /** Of an exit that no rule stops: what would have stopped an entry. */
      readonly against?: Refusal;
    }
  | {
      readonly kind: 'as_written';
      readonly verdict: OrderVerdict | null;
      readonly validUntilMs: number | null;
      /** The most that it may cost, if a plan says so, in micro-USD. */
      readonly costMicros: bigint | null;
    }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/** An order with what is known beside it. */
export interface OrderToDecide {
  readonly order: GuardedOrder;
  /** The most that the owner has for it, if they said so, in USD. */
  readonly balanceUsd: number | null;
  /** Returns about the price of a SELL that names none, by a read of the client. */
  estimatePrice(): Promise<number>;
}

const CENTS = 100;
/** A verdict on a SELL is on so much of what it brings at least, or another one is made of its book. */
const SOLD_SHARE_MIN = 0.99;

/** Asks about an order and decides by the verdict and its plan. Never rejects. */
export async function decide(
  { order, balanceUsd, estimatePrice }: OrderToDecide,
  options: GuardOptions,
  wait: VerdictWait,
): Promise<Decision> {
  if (!isTaking(order)) return { kind: 'as_written', verdict: null, validUntilMs: null, costMicros: null };
  const namedUsd = await usdOf(order, estimatePrice, wait);
  if (namedUsd === null) return refuse('unavailable', 'no price of the order is known');
  const asked = await ask(options.preflight, inputOf(order, namedUsd, options), wait);
  if (asked.kind === 'none') return { kind: 'refused', refusal: asked };
  const body = onWhole(order, asked.body);
  const { usd } = body.order;
  const first = judge(order, usd, body, balanceUsd);
  if (body.verdict === 'OK') return signedOr(order, first);
  if (body.verdict === 'VETO') return against(first, { rule: 'veto', why: whyOf(body), verdict: body });
  const caution: Refusal = { rule: 'caution', why: whyOf(body), verdict: body };
  const { caution: choice = 'resize' } = options;
  if (typeof choice === 'function')
    return (await isTaken(choice, body)) ? signedOr(order, first) : against(first, caution);
  const safeUsd = Math.floor(body.numbers.safe_size_usd * CENTS) / CENTS;
  if (choice === 'refuse' || order.isSigned || order.side === 'SELL' || safeUsd < 1) return against(first, caution);
  return resized(order, Math.min(safeUsd, usd), { options, wait, balanceUsd, first, caution });
}

async function resized(
  order: GuardedOrder,
  usd: number,
  rest: Pick<OrderToDecide, 'balanceUsd'> & {
    readonly options: GuardOptions;
    readonly wait: VerdictWait;
    readonly first: Decision;
    readonly caution: Refusal;
  },
): Promise<Decision> {
  const { options, wait, balanceUsd, first, caution } = rest;
  const asked = await ask(options.preflight, inputOf(order, usd, options), wait);
  if (asked.kind === 'none') return against(first, asked);
  if (asked.body.verdict !== 'OK') return against(first, { ...caution, verdict: asked.body });
  const decision = judge(order, usd, asked.body, balanceUsd);
  return decision.kind === 'planned' ? { ...decision, kind: 'resized' } : decision;
}

/** What an order is by its plan, whatever its verdict. */
function judge(order: GuardedOrder, usd: number, body: OrderVerdict, balanceUsd: number | null): Decision {
  const refused = (rule: Refusal['rule'], why: string) => refuse(rule, why, body);
  const plan = order.side === 'BUY' ? buyPlanOf(body) : sellPlanOf(body, BigInt(Math.round((order.shares ?? 0) * 1e6)));
  if (plan === null) return refused('no_plan', body.plan_reason ?? 'the answer has no plan that can be read');
  const [wanted] = plan.amounts;
  const isOver = order.side === 'BUY' ? wanted!.maker > toMicros(usd) : wanted!.maker > toMicros(order.shares ?? 0);
  const isAbout = body.plan === null || body.plan === undefined || body.plan.token_id === order.tokenId;
  if (isOver || !isAbout) return refused('plan_mismatch', 'the plan is not of this order');
  const isBeyond = order.price !== null && isWorse(order.side, wanted!.price, order.price);
  if (isBeyond)
    return refused('beyond_price', `the book fills it at ${wanted!.price} at worst, its owner takes ${order.price}`);
  if (balanceUsd !== null && plan.usdMicros > toMicros(balanceUsd)) {
    return refused(
      'over_balance',
      `it may cost ${Number(plan.usdMicros) / 1e6} USD with its fee, and ${balanceUsd} are there`,
    );
  }
  return { kind: 'planned', verdict: body, plan };
}

const isWorse = (side: 'BUY' | 'SELL', price: number, limit: number) =>
  side === 'BUY' ? price > limit + 1e-9 : price < limit - 1e-9;

/** What is signed already is sent as it is, which a plan in exact amounts may be less than. */
function signedOr(order: GuardedOrder, decision: Decision): Decision {
  if (!order.isSigned || decision.kind !== 'planned') return decision;
  const { verdict, plan } = decision;
  const planned = plan.amounts[0]!.maker;
  const signed = order.side === 'BUY' ? toMicros(order.usd ?? 0) : planned;
  const costMicros = signed > planned ? (plan.usdMicros * signed + planned - 1n) / planned : plan.usdMicros;
  return { kind: 'as_written', verdict, validUntilMs: plan.validUntilMs, costMicros };
}

/** A plan, if there is one, is kept for an exit. */
function against(decision: Decision, refusal: Refusal): Decision {
  return decision.kind === 'planned' ? { ...decision, against: refusal } : { kind: 'refused', refusal };
}

async function isTaken(choice: (verdict: OrderVerdict) => boolean | Promise<boolean>, body: OrderVerdict) {
  try {
    return (await choice(body)) === true;
  } catch {
    return false;
  }
}

function inputOf({ tokenId, side }: GuardedOrder, usd: number, { limits }: GuardOptions): OrderInput {
  // The book, by which a SELL is planned in shares, is in the evidence.
  const evidence = side === 'SELL' ? { evidence: 1 as const } : {};
  return { ...limits, token_id: tokenId, side, usd, plan: 1, ...evidence };
}

/**
 * Returns the verdict on all of an order. A SELL is asked for at the price that its owner takes, and
 * all its shares may bring more on the book that the answer holds: it is judged on that book again,
 * as the service would.
 */
function onWhole({ side, shares, orderType }: GuardedOrder, body: OrderVerdict): OrderVerdict {
  const { evidence, order } = body;
  if (side === 'BUY' || evidence === undefined) return body;
  const proceeds = proceedsMicrosOf(body, toMicros(shares ?? 0), orderType === 'FAK');
  const usd = Number(proceeds ?? 0n) / 1e6;
  if (order.usd >= SOLD_SHARE_MIN * usd) return body;
  const { payload } = evidence;
  return { ...body, ...recompute({ ...payload, request: { ...payload.request, usd } }).body };
}

async function usdOf({ usd, shares, price }: GuardedOrder, estimate: () => Promise<number>, wait: VerdictWait) {
  if (usd !== null) return usd > 0 ? (toMicros(usd) === 0n ? null : Number(toMicros(usd)) / 1e6) : null;
  const each = price ?? (await wait.bound(() => estimate()).catch(() => null));
  const micros = each === null || shares === null ? 0 : Math.floor(each * shares * 1e6);
  return micros > 0 ? micros / 1e6 : null;
}

const toMicros = (value: number) => BigInt(Math.round(value * 1e6));

const whyOf = ({ verdict, reasons }: OrderVerdict) => `${verdict}: ${reasons[0] ?? 'no reason is named'}`;

function refuse(rule: Refusal['rule'], why: string, verdict: OrderVerdict | null = null): Decision {
  return { kind: 'refused', refusal: { rule, why, verdict } };
}
