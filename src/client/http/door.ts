import type { Authorization } from '#domain/payment/payment';
import type { OutgoingRequest } from '../state/purchase.js';
import { paymentHeader, paymentPayload } from '../terms/authorization.js';
import type { Demand } from '../terms/demand.js';
import { type Exchange, exchange, type Fetch } from './http.js';
import { toExchange, withPayment } from './mcp-message.js';

/** Revision of the protocol that is spoken: without a session, one message per request. */
const MCP_REVISION = '2025-11-25';

/** What goes out with a request. */
export type Credentials =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'payment';
      readonly demand: Demand;
      readonly authorization: Authorization;
      readonly signature: string;
    }
  | { readonly kind: 'bearer'; readonly authorization: string; readonly idempotencyKey?: string };

export const NO_CREDENTIALS: Credentials = { kind: 'none' };

/**
 * Sends a request through its door, with credentials in the form of that door, and returns the
 * answer in the form of REST, whichever door it came through. Rejects as `exchange` does.
 */
export async function askDoor(
  fetch: Fetch,
  request: OutgoingRequest,
  credentials: Credentials,
  signal: AbortSignal,
): Promise<Exchange> {
  if (request.door !== 'mcp') return exchange(fetch, request, restHeaders(credentials), signal);
  const headers = {
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': MCP_REVISION,
    ...(credentials.kind === 'bearer' ? restHeaders(credentials) : {}),
  };
  return toExchange(await exchange(fetch, mcpRequest(request, credentials), headers, signal));
}

function restHeaders(credentials: Credentials): Readonly<Record<string, string>> {
  switch (credentials.kind) {
    case 'none':
      return {};
    case 'payment': {
      const { demand, authorization, signature } = credentials;
      return Object.fromEntries([paymentHeader(demand, authorization, signature)]);
    }
    case 'bearer': {
      const { authorization, idempotencyKey: key } = credentials;
      return { Authorization: authorization, ...(key === undefined ? {} : { 'Idempotency-Key': key }) };
    }
  }
}

function mcpRequest(request: OutgoingRequest, credentials: Credentials): OutgoingRequest {
  if (credentials.kind !== 'payment') return request;
  const { demand, authorization, signature } = credentials;
  return { ...request, body: withPayment(request.body!, paymentPayload(demand, authorization, signature)) };
}
