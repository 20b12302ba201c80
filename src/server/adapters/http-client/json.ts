import {
  BrokenCircuitError,
  ConsecutiveBreaker,
  circuitBreaker,
  ExponentialBackoff,
  handleWhen,
  type IPolicy,
  retry,
  wrap,
} from 'cockatiel';
import { OutsideError } from '#domain/errors';
import type { CallClass, Upstream } from '#ports/venue';
import type { Clock } from '#system/clock';
import type { Stopwatch } from '#system/stopwatch';
import { attemptJson, type HttpRequest, type JsonAnswer } from './attempt.js';
import { breakerPause } from './breaker-pause.js';
import { BulkheadFull, type BulkheadLimits, createBulkhead } from './bulkhead.js';
import { toHealth } from './health.js';
import { createThrottle } from './throttle.js';

export type { JsonAnswer } from './attempt.js';

/** How long and how often one call may try. */
export interface CallBudget {
  /** Connecting, headers and body of one attempt together. */
  readonly attemptTimeoutMs: number;
  readonly attemptsMax: number;
  /**
   * All attempts together, with what they wait for; absent: as long as they take. The last attempt
   * has what is left.
   */
  readonly sumMs?: number;
}

/** A verdict waits for a book: two quick tries, and then the true age of the book counts. */
export const BOOK_BUDGET: CallBudget = { attemptTimeoutMs: 800, attemptsMax: 2, sumMs: 1_600 };
/** The catalog is asked once per market and half minute, so a call may take longer. */
export const CATALOG_BUDGET: CallBudget = { attemptTimeoutMs: 1_500, attemptsMax: 3, sumMs: 2_400 };
/** A fee that is not to be had soon is taken for the highest. */
export const FEE_BUDGET: CallBudget = { attemptTimeoutMs: 600, attemptsMax: 2, sumMs: 1_000 };

export interface HttpJsonLimits extends BulkheadLimits {
  /** A body after decompression. An event of 128 markets, or 100 deep books, is about 1 MB. */
  readonly responseBytesMax: number;
  readonly backoffFirstMs: number;
  readonly backoffMaxMs: number;
  /** Failed attempts in a row after which the upstream is left alone. */
  readonly breakerFailures: number;
  /** How long it is left alone before one call tries again. */
  readonly breakerPauseMs: number;
  /**
   * The longest wait that a 429 may impose on a call; where it wants a longer one, calls fail
   * unasked.
   */
  readonly throttleWaitMaxMs: number;
  /** The longest Retry-After that is believed. */
  readonly throttleMaxMs: number;
}

const LIMITS: HttpJsonLimits = {
  responseBytesMax: 16 * 1024 * 1024,
  callsInFlightMax: 64,
  backgroundInFlightMax: 48,
  callsWaitingMax: 128,
  backoffFirstMs: 40,
  backoffMaxMs: 250,
  breakerFailures: 5,
  breakerPauseMs: 1_000,
  throttleWaitMaxMs: 300,
  throttleMaxMs: 30_000,
};

export interface HttpJsonOptions {
  /** A short name for messages and /status.json, such as "clob". */
  readonly upstream: string;
  readonly baseUrl: string;
  /** What `probe` gets: one of them has to be there, and JSON. Absent: `/`. */
  readonly probePaths?: readonly string[];
  readonly budget: CallBudget;
  readonly clock: Clock;
  readonly limits?: Partial<HttpJsonLimits>;
}

/**
 * JSON over HTTP to one upstream, with its time limits, retries and circuit breaker. Rejects with
 * an OutsideError.
 */
export interface HttpJson extends Upstream {
  readonly upstream: string;
  /**
   * `path` begins with a slash and holds the query, already escaped. Without a class it is for a
   * caller.
   */
  get(path: string, callClass?: CallClass): Promise<JsonAnswer>;
  /**
   * Only for requests that may be sent twice. `read` stands in for JSON.parse, and throws where the
   * text is not JSON.
   */
  post(path: string, body: unknown, callClass?: CallClass, read?: (text: string) => unknown): Promise<JsonAnswer>;
}

/** One request, as each try sends it. */
type Requested = Pick<HttpRequest, 'method' | 'body' | 'read'> & { readonly path: string };

function toGet(path: string): Requested {
  return { method: 'GET', path, body: null, read: JSON.parse };
}

