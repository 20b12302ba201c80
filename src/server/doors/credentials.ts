import type { IncomingHttpHeaders } from 'node:http';
import type { WalletAddress } from '#domain/ids';
import type { CallPayment } from '#services/gate/call';
import { readPayment } from '#wire/x402/x402-payment';

/** Who pays from credits, and whether it is a repeat. */
export interface Credentials {
  /** An empty text: credentials of another form, which are never valid. */
  readonly bearer: string | null;
  readonly idempotencyKey: string | null;
}

const BEARER = /^bearer +(\S+)$/i;

/** Returns the bearer token and the Idempotency-Key of a request. */
export function readCredentials(headers: IncomingHttpHeaders): Credentials {
  const { authorization, 'idempotency-key': key } = headers;
  return {
    bearer: authorization === undefined ? null : (BEARER.exec(authorization)?.[1] ?? ''),
    idempotencyKey: typeof key === 'string' ? key : null,
  };
}

/**
 * Returns the x402 payment of a request, in the form of either version. A v1 payment does not name
 * its token: it is `usdc`.
 */
export function readPaymentHeaders(headers: IncomingHttpHeaders, usdc: WalletAddress): CallPayment {
  const given = {
    paymentSignature: single(headers['payment-signature']),
    xPayment: single(headers['x-payment']),
  };
  return readPayment(given, usdc);
}

/**
 * Node joins a header that came twice with a comma, which is no base64: it is refused as malformed.
 */
function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join() : value;
}
