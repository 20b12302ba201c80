import { parseObject } from '#domain/json';
import { type Deadline, retryAfterOf } from '../http/deadline.js';
import { askDoor, type Credentials } from '../http/door.js';
import type { Exchange } from '../http/http.js';
import type { PurchaseJournal, PurchaseOutcome } from '../state/ports.js';
import type { Purchase } from '../state/purchase.js';
import { readDemands } from '../terms/demand.js';
import { GuardrailRefused, NotPaid, OutcomeUnknown } from '../terms/errors.js';
import { shown } from '../text.js';
import type { ClientContext } from './context.js';

/** What came of a purchase, as far as it is known. */
export type PaidDelivery =
  | { readonly kind: 'answered'; readonly exchange: Exchange }
  /** 202: not charged, and not final. The same payment may be sent again. */
  | { readonly kind: 'queued'; readonly exchange: Exchange; readonly purchase: Purchase };

/** Answers that say nothing about the payment: the same one is sent again. */
function isUnclear(status: number): boolean {
  return status >= 500 || status === 429 || status === 408;
}

/**
 * Sends a purchase that is on disk, again and again with the same credentials, until it is answered
 * or refused or the time is over. Rejects with OutcomeUnknown (it may be charged: the next call
 * resumes it), GuardrailRefused or NotPaid.
 */
export async function sendUntilKnown(
  context: ClientContext,
  purchase: Purchase,
  credentials: Credentials,
  deadline: Deadline,
): Promise<PaidDelivery> {
  for (let attempt = 1; ; attempt++) {
    const sent = await attemptOnce(context, purchase, credentials, deadline.signal);
    if (sent.kind === 'known') return conclude(context, purchase, sent.exchange);
    if (await deadline.pause(attempt, sent.retryAfterS)) continue;
    throw new OutcomeUnknown(purchase.id, `no final answer came in time (${sent.why})`, sent.cause);
  }
}

type Attempt =
  | { readonly kind: 'known'; readonly exchange: Exchange }
  | { readonly kind: 'unclear'; readonly why: string; readonly retryAfterS: number | null; readonly cause?: unknown };

async function attemptOnce(
  { fetch }: ClientContext,
  { request, id }: Purchase,
  credentials: Credentials,
  signal: AbortSignal,
): Promise<Attempt> {
  try {
    const answer = await askDoor(fetch, request, credentials, signal);
    if (!isUnclear(answer.status)) return { kind: 'known', exchange: answer };
    const why = `the service answered ${answer.status}: ${shown(parseObject(answer.text)?.error ?? '')}`;
    return { kind: 'unclear', why, retryAfterS: retryAfterOf(answer.headers) };
  } catch (cause) {
    if (!(cause instanceof GuardrailRefused)) {
      return { kind: 'unclear', why: cause instanceof Error ? cause.message : 'no answer', retryAfterS: null, cause };
    }
    const next = `The payment was sent before. Make the same call again: it resumes purchase ${id}`;
    throw new GuardrailRefused(cause, { charged: 'unknown', next, purchaseId: id });
  }
}

async function conclude(context: ClientContext, purchase: Purchase, answer: Exchange): Promise<PaidDelivery> {
  const { journal } = context.state;
  if (answer.status === 202) return { kind: 'queued', exchange: answer, purchase };
  if (answer.status === 402) {
    await finishQuietly(journal, purchase, 'refused');
    throw refusal(purchase, answer);
  }
  if (answer.status === 200 && parseObject(answer.text) === null) {
    throw new OutcomeUnknown(purchase.id, 'the service answered 200 with something that is not its JSON');
  }
  await finishQuietly(journal, purchase, answer.status === 200 ? 'answered' : 'refused');
  return { kind: 'answered', exchange: answer };
}

/**
 * What is known is told even if it cannot be recorded: an open purchase is only resumed once more,
 * for nothing.
 */
async function finishQuietly(journal: PurchaseJournal, purchase: Purchase, outcome: PurchaseOutcome): Promise<void> {
  await journal.finish(purchase, outcome).catch(() => {});
}

/**
 * A 402 after a payment. Another demand is never signed; that of the same is the service's final
 * no.
 */
function refusal({ lane }: Purchase, { headers, text }: Exchange): Error {
  const reason = shown(parseObject(text)?.error ?? 'no reason was given');
  const charged = 'nothing';
  const next = 'By the word of the service nothing was charged; what was claimed of the daily cap stays claimed';
  if (lane.kind === 'credits') return new NotPaid(`the service took no credits for it: ${reason}`, { charged, next });
  const { amount, payTo } = lane.demand;
  const other = readDemands({ header: headers.get('payment-required'), body: text }).find(
    (demand) => demand.amount !== amount || demand.payTo.toLowerCase() !== payTo.toLowerCase(),
  );
  if (other === undefined) return new NotPaid(`the service refused the payment: ${reason}`, { charged, next });
  return new GuardrailRefused(
    {
      rule: 'too_many_demands',
      expected: `one demand, ${amount} to ${payTo}`,
      found: `after the payment ${shown(other.amount)} to ${shown(other.payTo)}`,
    },
    { charged, next },
  );
}
