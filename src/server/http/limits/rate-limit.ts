import { LRUCache } from 'lru-cache';
import { rateKey } from '#domain/rate-key';
import { tooMany } from '#domain/too-many';
import { callerOf, type DoorRequest } from '#doors/request';
import { lruOptions } from '#services/lru-options';
import type { Stopwatch } from '#system/stopwatch';

export interface RateLimit {
  readonly windowS: number;
  readonly points: number;
  readonly missPoints: number;
}

export interface RateLimiter {
  /**
   * Takes points, one unless said. Returns null, or the seconds until the address may try again;
   * then nothing is taken.
   */
  take(address: string, points?: number): Promise<number | null>;
  /** Gives points back that were taken. */
  giveBack(address: string, points: number): Promise<void>;
}

/**
 * Returns a limiter of requests per address. It remembers `addressesMax` of them; beyond, the one
 * seen first is forgotten, because who has that many addresses is not held by a limit per address
 * anyway. Windows are of elapsed time: a wall clock that is set neither opens nor prolongs one.
 */
export function createRateLimiter(
  { windowS, points }: Omit<RateLimit, 'missPoints'>,
  addressesMax: number,
  stopwatch: Stopwatch,
): RateLimiter {
  const windows = new LRUCache<string, { taken: number }>({
    ...lruOptions(addressesMax),
    ttl: windowS * 1e3,
    ttlResolution: 0,
    perf: { now: () => stopwatch.elapsedMs() },
  });
  return {
    async take(address, amount = 1) {
      const key = rateKey(address);
      // A look that does not make it younger: the one seen first has to go first.
      const cached = windows.peek(key);
      const taken = (cached?.taken ?? 0) + amount;
      if (taken > points) return cached === undefined ? windowS : secondsLeft(windows.getRemainingTTL(key));
      if (cached === undefined) windows.set(key, { taken });
      else cached.taken = taken;
      return null;
    },
    async giveBack(address, amount) {
      const window = windows.peek(rateKey(address));
      // Never more than is taken: the window may have begun anew since.
      if (window !== undefined) window.taken = Math.max(0, window.taken - amount);
    },
  };
}

/** Takes a point for a request. Rejects with the Problem `rate_limited` where its sender has none left. */
export async function takePoint(limiter: RateLimiter, req: DoorRequest, ofWhat: string): Promise<void> {
  const retryAfterS = await limiter.take(callerOf(req));
  if (retryAfterS !== null) throw tooMany(ofWhat, retryAfterS);
}

const secondsLeft = (ms: number) => Math.max(1, Math.ceil(ms / 1e3));
