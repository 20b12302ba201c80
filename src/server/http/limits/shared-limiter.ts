import { rateKey } from '#domain/rate-key';
import type { SharedLimits } from '#ports/shared-limits';
import type { RateLimit, RateLimiter } from './rate-limit.js';

/**
 * Returns a limiter that counts with all processes on a store. `own` counts those of this process:
 * it refuses what is too much already without asking, and is all there is while the store does not
 * answer.
 */
export function withShared(
  own: RateLimiter,
  shared: SharedLimits | null,
  { name, ...limit }: Pick<RateLimit, 'points' | 'windowS'> & { readonly name: string },
): RateLimiter {
  if (shared === null) return own;
  const keyOf = (address: string) => `${name}/${rateKey(address)}`;
  return {
    async take(address, points = 1) {
      const ownWaitS = await own.take(address, points);
      if (ownWaitS !== null) return ownWaitS;
      const waitMs = await shared.take(keyOf(address), points, limit).catch(() => null);
      if (waitMs === null) return null;
      await own.giveBack(address, points);
      return Math.max(1, Math.ceil(waitMs / 1e3));
    },
    async giveBack(address, points) {
      await own.giveBack(address, points);
      // What cannot be given back comes back with the next window.
      await shared.giveBack(keyOf(address), points).catch(() => undefined);
    },
  };
}
