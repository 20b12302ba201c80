import { LRUCache } from 'lru-cache';
import type { Stopwatch } from '#system/stopwatch';
import { lruOptions } from './lru-options.js';

export interface CountLimit {
  readonly windowS: number;
  readonly max: number;
}

/** Names that are counted; beyond, the one seen first is forgotten. */
const NAMES_MAX = 10_000;

/**
 * Counts what came of requests, by whoever sent them: who has had so much of it in a window has to
 * wait. Windows are of elapsed time.
 */
export class CountedLimit {
  readonly #max: number;
  readonly #counts: LRUCache<string, { count: number }>;

  constructor({ windowS, max }: CountLimit, stopwatch: Stopwatch) {
    this.#max = max;
    this.#counts = new LRUCache({
      ...lruOptions(NAMES_MAX),
      ttl: windowS * 1e3,
      ttlResolution: 0,
      perf: { now: () => stopwatch.elapsedMs() },
    });
  }

  /** Seconds until the name may go on; null: it may now. */
  waitS(name: string): number | null {
    const counted = this.#counts.peek(name);
    if (counted === undefined || counted.count < this.#max) return null;
    return Math.max(1, Math.ceil(this.#counts.getRemainingTTL(name) / 1e3));
  }

  countOf(name: string): number {
    return this.#counts.peek(name)?.count ?? 0;
  }

  note(name: string, count = 1): void {
    // A look that does not make it younger: the one seen first has to go first.
    const counted = this.#counts.peek(name);
    if (counted === undefined) this.#counts.set(name, { count });
    else counted.count += count;
  }
}
