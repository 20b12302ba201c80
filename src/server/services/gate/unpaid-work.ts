import { LRUCache } from 'lru-cache';
import { Problem } from '#domain/errors';
import { rateKey } from '#domain/rate-key';
import type { Stopwatch } from '#system/stopwatch';
import { CountedLimit } from '../counted-limit.js';
import { lruOptions } from '../lru-options.js';

/** Work at the venue that nobody paid for, of one bearer and of one network address. */
export const UNPAID_WORK_LIMIT = { windowS: 60, max: 30 } as const;
/** Work of one bearer under way at once; what else it wants waits for its turn. */
export const TURNS_AT_ONCE_MAX = 16;
/** Bearers that are known to pay. */
const PAYING_MAX = 10_000;

/** Who wants work done at the venue. */
export interface Worker {
  readonly bearer: string;
  /** Network address. */
  readonly caller: string;
}

/** A turn to work: to be ended, whatever came of it. */
export interface Turn {
  /** The venue is asked from now on. */
  begun(): void;
  charged(): void;
  end(): void;
}

/** The turns of one bearer. */
interface Turns {
  atWork: number;
  readonly waiting: (() => void)[];
}

/**
 * Bounds the work that is done at the venue for nothing: looking for markets that there are not, for
 * a balance that pays for one of many. A bearer that was charged for its last work is not held by
 * what others behind its address do.
 */
export class UnpaidWork {
  readonly #unpaid: CountedLimit;
  readonly #turns = new Map<string, Turns>();
  readonly #paying = new LRUCache<string, true>(lruOptions(PAYING_MAX));

  constructor(stopwatch: Stopwatch) {
    this.#unpaid = new CountedLimit(UNPAID_WORK_LIMIT, stopwatch);
  }

  /** Waits for a turn. Rejects with a Problem `rate_limited`. */
  async turn(worker: Worker): Promise<Turn> {
    const { bearer } = worker;
    await this.#enter(bearer);
    const waitS = this.#waitS(worker);
    if (waitS !== null) {
      this.#leave(bearer);
      throw tooMuch(waitS);
    }
    let isUnpaid = false;
    return {
      begun: () => {
        isUnpaid = true;
      },
      charged: () => {
        isUnpaid = false;
        this.#paying.set(bearer, true);
      },
      end: () => {
        if (isUnpaid) this.#note(worker);
        this.#leave(bearer);
      },
    };
  }

  #waitS({ bearer, caller }: Worker): number | null {
    const own = this.#unpaid.waitS(ofBearer(bearer));
    return own === null && this.#paying.peek(bearer) !== true ? this.#unpaid.waitS(ofAddress(caller)) : own;
  }

  #note({ bearer, caller }: Worker): void {
    this.#unpaid.note(ofBearer(bearer));
    this.#unpaid.note(ofAddress(caller));
    if (this.#unpaid.waitS(ofBearer(bearer)) !== null) this.#paying.delete(bearer);
  }

  /** No more wait than the door has requests in work. */
  async #enter(bearer: string): Promise<void> {
    const own = this.#turns.get(bearer) ?? { atWork: 0, waiting: [] };
    this.#turns.set(bearer, own);
    if (own.atWork < TURNS_AT_ONCE_MAX) own.atWork++;
    else await new Promise<void>((resolve) => own.waiting.push(resolve));
  }

  /** The turn of one that waits is taken before it goes on, so that nobody comes in between. */
  #leave(bearer: string): void {
    const own = this.#turns.get(bearer)!;
    const next = own.waiting.shift();
    if (next !== undefined) next();
    else if (--own.atWork === 0) this.#turns.delete(bearer);
  }
}

const ofBearer = (bearer: string) => `bearer ${bearer}`;
const ofAddress = (caller: string) => `address ${rateKey(caller)}`;

function tooMuch(retryAfterS: number): Problem {
  const text =
    `${UNPAID_WORK_LIMIT.max} of your calls within ${UNPAID_WORK_LIMIT.windowS} s were looked up at the venue and not charged, ` +
    `as for markets that there are not: try again in ${retryAfterS} seconds; nothing was charged`;
  return new Problem('rate_limited', text, { retryAfterS });
}
