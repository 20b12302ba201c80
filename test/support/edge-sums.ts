import type { PoolSums } from '#domain/rating/rating-sums';

/**
 * Sums of a pool of independent bets in which an edge (dollars per share) is seen with a standard
 * error.
 */
export function edgeSums(mean: number, standardError: number, entries = 60): PoolSums {
  const weight = 1 / standardError ** 2;
  return {
    ...{ entries, events: entries, wins: entries / 2, returnSlippageNano: 1n, returnFeeNano: 1n },
    ...{ varianceNano: 1n, eventRootsAtto: 1n, bestEventNano: 0n },
    scoreNano: BigInt(Math.round(mean * weight * 1e9)),
    weightNano: BigInt(Math.round(weight * 1e9)),
    eventWeightRootsAtto: BigInt(Math.round(weight * 1e9)) * 1_000_000_000n,
  };
}

/** Values of the standard normal distribution, as evenly spread as they are. */
export function normalSpread(count: number): readonly number[] {
  // Sums of twelve uniform numbers, each sequence spread evenly by another irrational step.
  const steps = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37].map(Math.sqrt);
  return Array.from({ length: count }, (_, n) =>
    steps.reduce((sum, step) => sum + (((n + 0.5) * step) % 1), -steps.length / 2),
  );
}
