import { edgeEvidence } from '../rate-pool.js';
import type { Rating } from '../rating.js';
import type { RatingConfig } from '../rating-config.js';
import type { PoolSums, RatingSums } from '../rating-sums.js';
import { EDGES, edgeLikelihoods, STRENGTH } from './edge-grid.js';
import type { EdgePrior } from './edge-prior.js';

/** A second mark of a COPY (docs/ratings.md, "Strength"). */
export type Strength = 'strong';

/** What of the sums says how an edge went on. */
type Months = Pick<RatingSums, 'older' | 'inSample' | 'outOfSample'>;

/**
 * Returns the mark of a rating: only a COPY can have one, and it changes nothing in the verdict.
 * null also if it is not known how edges are spread.
 */
export function strengthOf(
  { verdict }: Pick<Rating, 'verdict'>,
  months: Months,
  prior: EdgePrior | null,
  config: RatingConfig,
): Strength | null {
  if (verdict !== 'COPY' || prior === null) return null;
  return edgeProbability(months, prior, config) >= STRENGTH.probabilityMin ? 'strong' : null;
}

/**
 * Returns the probability that the edge is now at least `edgeCentsMin`: month after month what was
 * seen is weighed in, and some wallets' edge is drawn anew, so that old evidence counts less.
 */
export function edgeProbability(
  { older, inSample, outOfSample }: Months,
  prior: EdgePrior,
  config: RatingConfig,
): number {
  const spread = normalised(prior);
  let now = spread;
  for (const month of [older, inSample, outOfSample]) {
    now = normalised(weighed(mixed(now, spread), month, config));
  }
  return now.reduce((sum, share, i) => (isStrong(EDGES[i]!) ? sum + share : sum), 0);
}

function isStrong(edge: number): boolean {
  return edge * 100 > STRENGTH.edgeCentsMin - 0.5;
}

/** Returns the edges a month later. */
function mixed(edges: readonly number[], spread: readonly number[]): readonly number[] {
  const { changesPerMonth } = STRENGTH;
  return edges.map((share, i) => (1 - changesPerMonth) * share + changesPerMonth * spread[i]!);
}

/** A month without entries says nothing. */
function weighed(edges: readonly number[], month: PoolSums, config: RatingConfig): readonly number[] {
  const evidence = edgeEvidence(month, config);
  if (evidence === null) return edges;
  const likelihoods = edgeLikelihoods(evidence);
  return edges.map((share, i) => share * likelihoods[i]!);
}

function normalised(shares: readonly number[]): readonly number[] {
  const all = shares.reduce((sum, share) => sum + share, 0);
  return all > 0 ? shares.map((share) => share / all) : shares;
}
