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
 * Returns a pool's ROI with its interval, and the z of its efficient score against a copier who
 * exactly breaks even (docs/ratings.md, "Significance"). Fractions of a staked dollar, not rounded.
 */
export function ratePool(sums: PoolSums, config: RatingConfig): PoolRating {
  const { entries, events } = sums;
  if (entries === 0) return EMPTY_POOL;
  const roiFee = meanNano(sums.returnFeeNano, entries);
  const standardError = Math.sqrt(returnVariance(sums, config)) / entries;
  return {
    entries,
    events,
    winRate: sums.wins / entries,
    roiSlippage: meanNano(sums.returnSlippageNano, entries),
    roiFee,
    z: scoreZ(sums, config),
    standardError,
    ciLow: roiFee - config.intervalZ * standardError,
    ciHigh: roiFee + config.intervalZ * standardError,
    roiWithoutBestEvent: meanNano(sums.returnFeeNano - sums.bestEventNano, entries),
  };
}

/**
 * Mean of y - c over the entries of a pool, in fractions of a dollar per share, weighted as the
 * score is.
 */
export interface PoolEdge {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

/**
 * Returns by how much a share paid more than it cost, all in, with its interval: z is above
 * `intervalZ` exactly where the interval is above zero. null if nothing can be weighed.
 */
export function edgeOf(sums: PoolSums, config: RatingConfig): PoolEdge | null {
  const weight = Number(sums.weightNano) / 1e9;
  if (weight <= 0) return null;
  const mean = Number(sums.scoreNano) / 1e9 / weight;
  const reach = (config.intervalZ * Math.sqrt(scoreVariance(sums, config))) / weight;
  return { mean, low: mean - reach, high: mean + reach };
}

/** Returns the same edge with its standard error. null if nothing can be weighed. */
export function edgeEvidence(
  sums: PoolSums,
  config: RatingConfig,
): { readonly mean: number; readonly standardError: number } | null {
  const weight = Number(sums.weightNano) / 1e9;
  if (weight <= 0) return null;
  return {
    mean: Number(sums.scoreNano) / 1e9 / weight,
    standardError: Math.sqrt(scoreVariance(sums, config)) / weight,
  };
}

/**
 * Returns the edge of a pool, drawn towards the edges of wallets at large the more the less its
 * entries say (James and Stein; docs/ratings.md, "Shrunken edge"), in dollars per share. null if
 * nothing can be weighed, or the cut-offs are of a rating that did not ask for it.
 */
export function shrunkenEdge(sums: PoolSums, config: RatingConfig): number | null {
  const { edgePriorMeanMicros: priorMean, edgePriorSpreadMicros: priorSpread } = config;
  const measured = edgeEvidence(sums, config);
  if (measured === null || priorMean === undefined || priorSpread === undefined) return null;
  const precision = 1 / measured.standardError ** 2;
  const priorPrecision = 1 / (priorSpread / 1e6) ** 2;
  return (measured.mean * precision + (priorMean / 1e6) * priorPrecision) / (precision + priorPrecision);
}

/** null where nothing can be weighed. */
function scoreZ(sums: PoolSums, config: RatingConfig): number | null {
  const variance = scoreVariance(sums, config);
  return variance > 0 ? Number(sums.scoreNano) / 1e9 / Math.sqrt(variance) : null;
}

function returnVariance({ varianceNano, eventRootsAtto }: PoolSums, config: RatingConfig): number {
  return correlated(varianceNano, eventRootsAtto, config);
}

function scoreVariance({ weightNano, eventWeightRootsAtto }: PoolSums, config: RatingConfig): number {
  return correlated(weightNano, eventWeightRootsAtto, config);
}

/** Two markets of one game are not two bets: inside an event, results are taken as correlated. */
function correlated(varianceNano: bigint, eventRootsAtto: bigint, config: RatingConfig): number {
  const rho = config.eventCorrelation;
  return (1 - rho) * (Number(varianceNano) / 1e9) + rho * (Number(eventRootsAtto) / 1e18);
}

function meanNano(sumNano: bigint, entries: number): number {
  return Number(sumNano) / 1e9 / entries;
}
