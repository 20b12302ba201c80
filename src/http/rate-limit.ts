import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';

export interface RateLimit {
  readonly windowS: number;
  readonly points: number;
  readonly missPoints: number;
}

export interface RateLimiter {
  /** Takes one point. Returns null, or the seconds until the address may try again. */
  take(address: string): Promise<number | null>;
  /** Takes the points of a miss: a guess that was wrong. */
  miss(address: string): Promise<void>;
}

/**
 * Returns a limiter of requests per address. It remembers `addressesMax` of them; beyond, the one seen first is
 * forgotten, because who has that many addresses is not held by a limit per address anyway.
 */
export function createRateLimiter({ windowS, points, missPoints }: RateLimit, addressesMax: number): RateLimiter {
  const limiter = new RateLimiterMemory({ points, duration: windowS });
  const seen = new Set<string>();
  async function remember(key: string): Promise<void> {
    if (seen.has(key)) return;
    const [first] = seen;
    if (seen.size >= addressesMax && first !== undefined) {
      seen.delete(first);
      await limiter.delete(first);
    }
    seen.add(key);
  }
  return {
    async take(address) {
      const key = rateKey(address);
      await remember(key);
      try {
        await limiter.consume(key);
        return null;
      } catch (refused) {
        const waitS = Math.ceil((refused as RateLimiterRes).msBeforeNext / 1_000);
        // The window itself ends by a timer; what is left of it is reckoned by the wall clock, which can be set.
        return Math.min(windowS, Math.max(1, waitS));
      }
    },
    async miss(address) {
      await limiter.penalty(rateKey(address), missPoints - 1);
    },
  };
}

/** One customer, one key: an IPv6 customer has a whole /64, and an IPv4 address may come in IPv6 clothes. */
export function rateKey(address: string): string {
  const bare = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
  if (!bare.includes(':')) return bare;
  const [head = '', tail] = bare.split('::');
  const groups = head === '' ? [] : head.split(':');
  const tailGroups = tail === undefined || tail === '' ? [] : tail.split(':');
  if (tail !== undefined) groups.push(...Array<string>(Math.max(0, 8 - groups.length - tailGroups.length)).fill('0'));
  return [...groups, ...tailGroups]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
