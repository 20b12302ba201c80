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

/** The place of one stream. */
export interface StreamSlot {
  /** Gives the place back; may be called again. */
  release(): void;
  /** Says how the stream is ended for somebody who needs its place more; at once if that is past. */
  onTaken(end: () => void): void;
}

interface Held extends StreamSlot {
  readonly holders: readonly string[];
  take(): void;
}

/**
 * Gives places to streams: so many in all, so many to one customer, and so many new ones to one in
 * a minute. When all are held, the oldest one of the widest holder goes to a newcomer with fewer.
 */
export class StreamSlots {
  readonly #limits: StreamLimits;
  readonly #rate: RateLimiter;
  /** Open streams by holder: customers, and the networks that theirs are part of. */
  readonly #held = new Map<string, number>();
  /** In the order in which they were given. */
  readonly #slots = new Set<Held>();
  #refused = 0;

  constructor(stopwatch: Stopwatch, streamLimits: StreamLimits = LIMITS) {
    this.#limits = streamLimits;
    this.#rate = createRateLimiter(streamLimits.rate, limits.LIMITED_ADDRESSES_MAX, stopwatch);
  }

  /** Rejects with a Problem `rate_limited`. */
  async take(address: string): Promise<StreamSlot> {
    const { rate } = this.#limits;
    const key = rateKey(address);
    // Who gets no place uses up nothing.
    this.#givenUpFor(key);
    const waitS = await this.#rate.take(address);
    if (waitS !== null) {
      throw this.#refusal(`you have opened ${rate.points} streams within ${rate.windowS} s, which are the most`, waitS);
    }
    // Looked at anew: streams that are opened at once are counted, too.
    this.#givenUpFor(key)?.take();
    return this.#hold(key);
  }

  report(): StreamsReport {
    return { open: this.#slots.size, refused: this.#refused };
  }

  /** Returns the stream that ends for a newcomer; null: none has to. Throws where there is no place. */
  #givenUpFor(key: string): Held | null {
    const { max, perCallerMax } = this.#limits;
    const own = this.#countOf(key);
    if (own >= perCallerMax) throw this.#refusal(`you have ${own} open streams, and ${perCallerMax} are the most`);
    if (this.#slots.size < max) return null;
    const widest = this.#widest(key);
    if (widest === null) throw this.#refusal(`${max} streams are open here, which are the most`);
    return widest;
  }

  /**
   * Returns the oldest stream of whoever holds most of them, if that is more than the newcomer would
   * then hold; else null.
   */
  #widest(key: string): Held | null {
    const ownMost = Math.max(...holdersOf(key).map((holder) => this.#countOf(holder))) + 1;
    let widest: Held | null = null;
    let most = ownMost;
    for (const slot of this.#slots) {
      const count = Math.max(...slot.holders.map((holder) => this.#countOf(holder)));
      if (count > most) [widest, most] = [slot, count];
    }
    return widest;
  }

  #countOf(holder: string): number {
    return this.#held.get(holder) ?? 0;
  }

  #hold(key: string): StreamSlot {
    const holders = holdersOf(key);
    let end: (() => void) | null = null;
    let isTaken = false;
    const slot: Held = {
      holders,
      release: () => {
        if (!this.#slots.delete(slot)) return;
        for (const holder of holders) this.#count(holder, -1);
      },
      onTaken: (given) => {
        end = given;
        if (isTaken) given();
      },
      take: () => {
        isTaken = true;
        slot.release();
        end?.();
      },
    };
    this.#slots.add(slot);
    for (const holder of holders) this.#count(holder, 1);
    return slot;
  }

  #count(holder: string, more: number): void {
    const count = this.#countOf(holder) + more;
    if (count === 0) this.#held.delete(holder);
    else this.#held.set(holder, count);
  }

  #refusal(what: string, retryAfterS: number = limits.DEMO_RETRY_AFTER_S): Problem {
    this.#refused++;
    return new Problem('rate_limited', `${what}: try again after ${retryAfterS} s`, { retryAfterS });
  }
}

/** A customer, and of an IPv6 one its /48 too: who has one has 65,536 customers' networks. */
function holdersOf(key: string): readonly string[] {
  return key.includes(':') ? [key, `${key.split(':').slice(0, 3).join(':')}/48`] : [key];
}
