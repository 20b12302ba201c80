import { OutsideError } from '#domain/errors';
import { parseJson } from '#domain/json';
import type { Clock } from '#system/clock';
import type { Timers } from '#system/timers';
import type { HttpRequest, JsonAnswer, Throttled } from '../http-client/attempt.js';
import {
  ANSWER_BYTES_MAX,
  ANSWER_MS_MAX,
  CALLS_MAX,
  CALLS_PER_SECOND_MAX,
  FAILURES_MAX,
  RETRY_AFTER_MS,
  RETRY_AFTER_MS_MAX,
} from './limits.js';
import { Samples } from './samples.js';

/** The parts of the venue that answer questions. */
export type Part = 'gamma' | 'clob' | 'data';

/** What a part of the venue said, whatever it was. */
export interface Answer {
  readonly status: number;
  /** undefined: the text is no JSON. */
  readonly body: unknown;
  /** Of a refusal the first 200 characters. */
  readonly text: string;
}

/** A question that could not be put, or was not answered: nothing is known by it. */
export class NotAsked extends Error {
  override readonly name: string = 'NotAsked';
}

/** The venue answered, and has nothing that a question could be put about. */
export class NothingToAsk extends NotAsked {
  override readonly name = 'NothingToAsk';
}

export interface AskerOptions {
  readonly urls: Readonly<Record<Part, string>>;
  readonly clock: Clock;
  readonly timers: Timers;
  /** Makes one call; rejects with an OutsideError. */
  readonly attempt: (request: HttpRequest) => Promise<JsonAnswer | Throttled>;
  readonly signal: AbortSignal;
}

const MS_BETWEEN_CALLS = 1_000 / CALLS_PER_SECOND_MAX;

/**
 * Puts questions to the venue one by one, within the limits of a check. Rejects with NotAsked where
 * no answer came.
 */
export class Asker {
  readonly #options: AskerOptions;
  readonly #failures = new Map<Part, number>();
  #calls = 0;
  #nextCallAtMs = Number.NEGATIVE_INFINITY;
  readonly samples = new Samples();

  constructor(options: AskerOptions) {
    this.#options = options;
  }

  /** Calls that were made. */
  get calls(): number {
    return this.#calls;
  }

  /** `name` is that of the sample that is kept of the answer. */
  get(part: Part, name: string, path: string): Promise<Answer> {
    return this.#ask(part, name, path, null);
  }

  post(part: Part, name: string, path: string, body: unknown): Promise<Answer> {
    return this.#ask(part, name, path, JSON.stringify(body));
  }

  /** Waits until a call may be made, and counts it. */
  async turn(): Promise<void> {
    const { clock, timers, signal } = this.#options;
    if (this.#calls >= CALLS_MAX) throw new NotAsked(`${CALLS_MAX} calls were made, which is all that a check makes`);
    this.#calls++;
    const waitMs = this.#nextCallAtMs - clock.elapsedMs();
    this.#nextCallAtMs = Math.max(clock.elapsedMs(), this.#nextCallAtMs) + MS_BETWEEN_CALLS;
    if (waitMs > 0) await timers.sleep(waitMs, signal);
    if (signal.aborted) throw new NotAsked('stopped before it was asked');
  }

  async #ask(part: Part, name: string, path: string, body: string | null): Promise<Answer> {
    const failures = this.#failures.get(part) ?? 0;
    if (failures >= FAILURES_MAX) throw new NotAsked(`${part} did not answer before`);
    const first = await this.#try(part, path, body);
    const answer = 'waitMs' in first ? await this.#tryAgain(part, path, body, first.waitMs) : first;
    if ('waitMs' in answer) {
      this.#failures.set(part, failures + 1);
      throw new NotAsked(answer.why);
    }
    this.#failures.set(part, 0);
    this.samples.keep(name, { asked: `${part} ${path}`, ...(body === null ? {} : { sent: body }) }, answer);
    return answer;
  }

  async #tryAgain(part: Part, path: string, body: string | null, waitMs: number): Promise<Answer | Failed> {
    await this.#options.timers.sleep(waitMs, this.#options.signal);
    return this.#try(part, path, body);
  }

  async #try(part: Part, path: string, body: string | null): Promise<Answer | Failed> {
    await this.turn();
    try {
      const answer = await this.#options.attempt({
        upstream: part,
        method: body === null ? 'GET' : 'POST',
        url: `${this.#options.urls[part]}${path}`,
        body,
        timeoutMs: ANSWER_MS_MAX,
        responseBytesMax: ANSWER_BYTES_MAX,
        read: (text) => text,
      });
      if (answer.kind === 'throttled') return { why: `${part} wants fewer calls (429)`, waitMs: pauseMs(answer) };
      const text = answer.kind === 'ok' ? String(answer.body) : answer.text;
      return { status: answer.kind === 'ok' ? 200 : answer.status, body: parseJson(text), text };
    } catch (error) {
      if (error instanceof OutsideError) return { why: error.message, waitMs: RETRY_AFTER_MS };
      throw error;
    }
  }
}

interface Failed {
  readonly why: string;
  readonly waitMs: number;
}

/** A date as Retry-After is as good as none here: a check is patient enough. */
function pauseMs({ retryAfter }: Throttled): number {
  const seconds = Number(retryAfter ?? Number.NaN);
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds * 1_000, RETRY_AFTER_MS_MAX) : RETRY_AFTER_MS;
}
