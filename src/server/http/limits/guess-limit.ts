import type { RateLimiter } from './rate-limit.js';

/** Guesses of one address that may wait for those before them; beyond, they are refused. */
const WAITING_MAX = 1_000;

export type Guess =
  /** `settle` must be called once it is known whether it was a hit. */
  | { readonly kind: 'allowed'; readonly settle: (isHit: boolean) => Promise<void> }
  | { readonly kind: 'refused'; readonly retryAfterS: number };

/** The guesses of one address that are not settled, and those that wait for their points. */
interface Guesses {
  out: number;
  readonly waiting: (() => void)[];
}

/**
 * Returns a limiter of guesses per address. Each takes its points before it is made, and a hit gets
 * them back: taken afterwards, they would hold back nobody who makes all guesses at once. While
 * points of an address are out its other guesses wait, so that a crowd behind one address is served
 * in turn.
 */
export function createGuessLimiter(limiter: RateLimiter, points: number): (address: string) => Promise<Guess> {
  const byAddress = new Map<string, Guesses>();

  const settler = (address: string, mine: Guesses) => async (isHit: boolean) => {
    if (isHit) await limiter.giveBack(address, points);
    mine.out--;
    // Points for one came back; when none are out, nobody can wait for more.
    for (const wake of mine.waiting.splice(0, mine.out === 0 ? mine.waiting.length : 1)) wake();
    if (mine.out === 0) byAddress.delete(address);
  };

  return async (address) => {
    for (;;) {
      const retryAfterS = await limiter.take(address, points);
      const mine = byAddress.get(address);
      if (retryAfterS === null) {
        const existing = mine ?? { out: 0, waiting: [] };
        byAddress.set(address, existing);
        existing.out++;
        return { kind: 'allowed', settle: settler(address, existing) };
      }
      // Looked up again: those that were out may have been settled meanwhile.
      const held = byAddress.get(address);
      if (held === undefined || held.waiting.length >= WAITING_MAX) return { kind: 'refused', retryAfterS };
      await new Promise<void>((resolve) => held.waiting.push(resolve));
    }
  };
}
