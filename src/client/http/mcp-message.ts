import { asObject, type JsonObject, parseObject } from '#domain/json';
import { toBase64 } from '../text.js';
import type { Exchange } from './http.js';

/** Where x402 payments are in a call of a tool (x402 transport "MCP"). */
const PAYMENT_META = 'x402/payment';

/** Codes of problems that say nothing about the request: the same one may be sent again. */
const UNCLEAR: readonly unknown[] = [
  'venue_unavailable',
  'ratings_unavailable',
  'evidence_unavailable',
  'store_unavailable',
  'payment_unavailable',
  'settlement_pending',
  'shutting_down',
  'overloaded',
  'internal_error',
];

/** Returns the JSON-RPC message that calls a tool; the same call always has the same text. */
export function toolCall(name: string, parameters: JsonObject): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  const args = Object.fromEntries(given.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } });
}

/** Returns the message with a payment in it. */
export function withPayment(message: string, payment: object): string {
  const received = parseObject(message)!;
  const params = { ...asObject(received.params), _meta: { [PAYMENT_META]: payment } };
  return JSON.stringify({ ...received, params });
}

/** Returns the result of a tool in the form of REST: what is an error there is one here. */
export function toExchange({ status, headers, text }: Exchange): Exchange {
  if (status !== 200) return { status, headers, text };
  const result = asObject(parseObject(text)?.result);
  const structured = asObject(result?.structuredContent);
  if (result === null || structured === null) return { status: 502, headers, text };
  return {
    status: statusOf(result, structured),
    headers: headersOf(structured, asObject(result._meta) ?? {}, headers),
    text: JSON.stringify(structured),
  };
}

function statusOf({ isError }: JsonObject, { x402Version, code, retry, verdict }: JsonObject): number {
  if (isError !== true) return verdict === 'QUEUED' ? 202 : 200;
  if (x402Version !== undefined) return 402;
  if (code === 'rate_limited') return 429;
  return retry === 'same_payment' || UNCLEAR.includes(code) ? 500 : 400;
}

function headersOf(structured: JsonObject, meta: JsonObject, received: Headers): Headers {
  const times = ['date', 'age'].map((name) => [name, received.get(name) ?? ''] as [string, string]);
  const headers = new Headers(times.filter(([, value]) => value !== ''));
  if (structured.x402Version !== undefined) headers.set('payment-required', toBase64(JSON.stringify(structured)));
  const retryAfterS = structured.retry_after_seconds;
  if (typeof retryAfterS === 'number') headers.set('retry-after', String(Math.ceil(retryAfterS)));
  if (meta.idempotent_replayed === true) headers.set('idempotent-replayed', 'true');
  return headers;
}
