import { EDGES, edgeLikelihoods, STRENGTH } from './edge-grid.js';
import type { EdgeCell } from './edge-tally.js';

/** How the edges of all wallets of a board are spread: parts per billion at each of `EDGES`. */
export type EdgePrior = readonly number[];

const BILLION = 1e9;

/**
 * Returns how edges are spread, by what is seen of all wallets: a mixture over `EDGES`, fitted by
 * expectation and maximisation (docs/ratings.md, "Strength"). null if there are too few wallets.
 */
export function fitEdgePrior(cells: readonly EdgeCell[]): EdgePrior | null {
  const wallets = cells.reduce((sum, cell) => sum + cell.wallets, 0);
  if (wallets < STRENGTH.walletsMin) return null;
  const likelihoods = cells.map(edgeLikelihoods);
  let weights = new Float64Array(EDGES.length).fill(1 / EDGES.length);
  for (let step = 0; step < STRENGTH.steps; step++) weights = improve(weights, cells, likelihoods);
  return Array.from(weights, (weight) => Math.round(weight * BILLION));
}

/** One step of the fit: each wallet is shared out among the edges as likely as they are its own. */
function improve(
  weights: Float64Array,
  cells: readonly EdgeCell[],
  likelihoods: readonly Float64Array[],
): Float64Array<ArrayBuffer> {
  const next = new Float64Array(EDGES.length);
  for (const [n, { wallets }] of cells.entries()) {
    const own = likelihoods[n]!;
    let all = 0;
    for (let i = 0; i < own.length; i++) all += weights[i]! * own[i]!;
    const share = all > 0 ? wallets / all : 0;
    for (let i = 0; i < own.length; i++) next[i]! += share * weights[i]! * own[i]!;
  }
  const sum = next.reduce((part, weight) => part + weight, 0);
  return next.map((weight) => weight / sum);
}
