import { parseObject } from '#domain/json';
import { type Deadline, retryAfterOf } from '../http/deadline.js';
import { askDoor, type Credentials } from '../http/door.js';
import type { Exchange } from '../http/http.js';
import { whyNeverSent } from '../http/never-sent.js';
import { problemOf } from '../http/read-answer.js';
import { orUnavailable } from '../state/or-unavailable.js';
import type { PurchaseJournal, PurchaseOutcome } from '../state/ports.js';
import type { Purchase, X402Purchase } from '../state/purchase.js';
import { readDemands } from '../terms/demand.js';
import { GuardrailRefused, NotPaid, OutcomeUnknown, ServiceProblem } from '../terms/errors.js';
import { sameAddress } from '../terms/terms.js';
import { shown } from '../text.js';
import { lastSecondOf } from './authorization-end.js';
import type { ClientContext } from './context.js';
import { overText } from './gate.js';

/** What came of a purchase, as far as it is known. */
export type PaidDelivery =
  /** `purchase` goes on until `finishAnswered`; null: nothing was paid for it, or it has ended. */
  | { readonly kind: 'answered'; readonly exchange: Exchange; readonly purchase: Purchase | null }
  /** 202: not charged, and not final. The same payment may be sent again. */
  | { readonly kind: 'queued'; readonly exchange: Exchange; readonly purchase: Purchase };

/**
 * Answers that say nothing about the payment: the same one is sent again. Evidence that is refused
 * stays so until the next refresh, so that is an answer.
 */
function isUnclear({ status, text }: Exchange): boolean {
  if (status < 500) return status === 429 || status === 408;
  return parseObject(text)?.code !== 'evidence_unavailable';
}

/** How a purchase is sent. */
export interface Sending {
  readonly deadline: Deadline;
  /** Whether it goes on with one of an earlier call, which may have sent it. */
  readonly isResumed: boolean;
}

/**
 * Sends a purchase that is on disk, again and again with the same credentials, until it is answered
 * or refused or the time is over. Rejects with OutcomeUnknown (it may be charged: the next call
 * resumes it), GuardrailRefused, NotPaid, or a ServiceProblem: at once if there was no connection to send
 * it to.
 */
export async function sendUntilKnown(
  context: ClientContext,
  begun: Purchase,
  credentials: Credentials,
  { deadline, isResumed }: Sending,
): Promise<PaidDelivery> {
  const purchase = await toBeSent(context, begun);
  let mayHaveArrived = isResumed && begun.unsent !== true;
  for (let attempt = 1; ; attempt++) {
    const sent = await attemptOnce(context, purchase, credentials, deadline.signal);
    if (sent.kind === 'known') return conclude(context, { purchase, mayHaveArrived }, sent.exchange);
    if (sent.kind === 'refused') throw await stopped(context, purchase, { ...sent, mayHaveArrived });
    if (sent.neverSent !== null && !mayHaveArrived) throw await unreachable(context, purchase, sent);
    mayHaveArrived ||= sent.neverSent === null;
    if (await deadline.pause(attempt, sent.retryAfterS, () => tellRetry(context, sent))) continue;
    throw new OutcomeUnknown(purchase.id, `no final answer came in time (${sent.why})`, sent.cause);
  }
}

/** From here on it may have been sent, whatever becomes of this process. */
async function toBeSent({ state }: ClientContext, begun: Purchase): Promise<Purchase> {
  if (begun.unsent !== true) return begun;
  const { unsent: _, ...purchase } = begun;
  await orUnavailable(state.journal.save(purchase));
  return purchase;
}

/** Nobody has got it, so the next call may say the same. */
async function unreachable(
  { state }: ClientContext,
  purchase: Purchase,
  { neverSent, cause }: Unclear,
): Promise<Error> {
  await state.journal.save({ ...purchase, unsent: true }).catch(() => {});
  const next = 'Nothing was sent: start the service or correct its address, and make the same call again';
  return new ServiceProblem(neverSent!, { code: 'unreachable', status: 0, charged: 'nothing', next, cause });
}

/** A rule of ours stopped it, before it was sent or at its answer. */
async function stopped(
  { state }: ClientContext,
  purchase: Purchase,
  { cause, mayHaveArrived }: Refused & { readonly mayHaveArrived: boolean },
): Promise<Error> {
  if (cause.rule === 'insecure_transport' && !mayHaveArrived) {
    await state.journal.save({ ...purchase, unsent: true }).catch(() => {});
    return new GuardrailRefused(cause, { charged: 'nothing', next: 'Nothing was sent: correct the address' });
  }
  const next = `The payment was sent before. Make the same call again: it resumes purchase ${purchase.id}`;
  return new GuardrailRefused(cause, { charged: 'unknown', next, purchaseId: purchase.id });
}

function tellRetry({ onRetry }: ClientContext, { why, neverSent }: Unclear): void {
  onRetry(`${neverSent ?? why}; the same is sent again, and charged at most once`);
}

interface Unclear {
  readonly kind: 'unclear';
  readonly why: string;
  /** Why it cannot have arrived; null if it may have. */
  readonly neverSent: string | null;
  readonly retryAfterS: number | null;
  readonly cause?: unknown;
}

