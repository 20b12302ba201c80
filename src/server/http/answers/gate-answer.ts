import { docOf } from '#api/errors';
import type { PaymentRequiredBody } from '#api/payment-required';
import { toPriceText } from '#api/prices';
import { replayAgeS } from '#api/written-answer';
import { demandText, priceSentence } from '#doors/demand-text';
import {
  creditsLack,
  type Demand,
  faultIn,
  pendingProblem,
  receiptOf,
  refusalCode,
  refusalOf,
  repeatAfter,
  SAME_PAYMENT,
} from '#doors/payment-outcome';
import type { Answer, HeaderPairs } from '#doors/route';
import type { GateResult, PaymentCode } from '#services/gate/call';
import type { Clock } from '#system/clock';
import { encodeReceipt, type PaymentOffer, paymentRequiredHeaders, toPaymentRequiredV1 } from '#wire/x402/x402';
import { problemAnswer } from './answer.js';

type SoldResult = Extract<GateResult, { readonly kind: 'answered' | 'paid' }>;
/** An answer that a tool made. */
type MadeResult = Pick<SoldResult, 'body' | 'nextRefreshS'>;

/**
 * Whose answer a cache may keep: one of another caller, or one that was paid for otherwise, is
 * another answer.
 */
const VARY: HeaderPairs = ['Vary', 'Authorization, PAYMENT-SIGNATURE, X-PAYMENT'];

/**
 * Returns the translation of what the gate says into HTTP, for one offer. Answers that name their
 * next refresh may be kept by their caller until then. `newSecret` puts a secret into each demand.
 */
export function createToAnswer(
  offer: PaymentOffer,
  clock: Pick<Clock, 'nowMs'>,
  newSecret: () => string,
): (result: GateResult) => Answer {
  const demandPayment = createPaymentRequired(offer, newSecret);
  /** Written out: nearly every answer is of the first form. */
  const stored = (status: number, made: MadeResult, headers: HeaderPairs, ageS: number | null = null): Answer => {
    const { body, nextRefreshS } = made;
    const cacheControl = untilRefresh(nextRefreshS, clock, ageS);
    if (cacheControl === null) return { status, body, headers };
    return { status, body, headers: [...headers, ...VARY], cacheControl };
  };
  const sold = (result: SoldResult, headers: HeaderPairs): Answer => {
    const ageS = replayAgeS(result, clock);
    const mark = ageS === null ? headers : [...headers, 'Idempotent-Replayed', 'true', 'Age', String(ageS)];
    return stored(200, result, mark, ageS);
  };
  return (result) => {
    switch (result.kind) {
      case 'example':
        return { status: 200, body: result.body };
      case 'answered':
        return sold(result, []);
      case 'free': {
        const retry = result.retryAfterS === null ? [] : ['Retry-After', String(result.retryAfterS)];
        return stored(result.status, result, retry);
      }
      case 'paid':
        return { ...sold(result, receiptHeader(result)), paid: true };
      case 'payment_required':
        return demandPayment(result);
      case 'payment_refused': {
        const { status, body, headers = [] } = demandPayment(refusalOf(result));
        return { status, body, headers: [...headers, ...receiptHeader(result)] };
      }
      case 'payment_unknown': {
        const problem = pendingProblem(result, 'request');
        return routineIfUnproven(result, problemAnswer(problem, receiptHeader(result), SAME_PAYMENT));
      }
      case 'bad_request':
        return problemAnswer(result.problem);
      case 'failed':
        return routineIfUnproven(result, problemAnswer(result.problem, [], repeatAfter(result)));
    }
  };
}

/** What anybody without money can bring about is no warning and no fault. */
function routineIfUnproven<A extends object>({ isUnproven }: { readonly isUnproven?: true }, answer: A) {
  return isUnproven ? { ...answer, routine: true as const, isUnproven } : answer;
}

/** Where the receipt of each version is. */
const RECEIPT_HEADERS = { 1: 'X-PAYMENT-RESPONSE', 2: 'PAYMENT-RESPONSE' } as const;

/**
 * The receipt in the header of the x402 version that the payment came in; and in the other one, in
 * its own form, where the payment came in the header of the other version: a client looks for it
 * beside the header that it knows.
 */
function receiptHeader(result: Parameters<typeof receiptOf>[0]): HeaderPairs {
  const { version, otherPlaces } = result.payment;
  const own = [RECEIPT_HEADERS[version], encodeReceipt(receiptOf(result))];
  if (otherPlaces === undefined) return own;
  const other = version === 1 ? 2 : 1;
  return [...own, RECEIPT_HEADERS[other], encodeReceipt(receiptOf(result, other))];
}

/**
 * Returns the cache rule of an answer that will be made anew at a moment (in seconds since the
 * epoch): its caller, and nobody else, may keep it until then (docs/interface-wallets.md, "Wallet
 * verdict states"). A cache takes `ageS`, which a repeat carries in `Age`, off the time that it is
 * given. Null without a moment, or when it has passed. The clock is looked at only where there is
 * one.
 */
export function untilRefresh(
  nextRefreshS: number | null,
  clock: Pick<Clock, 'nowMs'>,
  ageS: number | null = null,
): string | null {
  if (nextRefreshS === null) return null;
  const leftS = Math.floor((nextRefreshS * 1e3 - clock.nowMs()) / 1e3);
  return leftS > 0 ? `private, max-age=${leftS + (ageS ?? 0)}` : null;
}

/** `error` of the v2 header, before the price: all but the secret is made once. */
const HEADER_ERRORS: Readonly<Record<PaymentCode, string>> = {
  payment_required: 'payment required',
  payment_refused: 'the payment was refused: the body says why and what to do',
  invalid_token:
    'no valid token in "Authorization: Bearer <token>": buy at POST /api/credits, redeem a code at POST /api/redeem, or pay for this call',
  insufficient_credits:
    'credits are exhausted: buy at POST /api/credits, redeem a code at POST /api/redeem, or pay for this call',
};

/**
 * Returns the maker of 402 answers for one offer: v2 terms in the header, v1 terms and our code in
 * the body. Each carries a secret of its own, which v2 clients send back with their payment.
 */
function createPaymentRequired(offer: PaymentOffer, newSecret: () => string): (demand: Demand) => Answer {
  const usdc = toPriceText(offer.amountMicros);
  const asked = { operation: offer.operation, usdc, door: 'http' } as const;
  const headers = new Map(
    Object.entries(HEADER_ERRORS).map(([code, error]) => [
      code,
      paymentRequiredHeaders(offer, `${error}. ${priceSentence(usdc)}`),
    ]),
  );
  return (demand) => {
    const { code } = demand;
    const ours = { code, doc: docOf(code), ...refusalCode(demand), ...creditsLack(demand), ...faultIn(demand) };
    const terms = { ...toPaymentRequiredV1(offer, demandText(demand, asked)), ...ours };
    const body = terms satisfies Omit<PaymentRequiredBody, 'accepts'>;
    const header = headers.get(code)!(newSecret());
    return { status: 402, body: JSON.stringify(body), headers: ['PAYMENT-REQUIRED', header] };
  };
}
