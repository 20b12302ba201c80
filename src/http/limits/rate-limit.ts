import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';

export interface RateLimit {
  readonly windowS: number;
  readonly points: number;
  readonly missPoints: number;
}

export interface RateLimiter {
  /** Takes points, one unless said. Returns null, or the seconds until the address may try again. */
  take(address: string, points?: number): Promise<number | null>;
  /** Gives points back that were taken, also by a try that was refused. */
  giveBack(address: string, points: number): Promise<void>;
}

/**
 * Returns a limiter of requests per address. It remembers `addressesMax` of them; beyond, the one seen first is
 * forgotten, because who has that many addresses is not held by a limit per address anyway.
 */
export function createRateLimiter(
  { windowS, points }: Omit<RateLimit, 'missPoints'>,
  addressesMax: number,
): RateLimiter {
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
    async take(address, amount = 1) {
      const key = rateKey(address);
      await remember(key);
      try {
        await limiter.consume(key, amount);
        return null;
      } catch (refused) {
        const waitS = Math.ceil((refused as RateLimiterRes).msBeforeNext / 1_000);
        // The window itself ends by a timer; what is left of it is reckoned by the wall clock, which can be set.
        return Math.min(windowS, Math.max(1, waitS));
      }
    },
    async giveBack(address, amount) {
      const key = rateKey(address);
      const now = await limiter.get(key);
      // Never more than is taken: the window may have begun anew since.
      if (now !== null) await limiter.reward(key, Math.min(amount, now.consumedPoints));
    },
  };
}

/** One customer, one key: an IPv6 customer has a whole /64, and an IPv4 address may come in IPv6 clothes. */
export function rateKey(address: string): string {
  const bare = withoutPort(address)
    .replace(/^::ffff:(?=\d+\.)/i, '')
    .replace(/%.*$/, '');
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

/** Some proxies name the port, too. */
function withoutPort(address: string): string {
  return address.replace(/^\[(.*)\](:\d+)?$/, '$1').replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1');
}
