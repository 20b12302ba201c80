import { toErrorBody } from '#api/errors';
import { pendingProblem, receiptOf, SAME_PAYMENT } from '#doors/payment-outcome';
import type { Answer, HeaderPairs } from '#doors/route';
import type { Clock } from '#ports/clock';
import type { GateResult } from '#services/gate/call';
import { encodeReceipt, type PaymentOffer } from '#wire/x402/x402';
import { problemAnswer } from './answer.js';
import { createPaymentRequired } from './payment-required.js';
import { untilRefresh } from './until-refresh.js';

/**
 * Returns the translation of the gate's result into HTTP, for one offer. Answers that name their
 * next refresh may be kept by their caller until then.
 */
export function createToAnswer(offer: PaymentOffer, clock: Clock): (result: GateResult) => Answer {
  const demandPayment = createPaymentRequired(offer);
  const keeping = (nextRefreshS: number | null) => untilRefresh(nextRefreshS, clock.nowMs());
  return (result) => {
    switch (result.kind) {
      case 'example':
        return { status: 200, body: result.body };
      case 'answered':
        return { status: 200, body: result.body, ...keeping(result.nextRefreshS) };
      case 'free': {
        const retry = result.retryAfterS === null ? [] : ['Retry-After', String(result.retryAfterS)];
        return { status: result.status, body: result.body, headers: retry, ...keeping(result.nextRefreshS) };
      }
      case 'paid':
        return {
          status: 200,
          paid: true,
          body: result.body,
          ...keeping(result.nextRefreshS),
          headers: receiptHeader(result),
        };
      case 'payment_required':
        return demandPayment(result);
      case 'payment_refused': {
        const {
          status,
          body,
          headers = [],
        } = demandPayment({ ...result, kind: 'payment_required', code: 'payment_refused' });
        return { status, body, headers: [...headers, ...receiptHeader(result)] };
      }
      case 'payment_unknown': {
        const problem = pendingProblem(result, 'request');
        return {
          ...problemAnswer(problem, receiptHeader(result)),
          body: JSON.stringify({ ...toErrorBody(problem), ...SAME_PAYMENT }),
        };
      }
      case 'bad_request':
      case 'failed':
        return problemAnswer(result.problem);
    }
  };
}

/** The receipt in the header of the x402 version that the payment came in. */
function receiptHeader(result: Parameters<typeof receiptOf>[0]): HeaderPairs {
  const name = result.payment.version === 2 ? 'PAYMENT-RESPONSE' : 'X-PAYMENT-RESPONSE';
  return [name, encodeReceipt(receiptOf(result))];
}
