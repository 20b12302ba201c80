import type { PoolRating } from './rating.js';
import type { RatingConfig } from './rating-config.js';
import type { PoolSums } from './rating-sums.js';

/** A pool without entries: it has no numbers. */
export const EMPTY_POOL: PoolRating = {
  entries: 0,
  events: 0,
  winRate: null,
  roiSlippage: null,
  roiFee: null,
  z: null,
  standardError: null,
  ciLow: null,
  ciHigh: null,
  roiWithoutBestEvent: null,
};

/**
 * Returns a pool's ROI, its z against a copier who exactly breaks even, and its interval
 * (docs/ratings.md, "Significance"). Fractions of a staked dollar, not rounded.
 */
export function ratePool(sums: PoolSums, config: RatingConfig): PoolRating {
  const { entries, events } = sums;
  if (entries === 0) return EMPTY_POOL;
  const spread = Math.sqrt(totalVariance(sums, config));
  const roiFee = meanNano(sums.returnFeeNano, entries);
  const standardError = spread / entries;
  return {
    entries,
    events,
    winRate: sums.wins / entries,
    roiSlippage: meanNano(sums.returnSlippageNano, entries),
    roiFee,
    // No spread, nothing to compare with: only if a fee eats the whole claim.
    z: spread > 0 ? Number(sums.returnFeeNano) / 1e9 / spread : null,
    standardError,
    ciLow: roiFee - config.intervalZ * standardError,
    ciHigh: roiFee + config.intervalZ * standardError,
    roiWithoutBestEvent: meanNano(sums.returnFeeNano - sums.bestEventNano, entries),
  };
}

/** Two markets of one game are not two bets: inside an event, returns are taken as correlated. */
function totalVariance({ varianceNano, eventRootsAtto }: PoolSums, config: RatingConfig): number {
  const rho = config.eventCorrelation;
  return (1 - rho) * (Number(varianceNano) / 1e9) + rho * (Number(eventRootsAtto) / 1e18);
}

function meanNano(sumNano: bigint, entries: number): number {
  return Number(sumNano) / 1e9 / entries;
}
