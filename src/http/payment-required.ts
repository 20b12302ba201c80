import type { PaymentRequiredBody } from '#api/payment-required';
import { creditsLack } from '#doors/payment-outcome';
import type { Answer } from '#doors/route';
import type { GateResult, PaymentCode } from '#services/gate/call';
import { encodePaymentRequired, type PaymentOffer, toPaymentRequiredV1 } from '#wire/x402/x402';

type PaymentDemand = Extract<GateResult, { kind: 'payment_required' }>;

/** `error` of the v2 header. It holds no numbers, so that every header is made once. */
const HEADER_ERRORS: Readonly<Record<PaymentCode, string>> = {
  payment_required: 'payment required',
  payment_refused: 'the payment was refused',
  invalid_token: 'the bearer token is invalid or expired',
  insufficient_credits: 'credits are exhausted',
};

/**
 * Returns the maker of 402 answers for one offer: v2 terms in the header, v1 terms and our code in
 * the body.
 */
export function createPaymentRequired(offer: PaymentOffer): (demand: PaymentDemand) => Answer {
  const headers = new Map(
    Object.entries(HEADER_ERRORS).map(([code, error]) => [
      code,
      ['PAYMENT-REQUIRED', encodePaymentRequired(offer, error)],
    ]),
  );
  return (demand) => {
    const { code, reason } = demand;
    const terms = { ...toPaymentRequiredV1(offer, reason), code, ...creditsLack(demand) };
    const body = terms satisfies Omit<PaymentRequiredBody, 'accepts'>;
    return { status: 402, body: JSON.stringify(body), headers: headers.get(code) ?? [] };
  };
}
