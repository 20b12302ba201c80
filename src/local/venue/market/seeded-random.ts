import { hash } from 'node:crypto';
import { mulberry32 } from '#domain/seeded';
import type { Random } from '#system/random';

/**
 * Returns a repeatable Random (mulberry32): the same seed gives the same run, on every machine. Its
 * bytes are as predictable as its numbers, which is right for a simulated venue and wrong
 * everywhere else.
 */
export function seededRandom(seed: number): Random {
  const next = mulberry32(seed);
  return { next, bytes: (count) => Uint8Array.from({ length: count }, () => Math.floor(next() * 256)) };
}

/**
 * Returns a seed for one part of the run, so that adding a market does not change the dice of the
 * others.
 */
export function seedFor(seed: number, part: string): number {
  return Number.parseInt(hash('sha256', `${seed}:${part}`).slice(0, 8), 16);
}

/** Returns a whole number from `low` to `high`, both included. */
export function between(random: Random, low: number, high: number): number {
  return low + Math.floor(random.next() * (high - low + 1));
}

/** Returns true with the given probability (0 to 1). */
export function chance(random: Random, probability: number): boolean {
  return random.next() < probability;
}

/** Returns a normally distributed number with mean 0 and deviation 1 (Box-Muller). */
export function gaussian(random: Random): number {
  const radius = Math.sqrt(-2 * Math.log(1 - random.next()));
  return radius * Math.cos(2 * Math.PI * random.next());
}

/** Returns one of the entries. */
export function pick<T>(random: Random, entries: readonly [T, ...T[]]): T {
  return entries[Math.floor(random.next() * entries.length)] ?? entries[0];
}
