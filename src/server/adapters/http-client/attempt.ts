import { decodeText } from '#domain/decode-text';
import { OutsideError, type OutsideFailure } from '#domain/errors';
import { isRedirect, REDIRECT } from './redirect.js';

/** `refused` is a 4xx: the upstream is well and said no. Asking again would get the same. */
export type JsonAnswer =
  | { readonly kind: 'ok'; readonly body: unknown }
  | { readonly kind: 'refused'; readonly status: number; readonly text: string };

/** A 429: the upstream is well and wants a pause, of which `retryAfter` is its header. */
export interface Throttled {
  readonly kind: 'throttled';
  readonly retryAfter: string | null;
}

export interface HttpRequest {
  readonly upstream: string;
  readonly method: 'GET' | 'POST';
  readonly url: string;
  /** JSON text, or null. */
  readonly body: string | null;
  /** Connecting, headers and body together. */
  readonly timeoutMs: number;
  /** The body after decompression. */
  readonly responseBytesMax: number;
  /**
   * Reads the body of a 2xx. Throws where it is not what it should be in form: then another try may
   * get it.
   */
  readonly read: (text: string) => unknown;
}

/** The venue's edge answers 403 to calls that do not say who they are. */
const USER_AGENT = 'preflight/1.0';
/** An upstream's own words may repeat what it was asked for. */
const REFUSAL_TEXT_LENGTH_MAX = 1_000;
/**
 * Beside 5xx: the upstream was too slow with our request, or is restarting (425, docs/venue.md,
 * "Order books by REST").
 */
const RETRYABLE_STATUSES: ReadonlySet<number> = new Set([408, 425]);

/**
 * Asks once. Rejects with an OutsideError that says whether asking again can help; the text never
 * holds a payload.
 */
export async function attemptJson(request: HttpRequest): Promise<JsonAnswer | Throttled> {
  const late = new AbortController();
  // Not AbortSignal.timeout, whose timer goes off after each call that was in time, and tells all
  // that once listened.
  const timer = setTimeout(() => late.abort(new DOMException('too late', 'TimeoutError')), request.timeoutMs);
  timer.unref();
  try {
    return await attemptUntil(request, late.signal);
  } finally {
    clearTimeout(timer);
  }
}

async function attemptUntil(request: HttpRequest, late: AbortSignal): Promise<JsonAnswer | Throttled> {
  const response = await open(request, late);
  if (isRedirect(response)) {
    await discard(response);
    throw failure(request, 'retryable', `answered ${response.status}; redirects are not followed`);
  }
  if (response.status === 429) {
    await discard(response);
    return { kind: 'throttled', retryAfter: response.headers.get('retry-after') };
  }
  if (response.status >= 500 || RETRYABLE_STATUSES.has(response.status)) {
    await discard(response);
    throw failure(request, 'retryable', `answered ${response.status}`, { status: response.status });
  }
  const text = await readText(request, response);
  if (!response.ok) {
    return { kind: 'refused', status: response.status, text: text.slice(0, REFUSAL_TEXT_LENGTH_MAX) };
  }
  try {
    return { kind: 'ok', body: request.read(text) };
  } catch {
    // An edge that is in trouble answers 200 with a page of HTML; the next try may reach another
    // one.
    throw failure(request, 'retryable', `answered ${response.status} with a body that is not JSON`);
  }
}

async function open(request: HttpRequest, late: AbortSignal): Promise<Response> {
  const { method, url, body, timeoutMs } = request;
  const headers = { accept: 'application/json', 'user-agent': USER_AGENT };
  try {
    return await fetch(url, {
      method,
      headers: body === null ? headers : { ...headers, 'content-type': 'application/json' },
      body,
      redirect: REDIRECT,
      signal: late,
    });
  } catch (cause) {
    throw failure(request, 'retryable', describe(cause, timeoutMs), { cause });
  }
}

/**
 * Counts what arrives, so that a body without end (or a small one that inflates) takes no more
 * memory than allowed.
 */
async function readText(request: HttpRequest, response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response.body ?? []) {
      bytes += chunk.byteLength;
      if (bytes > request.responseBytesMax) break;
      chunks.push(chunk);
    }
  } catch (cause) {
    throw failure(request, 'retryable', describe(cause, request.timeoutMs), { cause });
  }
  if (bytes <= request.responseBytesMax) return decodeText(Buffer.concat(chunks));
  throw failure(request, 'final', `answered with more than ${request.responseBytesMax} bytes`);
}

/** Frees the connection of an answer that nobody reads. */
async function discard(response: Response): Promise<void> {
  await response.body?.cancel().catch(() => undefined);
}

function describe(cause: unknown, timeoutMs: number): string {
  if (cause instanceof Error && cause.name === 'TimeoutError') return `gave no answer within ${timeoutMs} ms`;
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
  return inner instanceof Error ? `failed (${inner.message})` : 'failed';
}

/** Names the path without its query, because the query holds what a caller wrote. */
function failure(
  request: HttpRequest,
  kind: OutsideFailure,
  what: string,
  facts: { status?: number; cause?: unknown } = {},
): OutsideError {
  const { upstream, method, url } = request;
  return new OutsideError(upstream, `${method} ${new URL(url).pathname} ${what}`, { failure: kind, ...facts });
}
