import type { OutgoingRequest } from '../state/purchase.js';
import { GuardrailRefused } from '../terms/errors.js';
import type { Fault } from '../terms/rules.js';

/** Largest answer that is read, in bytes: the longest honest one is a tenth of it. */
const ANSWER_BYTES_MAX = 4 << 20;
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** An answer, read whole. */
export interface Exchange {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** An answer that is too long to be read: nothing honest is. */
class AnswerTooLong extends Error {
  override readonly name = 'AnswerTooLong';
}

/** Returns why an address may not be asked: anything but https, and http to this machine. */
function transportFault(url: URL): Fault | null {
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.test(url.hostname));
  return isSafe
    ? null
    : { rule: 'insecure_transport', expected: 'https, or http to this machine', found: url.origin || url.protocol };
}

/**
 * Sends a request and reads the answer, never following a redirect and never reading more than a
 * bound. Rejects with GuardrailRefused (redirect, transport), AnswerTooLong, or as fetch does.
 */
export async function exchange(
  fetch: Fetch,
  { method, url, body }: OutgoingRequest,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Exchange> {
  const fault = transportFault(new URL(url));
  if (fault !== null) throw new GuardrailRefused(fault);
  const type = body === null ? {} : { 'content-type': 'application/json' };
  const response = await fetch(url, {
    method,
    headers: { accept: 'application/json', ...type, ...headers },
    body,
    redirect: 'manual',
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
    signal,
  });
  if (isRedirect(response)) {
    void response.body?.cancel().catch(() => {});
    throw new GuardrailRefused(redirectFault(url, response));
  }
  return { status: response.status, headers: response.headers, text: await readBounded(response) };
}

function isRedirect({ type, status }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status < 400 && status !== 304);
}

function redirectFault(url: string, { headers, status }: Response): Fault {
  const found = headers.get('location') ?? `a redirect (${status})`;
  return { rule: 'redirect_refused', expected: `an answer from ${url.split('?')[0]}`, found };
}

async function readBounded({ body }: Response): Promise<string> {
  if (body === null) return '';
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.length;
    if (bytes > ANSWER_BYTES_MAX) {
      void reader.cancel().catch(() => {});
      throw new AnswerTooLong(`an answer of more than ${ANSWER_BYTES_MAX} bytes was not read`);
    }
    text += decoder.decode(value, { stream: true });
  }
}
