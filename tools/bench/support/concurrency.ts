import { percentile, type Variant } from './rounds.js';

/** What concurrent callers of one operation saw. */
export interface Rate {
  readonly perSecond: number;
  readonly p50Micros: number;
  readonly p99Micros: number;
}

/** What one caller waits for; `caller` counts from 0. */
export type Operation = (caller: number) => Promise<unknown>;

/**
 * Returns a variant in which so many callers, each waiting for its answer, repeat the operation for
 * `runMs`.
 */
export function rateOf(name: string, operation: Operation, callers: number, runMs: number): Variant<Rate> {
  return {
    name,
    async run() {
      const tookMs: number[] = [];
      const startedMs = performance.now();
      const call = async (caller: number) => {
        for (let now = performance.now(); now - startedMs < runMs; ) {
          await operation(caller);
          const endedMs = performance.now();
          tookMs.push(endedMs - now);
          now = endedMs;
        }
      };
      await Promise.all(Array.from({ length: callers }, (_, caller) => call(caller)));
      const perSecond = (tookMs.length / (performance.now() - startedMs)) * 1e3;
      const sorted = Float64Array.from(tookMs).sort();
      return { perSecond, p50Micros: percentile(sorted, 0.5) * 1e3, p99Micros: percentile(sorted, 0.99) * 1e3 };
    },
  };
}
