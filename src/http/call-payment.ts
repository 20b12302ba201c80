import type { CallPayment } from '#services/gate-call';
import { readPayment } from '#wire/x402-payment';
import type { DoorRequest } from './answer.js';

/** Returns the x402 payment of a request, in the form of either version. */
export function callPayment({ headers }: Pick<DoorRequest, 'headers'>): CallPayment {
  return readPayment({
    paymentSignature: single(headers['payment-signature']),
    xPayment: single(headers['x-payment']),
  });
}

/** Node joins a header that came twice with a comma, which is no base64: it is refused as malformed. */
function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join() : value;
}
