import { decodeText } from '#domain/decode-text';
import { parseJson } from '#domain/json';
import { isRedirect, REDIRECT } from '../http-client/redirect.js';

/**
 * What came of one HTTP request to a facilitator. Its texts name codes and statuses only, never
 * what was sent.
 */
export type FacilitatorCall =
  | FacilitatorAnswer
  /** No connection came about, so nothing was read there. */
  | { readonly kind: 'not_sent'; readonly reason: string }
  /** It was or may have been read; the answer is missing or cannot be used. */
  | FacilitatorLost;

interface FacilitatorLost {
  readonly kind: 'lost';
  readonly reason: string;
  /** Whether nothing came back in time, rather than something else than an answer. */
  readonly isLate?: true;
}

export interface FacilitatorAnswer {
  readonly kind: 'answer';
  readonly status: number;
  /** Parsed JSON; undefined if the body is not JSON. */
  readonly body: unknown;
  /** The body as it came. */
  readonly text: string;
  /** Seconds or a date, as sent. */
  readonly retryAfter: string | null;
}

export interface FacilitatorCallRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text to post; null gets. */
  readonly body: string | null;
  /** Connecting, headers and body together. */
  readonly timeoutMs: number;
}

/** Answers have some 300 bytes; CDP's errors some 500. */
const FACILITATOR_ANSWER_BYTES_MAX = 64 * 1024;

/**
 * Asks once. Never rejects. A redirect is not followed: the body is a payment, and it was made for
 * one place. An answer that is no JSON is an answer: its status may say that the request was turned
 * away.
 */
export async function callFacilitator(request: FacilitatorCallRequest): Promise<FacilitatorCall> {
  const { url, headers, body, timeoutMs } = request;
  try {
    const response = await fetch(url, {
      method: body === null ? 'GET' : 'POST',
      headers: { ...(body !== null && { 'content-type': 'application/json' }), accept: 'application/json', ...headers },
      body,
      redirect: REDIRECT,
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (isRedirect(response)) {
      await response.body?.cancel();
      return { kind: 'lost', reason: `answered ${response.status}; redirects are not followed` };
    }
    const text = await readText(response);
    if (text === null) return { kind: 'lost', reason: `answered more than ${FACILITATOR_ANSWER_BYTES_MAX} bytes` };
    const { status } = response;
    return { kind: 'answer', status, body: parseJson(text), text, retryAfter: response.headers.get('retry-after') };
  } catch (error) {
    return describeFailure(error, timeoutMs);
  }
}

/**
 * Counts what arrives, so that a body without end (or a small one that inflates) takes no more
 * memory than allowed.
 */
async function readText(response: Response): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > FACILITATOR_ANSWER_BYTES_MAX) return null;
    chunks.push(chunk);
  }
  return decodeText(Buffer.concat(chunks));
}

function describeFailure(error: unknown, timeoutMs: number): FacilitatorCall {
  if (error instanceof Error && error.name === 'TimeoutError') {
    return { kind: 'lost', reason: `no answer within ${timeoutMs} ms`, isLate: true };
  }
  const code = codeOf(error);
  return isBeforeSending(code)
    ? { kind: 'not_sent', reason: `no connection (${code})` }
    : { kind: 'lost', reason: `connection failed (${code})` };
}

/** fetch wraps the reason once. Its own errors (a redirect) have none. */
function codeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' ? code : 'no code';
}

/** Name resolution, the connection, the certificate. */
const NO_CONNECTION =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|ERR_TLS_CERT_ALTNAME_INVALID|CERT_[A-Z_]+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_[A-Z_]+)$/;

/**
 * OpenSSL words these names, and words them anew: what was SSLV3_ALERT_… is SSL/TLS_ALERT_… since
 * its version 3.2.
 */
const NO_HANDSHAKE =
  /^ERR_SSL_[A-Z0-9_/]*(WRONG_VERSION_NUMBER|HANDSHAKE_FAILURE|PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL)$/;

/**
 * Whether a failure of `fetch` with this code came before the first byte of the request was sent,
 * so that nobody can have read it. A code that is not known may have come later.
 */
export function isBeforeSending(code: string): boolean {
  return NO_CONNECTION.test(code) || NO_HANDSHAKE.test(code);
}
