import { ratePool } from './rate-pool.js';
import type { PoolRating } from './rating.js';
import type { RatingConfig } from './rating-config.js';
import type { RatingSums } from './rating-sums.js';
import { type RatingWindows, ratingWindows } from './rating-windows.js';

/** What the decision table and its sentences look at: exact sums, and the pools made of them. */
export interface RatingFacts {
  readonly sums: RatingSums;
  readonly older: PoolRating;
  readonly inSample: PoolRating;
  readonly outOfSample: PoolRating;
  readonly window: PoolRating;
  readonly windows: RatingWindows;
  readonly config: RatingConfig;
}

/** Returns the facts of a wallet's sums at `asOfS`. */
export function toRatingFacts(sums: RatingSums, asOfS: number, config: RatingConfig): RatingFacts {
  return {
    sums,
    older: ratePool(sums.older, config),
    inSample: ratePool(sums.inSample, config),
    outOfSample: ratePool(sums.outOfSample, config),
    window: ratePool(sums.window, config),
    windows: ratingWindows(asOfS, config),
    config,
  };
}
