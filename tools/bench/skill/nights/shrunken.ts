import { EDGES, edgeLikelihoods } from '#domain/rating/strength/edge-grid';
import type { EdgePrior } from '#domain/rating/strength/edge-prior';
import { evidenceOf, type NightPools, type Pool, zOf } from './bets.js';
import type { Candidate } from './candidates.js';
import { byWallet, type Gates, MIDDLE_GATES, type NightRule, passes, STRICT_GATES, WIDE_GATES } from './rule.js';

/** As if edges were normally spread: about what they are on the boards of the training seeds, in dollars. */
const MEAN_EDGE = -0.03;
const EDGE_SPREAD = 0.028;
const EDGE_MIN = 0.006;

const RATING_Z = 1.96;
const WIDE = ', 10/8/6 entries';
const SHRUNK = 'edge shrunk to -3c >= 0.6c';

/** Rules by an edge that is drawn towards those of other wallets (docs/ratings.md, "What was tried"). */
export const SHRUNKEN: readonly NightRule[] = [
  byZ('z >= 2.2', STRICT_GATES, 2.2),
  byZ(`z >= 2.6${WIDE}`, WIDE_GATES, 2.6),
  byWallet(SHRUNK, STRICT_GATES, ({ pools }) => shrunk(pools.window) >= EDGE_MIN),
  byWallet(`${SHRUNK} and z >= 1.96`, STRICT_GATES, ({ pools }) => provesBoth(pools.window)),
  byWallet(`${SHRUNK} and z >= 1.96${WIDE}`, WIDE_GATES, ({ pools }) => provesBoth(pools.window)),
  byWallet(`${SHRUNK} and z >= 1.96, 15/10/8 entries`, MIDDLE_GATES, ({ pools }) => provesBoth(pools.window)),
  byWallet(`${SHRUNK}${WIDE}`, WIDE_GATES, ({ pools }) => shrunk(pools.window) >= EDGE_MIN),
  byPosterior('P(edge >= 1c) by the board >= 0.55', STRICT_GATES, 0.55),
  byPosterior(`P(edge >= 1c) by the board >= 0.65${WIDE}`, WIDE_GATES, 0.65),
];

function byZ(name: string, gates: Gates, min: number): NightRule {
  return byWallet(name, gates, ({ pools }) => zOf(pools.window) >= min);
}

/** Returns the edge of a pool, drawn towards the mean as far as its error is large (James and Stein). */
function shrunk(pool: Pool): number {
  const evidence = evidenceOf(pool);
  if (evidence === null) return MEAN_EDGE;
  const precision = 1 / evidence.standardError ** 2;
  const before = 1 / EDGE_SPREAD ** 2;
  return (evidence.mean * precision + MEAN_EDGE * before) / (precision + before);
}

function provesBoth(window: Pool): boolean {
  return zOf(window) >= RATING_Z && shrunk(window) >= EDGE_MIN;
}

function byPosterior(name: string, gates: Gates, min: number): NightRule {
  return {
    name,
    copies(night) {
      const { prior } = night;
      const proves = ({ pools }: Candidate) => prior !== null && shareFrom(edgesNow(pools, prior), 0.01) >= min;
      return night.candidates.filter((candidate) => passes(candidate, gates) && proves(candidate));
    },
  };
}

/** Part of the wallets whose edge is drawn again each month, as `strength` has it. */
const CHANGES_PER_MONTH = 0.1;

/** Returns how likely each of `EDGES` is now, month after month (docs/ratings.md, "Strength"). */
export function edgesNow({ older, inSample, outOfSample }: NightPools, prior: EdgePrior): readonly number[] {
  const spread = normalised(prior);
  let now = spread;
  for (const month of [older, inSample, outOfSample]) {
    now = now.map((share, i) => (1 - CHANGES_PER_MONTH) * share + CHANGES_PER_MONTH * spread[i]!);
    const evidence = evidenceOf(month);
    if (evidence === null) continue;
    const likelihoods = edgeLikelihoods(evidence);
    now = normalised(now.map((share, i) => share * likelihoods[i]!));
  }
  return now;
}

/** Returns the probability of an edge of at least so many dollars per share. */
export function shareFrom(edges: readonly number[], least: number): number {
  return edges.reduce((sum, share, i) => (EDGES[i]! > least - 0.005 ? sum + share : sum), 0);
}

function normalised(shares: readonly number[]): readonly number[] {
  const all = shares.reduce((sum, share) => sum + share, 0);
  return shares.map((share) => share / all);
}
