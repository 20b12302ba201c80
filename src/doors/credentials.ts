import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import type { WalletAddress } from '#domain/ids';
import { TokenMemory } from '#services/credits/token-memory';
import type { CallPayment, GateCall } from '#services/gate/call';
import { readPayment } from '#wire/x402/x402-payment';

/** Who pays from credits, and whether it is a repeat. */
export type Credentials = Pick<GateCall, 'bearer' | 'idempotencyKey'>;

const BEARER = /^bearer +(\S+)$/i;

/** Returns the bearer token and the Idempotency-Key of a request. */
export function readCredentials({ authorization, 'idempotency-key': key }: IncomingHttpHeaders): Credentials {
  return {
    // An empty text: credentials of another form, which are never valid.
    bearer: authorization === undefined ? null : (BEARER.exec(authorization)?.[1] ?? ''),
    idempotencyKey: typeof key === 'string' ? key : null,
  };
}

const memories = new WeakMap<Socket, TokenMemory>();

/** Returns what is remembered of the token of a connection. */
export function tokenMemoryOf(socket: Socket): TokenMemory {
  let memory = memories.get(socket);
  if (memory === undefined) {
    memory = new TokenMemory();
    memories.set(socket, memory);
  }
  return memory;
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
