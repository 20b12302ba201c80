import type { WalletAddress } from '#domain/ids';
import type { CallPayment } from '#services/gate/call';
import { readPayment } from '#wire/x402/x402-payment';
import type { DoorRequest } from './answer.js';

/** Returns the x402 payment of a request, in the form of either version. A v1 payment does not name its token: it is `usdc`. */
export function callPayment({ headers }: Pick<DoorRequest, 'headers'>, usdc: WalletAddress): CallPayment {
  const given = {
    paymentSignature: single(headers['payment-signature']),
    xPayment: single(headers['x-payment']),
  };
  return readPayment(given, usdc);
}

/** Node joins a header that came twice with a comma, which is no base64: it is refused as malformed. */
function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join() : value;
}
