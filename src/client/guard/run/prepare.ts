import { toHex } from '../../text.js';
import type { OrderCall } from '../clients/order-call.js';
import { OrderRefused, type Refusal } from '../errors.js';
import { findExchange } from '../exchange.js';
import { VERDICT_WAIT_MS } from '../options.js';
import { isTaking, type PlannedAmounts } from '../order.js';
import { readSigned, type SignedOrder } from '../signed-order.js';
import { VerdictWait } from '../verdict/ask.js';
import { type Decision, decide } from '../verdict/decide.js';
import { exactSellsFor, sellAmountsAt } from '../verdict/plan-amounts.js';
import { claimEntry } from './claim.js';
import type { GuardContext, ReadyOrder } from './context.js';
import { refusalIn } from './record.js';
import { otherOrderFault, signOneOf, writtenFault } from './sign.js';

/** What became of an order until it was to be posted. */
export type Prepared =
  | { readonly kind: 'ready'; readonly order: ReadyOrder }
  | { readonly kind: 'refused'; readonly error: OrderRefused };

const ID_BYTES = 12;
const OTHER_EXCHANGE = 'the order is signed for an exchange that is not known';

/** Returns what names an order in the log and in the claims. */
export function newOrderId({ system }: GuardContext): string {
  return toHex(system.random.bytes(ID_BYTES));
}

/**
 * Decides about an order, claims what it may cost and signs it. Rejects only where an exit cannot be
 * signed at all, as the client does.
 */
export async function prepareOrder(context: GuardContext, call: OrderCall): Promise<Prepared> {
  const id = newOrderId(context);
  return (await isExit(context, call)) ? prepareExit(context, id, call) : prepareEntry(context, id, call);
}

/** Whether an order is an exit, by its owner's yes or no; without one a SELL is. */
export async function isExit({ options }: GuardContext, { order }: OrderCall): Promise<boolean> {
  const usual = order.side === 'SELL';
  try {
    const said: unknown = await options.isExit?.(order);
    return typeof said === 'boolean' ? said : usual;
  } catch {
    return usual;
  }
}

/** Asks about an order. Never rejects. */
export function decideOrder({ system, options }: GuardContext, call: OrderCall): Promise<Decision> {
  return decide(call, options, new VerdictWait(system, options.timeoutMs ?? VERDICT_WAIT_MS));
}

/** Returns the refusal of all entries; null if they are not frozen. */
export function frozen({ state }: GuardContext): Refusal | null {
  const freeze = state.freeze();
  if (freeze === null) return null;
  const { atMs, reason } = freeze;
  return {
    rule: 'frozen',
    why: `since ${new Date(atMs).toISOString()}${reason === '' ? '' : `: ${reason}`}`,
    verdict: null,
  };
}

/** An exit is never stopped, unless the client signed something else in its place. */
async function prepareExit(context: GuardContext, id: string, call: OrderCall): Promise<Prepared> {
  const { record, warn } = context;
  const decision = await decideOrder(context, call);
  record.quietly(() => record.decided({ id, order: call.order, isExit: true, decision }));
  const against = refusalIn(decision);
  if (against !== null) warn(`an exit is sent against ${against.rule}: ${against.why}`);
  const amounts = exitAmounts(call, decision);
  const planned = await signOneOf(call, amounts);
  const whole = planned.kind === 'signed' ? planned.whole : await signExit(call);
  const signed = readSigned(whole);
  const refusal = signed === null ? null : await otherThanExit(call, signed);
  if (refusal === null) return { kind: 'ready', order: { id, call, whole, signed, isExit: true, verdict: null } };
  record.notSent(id, refusal);
  warn(`an exit was not sent: ${refusal.why}`);
  return { kind: 'refused', error: new OrderRefused(refusal) };
}

/** Signs an exit as it was written, in exact amounts where the client's floats missed them. */
async function signExit(call: OrderCall): Promise<unknown> {
  const whole = await call.signAsWritten();
  const signed = readSigned(whole);
  const { side, isSigned } = call.order;
  if (signed === null || side !== 'SELL' || isSigned || !isTaking(call.order)) return whole;
  const exact = await signOneOf(call, exactSellsFor({ maker: signed.makerAmount, taker: signed.takerAmount }));
  return exact.kind === 'signed' ? exact.whole : whole;
}

/** Those of the plan, or of the order as it was written, so that the venue takes them. */
function exitAmounts({ order }: OrderCall, decision: Decision): readonly PlannedAmounts[] {
  if (decision.kind === 'planned' || decision.kind === 'resized') return decision.plan.amounts;
  const verdict = decision.kind === 'refused' ? decision.refusal.verdict : decision.verdict;
  const { side, shares, price, isSigned } = order;
  const isOpen = side === 'SELL' && shares !== null && price !== null && !isSigned && isTaking(order);
  return isOpen && verdict !== null ? sellAmountsAt(verdict, shares, price) : [];
}

