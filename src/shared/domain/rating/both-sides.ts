import type { FirstEntry } from './first-entries.js';
import type { RatingSums } from './rating-sums.js';

/**
 * Returns the conditions of the markets in which the wallet ever bought two outcomes
 * (docs/ratings.md, "Both sides"). `bought` are all its first entries in scope, also from before the
 * window: each token that it ever bought has one. Markets of one event are not two sides.
 */
export function findBothSided(bought: readonly FirstEntry[]): ReadonlySet<string> {
  const once = new Set<string>();
  const twice = new Set<string>();
  for (const { clip } of bought) (once.has(clip.condition) ? twice : once).add(clip.condition);
  return twice;
}

/** Returns how many markets the wallet entered in the window, and how many of them are both-sided. */
export function countMarkets(
  entries: readonly FirstEntry[],
  bothSided: ReadonlySet<string>,
): Pick<RatingSums, 'markets' | 'bothSidedMarkets'> {
  const markets = [...new Set(entries.map(({ clip }) => clip.condition))];
  return {
    markets: markets.length,
    bothSidedMarkets: markets.filter((condition) => bothSided.has(condition)).length,
  };
}
