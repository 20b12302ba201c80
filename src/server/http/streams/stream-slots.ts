import { Problem } from '#domain/errors';
import { rateKey } from '#domain/rate-key';
import type { Stopwatch } from '#system/stopwatch';
import * as limits from '../limits/limits.js';
import { createRateLimiter, type RateLimiter } from '../limits/rate-limit.js';

export interface StreamLimits {
  readonly max: number;
  readonly perCallerMax: number;
  /** New ones of one customer. */
  readonly rate: { readonly windowS: number; readonly points: number };
}

const LIMITS: StreamLimits = {
  max: limits.DEMO_STREAMS_MAX,
  perCallerMax: limits.DEMO_STREAMS_PER_CALLER_MAX,
  rate: limits.DEMO_STREAM_LIMIT,
};

/** How many streams are open and how many were refused since the start. */
export interface StreamsReport {
  readonly open: number;
  readonly refused: number;
}

/**
 * Gives places to streams: so many in all, so many to one customer, and so many new ones to one in
 * a minute.
 */
export class StreamSlots {
  readonly #limits: StreamLimits;
  readonly #rate: RateLimiter;
  /** Open streams by customer. */
  readonly #held = new Map<string, number>();
  #open = 0;
  #refused = 0;

  constructor(stopwatch: Stopwatch, streamLimits: StreamLimits = LIMITS) {
    this.#limits = streamLimits;
    this.#rate = createRateLimiter(streamLimits.rate, limits.LIMITED_ADDRESSES_MAX, stopwatch);
  }

  /**
   * Returns what gives the place back, which may be called again. Rejects with a Problem
   * `rate_limited`.
   */
  async take(address: string): Promise<() => void> {
    const { max, perCallerMax, rate } = this.#limits;
    const key = rateKey(address);
    const own = this.#held.get(key) ?? 0;
    if (own >= perCallerMax) throw this.#refusal(`you have ${own} open streams, and ${perCallerMax} are the most`);
    if (this.#open >= max) throw this.#refusal(`${max} streams are open here, which are the most`);
    // Held before anybody waits: streams that are opened at once are counted, too.
    const release = this.#hold(key);
    const waitS = await this.#rate.take(address);
    if (waitS === null) return release;
    release();
    throw this.#refusal(`you have opened ${rate.points} streams within ${rate.windowS} s, which are the most`, waitS);
  }

  report(): StreamsReport {
    return { open: this.#open, refused: this.#refused };
  }

  #hold(key: string): () => void {
    this.#open++;
    this.#held.set(key, (this.#held.get(key) ?? 0) + 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#open--;
      const left = this.#held.get(key)! - 1;
      if (left === 0) this.#held.delete(key);
      else this.#held.set(key, left);
    };
  }

  #refusal(what: string, retryAfterS: number = limits.DEMO_RETRY_AFTER_S): Problem {
    this.#refused++;
    return new Problem('rate_limited', `${what}: try again after ${retryAfterS} s`, { retryAfterS });
  }
}
