/**
 * What `strength` is made with. None of it is among the cut-offs of `rating_config`, because no
 * verdict depends on it (docs/ratings.md, "Strength").
 */
export const STRENGTH = {
  /**
   * A COPY is strong if its edge is now at least so many cents per share, with at least this
   * probability.
   */
  edgeCentsMin: 4,
  probabilityMin: 0.9,
  /** Edges that are told apart, in whole cents per share. */
  edgeCentsLow: -20,
  edgeCentsHigh: 30,
  /** Part of the wallets whose edge is, each month, drawn anew from those of all wallets. */
  changesPerMonth: 0.1,
  /**
   * Fewer entries of a wallet say nothing about how edges are spread, and fewer wallets too little.
   */
  entriesMin: 20,
  walletsMin: 1_000,
  /** Steps of the fit. */
  steps: 200,
} as const;

/** The edges that are told apart, in dollars per share. */
export const EDGES: readonly number[] = Array.from(
  { length: STRENGTH.edgeCentsHigh - STRENGTH.edgeCentsLow + 1 },
  (_, i) => (STRENGTH.edgeCentsLow + i) / 100,
);

/**
 * What some entries say of an edge, in dollars per share: their mean, and its standard error if
 * there is no edge.
 */
export interface EdgeEvidence {
  readonly mean: number;
  readonly standardError: number;
}

/**
 * Returns how well each of `EDGES` explains what was seen; the greatest is 1. So neither vanishes
 * nor overflows.
 */
export function edgeLikelihoods({ mean, standardError }: EdgeEvidence): Float64Array {
  const logs = EDGES.map((edge) => -0.5 * ((mean - edge) / standardError) ** 2);
  const greatest = Math.max(...logs);
  return Float64Array.from(logs, (log) => Math.exp(log - greatest));
}
