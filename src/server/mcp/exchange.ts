import type { Credentials } from '#doors/credentials';
import type { GateCall } from '#services/gate/call';

/** What the tools need to know of the HTTP request around a call. */
export interface CallRequest extends Pick<GateCall, 'requestId' | 'caller' | 'isGone'>, Credentials {
  /** Whether it carries a payment as a REST endpoint takes it. */
  readonly hasPaymentHeader: boolean;
}

/**
 * One request on its way through the library: what the door knows of it, and what it learns of its
 * answer.
 */
export interface Exchange {
  readonly request: CallRequest;
  /** Whether the answer was paid for on the chain. */
  paid: boolean;
}

const exchanges = new WeakMap<Request, Exchange>();
const NO_CALLER: CallRequest = {
  requestId: '',
  caller: '',
  bearer: null,
  idempotencyKey: null,
  hasPaymentHeader: false,
};

/**
 * Remembers an exchange for as long as its request lives. The library carries the request to the
 * tool, and nothing else of ours.
 */
export function beginExchange(carrier: Request, request: CallRequest): Exchange {
  const exchange = { request, paid: false };
  exchanges.set(carrier, exchange);
  return exchange;
}

/**
 * Returns the exchange of a request; one of nobody if the request did not come through the HTTP
 * door.
 */
export function exchangeOf(carrier: Request | undefined): Exchange {
  const exchange = carrier === undefined ? undefined : exchanges.get(carrier);
  return exchange ?? { request: NO_CALLER, paid: false };
}