/** Returns the way to one upstream. One per upstream, so that all its callers share one breaker. */
export function createHttpJson(options: HttpJsonOptions): HttpJson {
  const { upstream, budget, clock } = options;
  const limits = { ...LIMITS, ...options.limits };
  const baseUrl = options.baseUrl.replace(/\/+$/, '');
  const { throttleWaitMaxMs: waitMaxMs, throttleMaxMs: pauseMaxMs } = limits;
  const throttle = createThrottle({ upstream, clock, waitMaxMs, pauseMaxMs });
  const bulkhead = createBulkhead(limits);
  const policy = createPolicy(budget, limits, clock);
  let lastOkAtMs: number | null = null;
  let lastError: string | null = null;

  async function attempt({ path, ...requested }: Requested, endMs: number): Promise<JsonAnswer> {
    await throttle.pass();
    const leftMs = endMs - clock.elapsedMs();
    if (leftMs <= 0) throw new TimeIsUp();
    const timeoutMs = Math.ceil(Math.min(budget.attemptTimeoutMs, leftMs));
    const { responseBytesMax } = limits;
    const answer = await attemptJson({ ...requested, upstream, url: `${baseUrl}${path}`, timeoutMs, responseBytesMax });
    if (answer.kind === 'throttled') throw throttle.begin(answer.retryAfter);
    if (answer.kind === 'refused' && !JSON_START.test(answer.text)) {
      lastError = `${upstream}: answered ${answer.status} with something else than JSON`;
      return answer;
    }
    lastOkAtMs = clock.nowMs();
    lastError = null;
    return answer;
  }

  async function call(requested: Requested, callClass: CallClass = 'caller'): Promise<JsonAnswer> {
    const { sumMs = Number.POSITIVE_INFINITY } = budget;
    const endMs = clock.elapsedMs() + sumMs;
    try {
      return await bulkhead.run(callClass, () => policy.execute(() => attempt(requested, endMs)));
    } catch (error) {
      const failure = toOutsideError(upstream, error, limits, sumMs);
      // What was not sent says nothing: the reason is that of the call before.
      if (lastError === null || !isUnsent(error)) lastError = failure.message;
      throw failure;
    }
  }

  /** A refusal is no sign that this is the upstream that was meant. */
  async function probe(): Promise<void> {
    let refusal: string | null = null;
    for (const path of options.probePaths ?? ['/']) {
      const answer = await call(toGet(path), 'background').catch(() => null);
      if (answer?.kind !== 'refused') return;
      refusal = `${upstream}: answered ${answer.status} to GET ${path}: its URL may be wrong`;
    }
    lastError = refusal;
  }

  return {
    upstream,
    get: (path, callClass) => call(toGet(path), callClass),
    post: (path, body, callClass, read = JSON.parse) =>
      call({ method: 'POST', path, body: JSON.stringify(body), read }, callClass),
    probe,
    health: () => toHealth(upstream, lastOkAtMs, lastError),
  };
}

/**
 * Retries around the breaker, which so sees every attempt. A final answer passes both unseen, and a
 * 429 never opens the breaker: it has its own pause.
 */
function createPolicy(budget: CallBudget, limits: HttpJsonLimits, stopwatch: Stopwatch): IPolicy {
  const isRetryable = (error: Error) => error instanceof OutsideError && error.failure === 'retryable';
  const isFault = (error: Error) => isRetryable(error) && (error as OutsideError).status !== 429;
  return wrap(
    retry(handleWhen(isRetryable), {
      maxAttempts: budget.attemptsMax - 1,
      backoff: new ExponentialBackoff({ initialDelay: limits.backoffFirstMs, maxDelay: limits.backoffMaxMs }),
    }),
    circuitBreaker(handleWhen(isFault), {
      halfOpenAfter: breakerPause(stopwatch, limits.breakerPauseMs),
      breaker: new ConsecutiveBreaker(limits.breakerFailures),
    }),
  );
}

/** How JSON of an API begins, and no page or line of words does. */
const JSON_START = /^\s*["[{]/;

/** Whether a call was not made at all. */
function isUnsent(error: unknown): boolean {
  return error instanceof BrokenCircuitError || error instanceof BulkheadFull;
}

/** Nothing is left of the budget for one more attempt. */
class TimeIsUp extends Error {}

function toOutsideError(upstream: string, error: unknown, limits: HttpJsonLimits, sumMs: number): OutsideError {
  if (error instanceof OutsideError) return error;
  if (error instanceof TimeIsUp) {
    return new OutsideError(upstream, `gave no answer within ${sumMs} ms`, { failure: 'retryable', cause: error });
  }
  if (error instanceof BrokenCircuitError) {
    const pause = `called again ${limits.breakerPauseMs} ms after the last failure`;
    return new OutsideError(upstream, `failed too often in a row; ${pause}`, { failure: 'retryable', cause: error });
  }
  if (error instanceof BulkheadFull) {
    const bound = `${limits.callsInFlightMax} calls are under way and ${limits.callsWaitingMax} wait`;
    return new OutsideError(upstream, bound, { failure: 'retryable', cause: error });
  }
  return new OutsideError(upstream, 'the call failed', { failure: 'final', cause: error });
}
