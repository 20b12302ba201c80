/** The shortest and the longest full wait between two attempts. */
export interface Backoff {
  readonly minMs: number;
  readonly maxMs: number;
}

/** Doublings beyond which every backoff has long reached its cap. */
const DOUBLINGS_MAX = 20;

/**
 * Returns a wait in milliseconds: `minMs` doubled so many times, capped, half of it by chance (0 to
 * 1).
 */
export function backoffMs({ minMs, maxMs }: Backoff, doublings: number, chance: number): number {
  return halfByChance(Math.min(maxMs, minMs * 2 ** Math.min(doublings, DOUBLINGS_MAX)), chance);
}

/**
 * Returns a wait of which half is by chance (0 to 1), so that those who wait together do not come
 * back together.
 */
export function halfByChance(ms: number, chance: number): number {
  return Math.round(ms / 2 + (ms / 2) * chance);
}
