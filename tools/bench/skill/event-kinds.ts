import type { Random } from '#system/random';

/**
 * One category of events: how common, how long, how settled. Numbers: docs/ratings.md, "Generated
 * worlds".
 */
export interface EventKind {
  readonly category: 'sports' | 'politics' | 'other' | 'crypto';
  readonly share: number;
  readonly meanLifeDays: number;
  /**
   * Share of events whose markets ask whether something happens by a date: YES settles early, NO at
   * the end.
   */
  readonly byDateShare: number;
  readonly feeRateMicros: number;
  /** The scheduled end of a game is its start, this long (at most) before its result. */
  readonly playS: number;
}

export const EVENT_KINDS: readonly EventKind[] = [
  { category: 'sports', share: 0.55, meanLifeDays: 1.5, byDateShare: 0, feeRateMicros: 30_000, playS: 9_000 },
  { category: 'politics', share: 0.15, meanLifeDays: 35, byDateShare: 0.35, feeRateMicros: 40_000, playS: 0 },
  { category: 'other', share: 0.2, meanLifeDays: 14, byDateShare: 0.35, feeRateMicros: 50_000, playS: 0 },
  { category: 'crypto', share: 0.1, meanLifeDays: 6, byDateShare: 0, feeRateMicros: 70_000, playS: 0 },
];

/** Markets of one event: at most this many. */
export const EVENT_MARKETS_MAX = 12;

/**
 * Returns how many markets an event has: 1 to 12, mostly few. Its mean of 4.5 is that of 35,955
 * real markets (4.4).
 */
export function drawMarketCount(dice: Random): number {
  return 1 + Math.floor(EVENT_MARKETS_MAX * dice.next() ** 2);
}

/**
 * Returns how long an event is open, in seconds: a fifth of the mean for certain, and the rest by
 * chance.
 */
export function drawLifeS(dice: Random, { meanLifeDays }: EventKind): number {
  const means = 0.2 - 0.8 * Math.log(1 - dice.next());
  return Math.max(3_600, Math.round(means * meanLifeDays * 86_400));
}
