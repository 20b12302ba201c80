import { docOf } from '#api/errors';
import type { PaymentRequiredBody } from '#api/payment-required';
import { creditsLack, type Demand, refusalCode } from '#doors/payment-outcome';
import type { Answer } from '#doors/route';
import type { PaymentCode } from '#services/gate/call';
import { type PaymentOffer, paymentRequiredHeaders, toPaymentRequiredV1 } from '#wire/x402/x402';

/** `error` of the v2 header. It does not tell numbers, so that all but the secret is made once. */
const HEADER_ERRORS: Readonly<Record<PaymentCode, string>> = {
  payment_required: 'payment required',
  payment_refused: 'the payment was refused: the body says why and what to do',
  invalid_token:
    'the bearer token is invalid or expired: buy at POST /api/credits, redeem a code at POST /api/redeem, or pay for this call',
  insufficient_credits:
    'credits are exhausted: buy at POST /api/credits, redeem a code at POST /api/redeem, or pay for this call',
};

/**
 * Returns the maker of 402 answers for one offer: v2 terms in the header, v1 terms and our code in
 * the body. Each carries a secret of its own, which v2 clients send back with their payment.
 */
export function createPaymentRequired(offer: PaymentOffer, newSecret: () => string): (demand: Demand) => Answer {
  const headers = new Map(
    Object.entries(HEADER_ERRORS).map(([code, error]) => [code, paymentRequiredHeaders(offer, error)]),
  );
  return (demand) => {
    const { code, reason } = demand;
    const ours = { code, doc: docOf(code), ...refusalCode(demand), ...creditsLack(demand) };
    const terms = { ...toPaymentRequiredV1(offer, reason), ...ours };
    const body = terms satisfies Omit<PaymentRequiredBody, 'accepts'>;
    const header = headers.get(code)!(newSecret());
    return { status: 402, body: JSON.stringify(body), headers: ['PAYMENT-REQUIRED', header] };
  };
}
