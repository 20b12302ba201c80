import { randomUUID } from 'node:crypto';
import { x402Client, x402HTTPClient } from '@x402/core/client';
import type { PaymentRequired } from '@x402/core/types';
import { registerExactEvmScheme } from '@x402/evm/exact/client';
import type { Hex } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import type { Authorization } from '#test/local/support/chain-harness';

/** What a client sends, whichever it asks. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'HEAD';
  /** Path and query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a client saw of one request: an answer, or that the connection broke before its end. */
export interface Answer {
  readonly status: number | 'cut';
  readonly body: string;
  /** PAYMENT-RESPONSE or X-PAYMENT-RESPONSE. */
  readonly receipt: string | null;
  /** PAYMENT-REQUIRED: whoever reads it signs and pays anew. */
  readonly demand: string | null;
  readonly retryAfter: string | null;
}

/** Longer than a service may take for an answer. */
const PATIENCE_MS = 120_000;
const CUT: Answer = { status: 'cut', body: '', receipt: null, demand: null, retryAfter: null };

/** Sends the call to a service. Never rejects. */
export async function ask(url: string, { method, path, headers = {} }: Call): Promise<Answer> {
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const answer = await fetch(url + path, { method, headers, redirect: 'error', signal });
    const body = await answer.text();
    return {
      status: answer.status,
      body,
      receipt: answer.headers.get('PAYMENT-RESPONSE') ?? answer.headers.get('X-PAYMENT-RESPONSE'),
      demand: answer.headers.get('PAYMENT-REQUIRED'),
      retryAfter: answer.headers.get('Retry-After'),
    };
  } catch {
    return CUT;
  }
}

export interface Signing {
  readonly version: 1 | 2;
  readonly account: PrivateKeyAccount;
  /** How long the authorization is good; null: as long as the terms say. */
  readonly windowS: number | null;
}

/**
 * Asks for the terms of the call without paying, and returns the call with a payment as the
 * official client signs it.
 */
export async function sign(url: string, call: Call, { version, account, windowS }: Signing): Promise<Call> {
  const { demand, body, status } = await ask(url, call);
  if (status !== 402 || demand === null) throw new Error(`an unpaid call answered ${status} ${body}`);
  const terms = withWindow(version === 2 ? JSON.parse(atob(demand)) : JSON.parse(body), windowS);
  const client = registerExactEvmScheme(new x402Client(), { signer: account });
  // It pays at most 1 USD at once unless it is told otherwise; the credit pack costs 5.
  client.setSpendControls(false);
  const payment = await client.createPaymentPayload(terms);
  const headers = new x402HTTPClient(client).encodePaymentSignatureHeader(payment);
  // What a v2 payment sends back of the terms; without either no repeat is shown the token of a
  // pack.
  const key = version === 2 ? {} : { 'Idempotency-Key': randomUUID() };
  return { ...call, headers: { ...headers, ...key } };
}

/** The official client takes from the terms how long its authorization is to be good. */
function withWindow(terms: PaymentRequired, windowS: number | null): PaymentRequired {
  if (windowS === null) return terms;
  return { ...terms, accepts: terms.accepts.map((entry) => ({ ...entry, maxTimeoutSeconds: windowS })) };
}

/**
 * Returns the signed transfer in a call's payment header, as whoever sees the request can read it.
 */
export function authorizationIn({ headers = {} }: Call): Authorization {
  const header = headers['PAYMENT-SIGNATURE'] ?? headers['X-PAYMENT']!;
  const { authorization, signature } = JSON.parse(atob(header)).payload as SignedPayload;
  const { from, to, value, validAfter, validBefore, nonce } = authorization;
  const numbers = { value: BigInt(value), validAfter: BigInt(validAfter), validBefore: BigInt(validBefore) };
  return { from, to, nonce, signature, ...numbers };
}

interface SignedPayload {
  readonly authorization: Record<'from' | 'to' | 'value' | 'validAfter' | 'validBefore' | 'nonce', Hex>;
  readonly signature: Hex;
}
