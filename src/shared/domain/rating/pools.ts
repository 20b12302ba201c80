import { sumPool } from './pool-sums.js';
import type { RatingConfig } from './rating-config.js';
import type { RatingSums } from './rating-sums.js';
import type { RatingWindows } from './rating-windows.js';
import type { ScoredEntry } from './score-entry.js';

/** The three pools that no entry is in two of, and the one of all their entries and the embargoed. */
type PoolName = 'older' | 'inSample' | 'outOfSample' | 'window';

/** Returns the sums of the leaderboard's pools over first entries of the window, step by step. */
export function* sumPools(
  entries: readonly ScoredEntry[],
  windows: RatingWindows,
  config: RatingConfig,
): Generator<void, Pick<RatingSums, PoolName>, void> {
  const pools = splitPools(entries, windows, config);
  yield;
  return {
    older: yield* sumPool(pools.older),
    inSample: yield* sumPool(pools.inSample),
    outOfSample: yield* sumPool(pools.outOfSample),
    window: yield* sumPool(pools.window),
  };
}

/**
 * Returns the leaderboard's pools of first entries of the window, whether scored or not
 * (docs/ratings.md, "Leaderboard filter"). An event in which the wallet made an entry in the
 * in-sample month, scorable or not, adds nothing new in the month after: the embargo drops it there.
 */
export function splitPools(
  entries: readonly ScoredEntry[],
  windows: RatingWindows,
  config: RatingConfig,
): Readonly<Record<PoolName, readonly ScoredEntry[]>> {
  const filtered = entries.filter((entry) => passesFilter(entry, config));
  const between = (fromS: number, toS: number) =>
    filtered.filter(({ clip }) => clip.timeS >= fromS && clip.timeS < toS);
  const inSample = between(windows.inSampleFromS, windows.outOfSampleFromS);
  const embargoed = new Set(inSample.map(({ event }) => event));
  const outOfSample = between(windows.outOfSampleFromS, windows.asOfS).filter(({ event }) => !embargoed.has(event));
  return { older: between(windows.fromS, windows.inSampleFromS), inSample, outOfSample, window: filtered };
}

/** On the wallet's own price, both ends inclusive, and on the first clip. */
function passesFilter({ clip }: ScoredEntry, config: RatingConfig): boolean {
  return (
    clip.priceMicros >= config.filterPriceMicrosMin &&
    clip.priceMicros <= config.filterPriceMicrosMax &&
    clip.sizeMicros >= config.filterClipSharesMicrosMin
  );
}