interface Refused {
  readonly kind: 'refused';
  readonly cause: GuardrailRefused;
}

type Attempt = { readonly kind: 'known'; readonly exchange: Exchange } | Unclear | Refused;

async function attemptOnce(
  { fetch, baseUrl }: ClientContext,
  { request }: Purchase,
  credentials: Credentials,
  signal: AbortSignal,
): Promise<Attempt> {
  try {
    const answer = await askDoor(fetch, request, credentials, signal);
    if (!isUnclear(answer)) return { kind: 'known', exchange: answer };
    const why = `the service answered ${answer.status}: ${shown(parseObject(answer.text)?.error ?? '')}`;
    return { kind: 'unclear', why, neverSent: null, retryAfterS: retryAfterOf(answer.headers) };
  } catch (cause) {
    if (cause instanceof GuardrailRefused) return { kind: 'refused', cause };
    const why = cause instanceof Error ? cause.message : 'no answer';
    return { kind: 'unclear', why, neverSent: whyNeverSent(cause, baseUrl), retryAfterS: null, cause };
  }
}

async function conclude(
  context: ClientContext,
  { purchase, mayHaveArrived }: { readonly purchase: Purchase; readonly mayHaveArrived: boolean },
  answer: Exchange,
): Promise<PaidDelivery> {
  const { journal } = context.state;
  const { status, text } = answer;
  if (status === 202) return { kind: 'queued', exchange: answer, purchase };
  const notItsJson = () =>
    new OutcomeUnknown(purchase.id, `the service answered ${status} with something that is not its JSON`);
  if (status === 200) {
    if (parseObject(text) === null) throw notItsJson();
    return { kind: 'answered', exchange: answer, purchase };
  }
  const { lane } = purchase;
  if (lane.kind === 'x402') {
    // A no is the service's word, and what was signed is good until it is over: till then it stays open.
    if (context.system.clock.nowMs() / 1e3 <= lastSecondOf(lane.authorization))
      throw refusal(lane, purchase.id, answer);
    await finishQuietly(journal, purchase, 'expired');
    throw status === 402 ? notPaid(answer, OVER) : problemOf(answer, OVER);
  }
  // Whoever stands in between may have said it, of what an earlier sending was charged for.
  if (mayHaveArrived && !isOfService(text)) throw notItsJson();
  await finishQuietly(journal, purchase, 'refused');
  if (status === 402) throw noCredits(answer);
  return { kind: 'answered', exchange: answer, purchase: null };
}

/**
 * Ends a purchase whose answer is where it belongs. Until then the same call gets that answer
 * again, for the same payment.
 */
export function finishAnswered({ state }: ClientContext, purchase: Purchase): Promise<void> {
  return finishQuietly(state.journal, purchase, 'answered');
}

/** What is said of a no to a payment that no chain takes any more. */
const OVER = {
  charged: 'unknown',
  next:
    'What was signed is over, and the same call starts another purchase. If the wallet paid for this one, it gets its ' +
    'token by POST /api/credits/token (preflight token)',
} as const;

function isOfService(text: string): boolean {
  const { code, x402Version } = parseObject(text) ?? {};
  return typeof code === 'string' || x402Version !== undefined;
}

/**
 * What is known is told even if it cannot be recorded: an open purchase is only resumed once more,
 * for nothing.
 */
async function finishQuietly(journal: PurchaseJournal, purchase: Purchase, outcome: PurchaseOutcome): Promise<void> {
  await journal.finish(purchase, outcome).catch(() => {});
}

function noCredits({ text }: Exchange): Error {
  const charged = 'nothing';
  const next = 'By the word of the service nothing was charged; what was claimed of the daily cap stays claimed';
  return new NotPaid(`the service took no credits for it: ${reasonIn(text)}`, { charged, next });
}

/**
 * A no after a payment. Another demand is never signed; that of the same is the service's final
 * no.
 */
function refusal({ demand, authorization }: X402Purchase, purchaseId: string, answer: Exchange): Error {
  const next =
    `By the word of the service nothing was charged, but what was signed may be until ${overText(authorization)}: until then the same ` +
    `call resumes purchase ${purchaseId}, and signs nothing new`;
  const charged = 'unknown';
  const { status, headers, text } = answer;
  if (status !== 402) return problemOf(answer, { charged, next });
  const { amount, payTo } = demand;
  const other = readDemands({ header: headers.get('payment-required'), body: text }).find(
    (offered) => offered.amount !== amount || !sameAddress(offered.payTo, payTo),
  );
  if (other === undefined) {
    return notPaid(answer, { charged, next });
  }
  return new GuardrailRefused(
    {
      rule: 'too_many_demands',
      expected: `one demand, ${amount} to ${payTo}`,
      found: `after the payment ${shown(other.amount)} to ${shown(other.payTo)}`,
    },
    { charged, next, purchaseId },
  );
}

function notPaid({ text }: Exchange, money: Pick<NotPaid, 'charged' | 'next'>): Error {
  return new NotPaid(`the service refused the payment: ${reasonIn(text)}`, money);
}

function reasonIn(text: string): string {
  return shown(parseObject(text)?.error ?? 'no reason was given');
}