/** What was signed in the place of an exit closes nothing, and may open something. */
async function otherThanExit(call: OrderCall, signed: SignedOrder): Promise<Refusal | null> {
  const fault = otherOrderFault(call, signed);
  if (fault !== null) return { rule: 'signed_otherwise', why: fault, verdict: null };
  const isElsewhere = (await findExchange(signed, null)) === 'other';
  return isElsewhere ? { rule: 'exchange_mismatch', why: OTHER_EXCHANGE, verdict: null } : null;
}

async function prepareEntry(context: GuardContext, id: string, call: OrderCall): Promise<Prepared> {
  const { record } = context;
  const stopped = frozen(context);
  const decided =
    stopped === null ? await decideOrder(context, call) : ({ kind: 'refused', refusal: stopped } as const);
  const decision = claimEntry(context, id, call, decided);
  if (decision.kind === 'refused') {
    record.quietly(() => record.decided({ id, order: call.order, isExit: false, decision }));
    return { kind: 'refused', error: new OrderRefused(decision.refusal) };
  }
  try {
    record.decided({ id, order: call.order, isExit: false, decision });
    const found = await signEntry(context, call, decision);
    if (found.kind === 'ready')
      return { kind: 'ready', order: { id, call, verdict: decision.verdict, ...found.order } };
    return giveBack(context, id, { ...found, verdict: decision.verdict });
  } catch (cause) {
    return giveBack(context, id, unwritten(cause, decision.verdict), cause);
  }
}

type Signed =
  | { readonly kind: 'ready'; readonly order: Pick<ReadyOrder, 'whole' | 'signed' | 'isExit'> }
  | { readonly kind: 'no'; readonly rule: Refusal['rule']; readonly why: string };

/** Signs an entry and holds what was signed against what was decided. Nothing is sent yet. */
async function signEntry(
  context: GuardContext,
  call: OrderCall,
  decision: Exclude<Decision, { readonly kind: 'refused' }>,
): Promise<Signed> {
  const no = (rule: Refusal['rule'], why: string): Signed => ({ kind: 'no', rule, why });
  const plan = decision.kind === 'as_written' ? null : decision.plan;
  const made = plan === null ? await signWritten(call) : await signOneOf(call, plan.amounts);
  if (made.kind === 'otherwise') {
    const { error } = made;
    const why = error === null ? 'not the amounts of the plan' : error instanceof Error ? error.message : String(error);
    return no('signed_otherwise', why);
  }
  const exchange = await findExchange(made.signed, plan?.negRisk ?? null);
  if (exchange !== 'known') return no('exchange_mismatch', OTHER_EXCHANGE);
  const untilMs = plan?.validUntilMs ?? (decision.kind === 'as_written' ? decision.validUntilMs : null);
  if (untilMs !== null && !(context.system.clock.nowMs() <= untilMs)) {
    return no('stale', 'the verdict was over before the order was signed');
  }
  return { kind: 'ready', order: { whole: made.whole, signed: made.signed, isExit: false } };
}

/**
 * Writes down that an order goes out now, which is what its outcome is known by when the process
 * dies. An entry that cannot be written down does not go out, nor one that a freeze has met since:
 * signing, and the orders beside it, may take as long as its owner's wallet does.
 */
export function announceOrder(context: GuardContext, prepared: Prepared): Prepared {
  if (prepared.kind === 'refused') return prepared;
  const { record } = context;
  const { id, signed, isExit, verdict } = prepared.order;
  if (isExit) {
    record.quietly(() => record.posting(id, signed));
    return prepared;
  }
  const stopped = frozen(context);
  if (stopped !== null) return giveBack(context, id, { ...stopped, verdict });
  try {
    record.posting(id, signed);
    return prepared;
  } catch (cause) {
    return giveBack(context, id, unwritten(cause, verdict), cause);
  }
}

function unwritten(cause: unknown, verdict: Refusal['verdict']): Refusal {
  return { rule: 'ledger_unavailable', why: cause instanceof Error ? cause.message : String(cause), verdict };
}

async function signWritten(call: OrderCall) {
  try {
    const whole = await call.signAsWritten();
    const signed = readSigned(whole);
    const fault = signed === null ? 'what the client signed cannot be read' : writtenFault(call, signed);
    if (signed !== null && fault === null) return { kind: 'signed', whole, signed } as const;
    return { kind: 'otherwise', error: fault } as const;
  } catch (error) {
    return { kind: 'otherwise', error } as const;
  }
}

/** What was never sent counts no more. */
function giveBack({ record, state }: GuardContext, id: string, refusal: Refusal, cause?: unknown): Prepared {
  record.notSent(id, refusal);
  record.quietly(() => state.claims.lower(id, 0n));
  return { kind: 'refused', error: new OrderRefused(refusal, cause) };
}
