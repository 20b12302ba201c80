import { asObject, parseObject } from '#domain/json';
import type { Answer, Lane } from '../answers.js';
import { readDemands } from '../terms/demand.js';
import { GuardrailRefused, NotPaid, type PreflightError, ServiceProblem } from '../terms/errors.js';
import { shown } from '../text.js';
import { clockAheadS } from './clock-ahead.js';
import { retryAfterOf } from './deadline.js';
import type { Exchange } from './http.js';

/** Returns an answer with what has to be known about it. Throws Problem, or NotPaid for a 402. */
export function readAnswer<Body>({ status, headers, text }: Exchange, lane: Lane, nowMs: number): Answer<Body> {
  const body = parseObject(text);
  if (body === null || status >= 300) throw problemOf({ status, headers, text });
  const isOld = headers.get('idempotent-replayed') === 'true' && !isInForce(body, nowMs);
  const validUntil = asObject(body.meta)?.valid_until;
  const validUntilMs = typeof validUntil === 'string' ? Date.parse(validUntil) : Number.POSITIVE_INFINITY;
  // Past the moment until which it may be acted upon, also if that is no moment.
  const isPast = !(nowMs <= validUntilMs);
  const stale = body.sandbox === true || isOld || isPast;
  const aheadS = clockAheadS(headers, validUntilMs, nowMs);
  const clock = aheadS === undefined ? {} : { clockAheadS: aheadS };
  return { body: body as Body, text, lane, stale, ...clock, cached: false };
}

/** Whether an answer is the one that a new call would get too, as that of a rating is for a day. */
function isInForce({ next_refresh_at }: Readonly<Record<string, unknown>>, nowMs: number): boolean {
  return typeof next_refresh_at === 'string' && nowMs < Date.parse(next_refresh_at);
}

/** What is to be known of the money beside what the service says. */
type Money = Pick<PreflightError, 'charged' | 'next'>;

/**
 * Returns the service's no as an error. By its rules nothing was charged; `signed` is what has to
 * be said in its place where a payment was sent along.
 */
export function problemOf({ status, headers, text }: Exchange, signed?: Money): Error {
  const body = parseObject(text);
  const message = shown(body?.error ?? `the service answered ${status} without its JSON`);
  const code = typeof body?.code === 'string' ? shown(body.code) : 'unreadable_answer';
  if (status === 402) {
    return new NotPaid(message, { charged: 'nothing', next: 'Give an account that pays, or a token with credits' });
  }
  const candidates = Array.isArray(body?.candidates) ? body.candidates.slice(0, 50).map(shown) : undefined;
  const advice = status >= 500 || status === 429 ? 'Try again later' : 'Correct the request as the message says';
  const charged = signed?.charged ?? 'nothing';
  const next = signed === undefined ? advice : `${advice}. ${signed.next}`;
  return new ServiceProblem(message, {
    code,
    status,
    candidates,
    retryAfterS: retryAfterOf(headers) ?? undefined,
    charged,
    next,
  });
}

/**
 * A demand may say that the request would be refused even with a payment: throws that, before one
 * is signed.
 */
export function refuseFaulty({ headers, text }: Exchange): void {
  const fault = asObject(parseObject(text)?.fault);
  if (fault === null) return;
  throw problemOf({ status: REFUSED_STATUS, headers, text: JSON.stringify(fault) });
}

/** What a faulty request is answered. */
const REFUSED_STATUS = 400;

/** A call that is free must not be asked for money: throws amount_not_published if it is. */
export function refuseGhostPaywall({ status, headers, text }: Exchange): void {
  if (status !== 402) return;
  const [demand] = readDemands({ header: headers.get('payment-required'), body: text });
  const found =
    demand === undefined ? 'a demand that cannot be read' : `${shown(demand.amount)} to ${shown(demand.payTo)}`;
  throw new GuardrailRefused({ rule: 'amount_not_published', expected: 'nothing: this call is free', found });
}
