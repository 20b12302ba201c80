import { toErrorBody } from '#api/errors';
import { Problem } from '#domain/errors';
import type { SignedPayment } from '#domain/payment/payment';
import type { Clock } from '#ports/clock';
import type { GateResult } from '#services/gate/call';
import { type PaymentOffer, receiptFor } from '#wire/x402/x402';
import { type Answer, problemAnswer } from './answer.js';
import type { HeaderPairs } from './headers.js';
import { createPaymentRequired } from './payment-required.js';
import { untilRefresh } from './until-refresh.js';

const PENDING = 'settlement_pending';
const UNKNOWN_TEXT =
  'the outcome of this payment is not known yet: repeat the request with the same payment (never a new one); ' +
  'it gets the answer if the payment went through';

/**
 * Returns the translation of what the gate says into HTTP, for one offer. Answers that name their next refresh may be kept by
 * their caller until then.
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
          headers: receipt(result.payment, { transaction: result.transaction }),
        };
      case 'payment_required':
        return demandPayment(result);
      case 'payment_refused': {
        const {
          status,
          body,
          headers = [],
        } = demandPayment({ ...result, kind: 'payment_required', code: 'payment_refused' });
        return { status, body, headers: [...headers, ...receipt(result.payment, { errorReason: result.reason })] };
      }
      case 'payment_unknown': {
        const problem = new Problem(PENDING, UNKNOWN_TEXT, { retryAfterS: result.retryAfterS });
        const told = receipt(result.payment, { errorReason: PENDING, transaction: result.transaction ?? '' });
        // No terms here: whoever reads terms signs and pays again.
        return {
          ...problemAnswer(problem, told),
          body: JSON.stringify({ ...toErrorBody(problem), retry: 'same_payment' }),
        };
      }
      case 'bad_request':
      case 'failed':
        return problemAnswer(result.problem);
    }
  };
}

/** The receipt in the header of the x402 version that the payment came in. */
function receipt(
  payment: SignedPayment,
  facts: { readonly transaction?: string; readonly errorReason?: string },
): HeaderPairs {
  return [payment.version === 2 ? 'PAYMENT-RESPONSE' : 'X-PAYMENT-RESPONSE', receiptFor(payment, facts)];
}
