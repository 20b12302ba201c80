import type { FirstEntry } from './first-entries.js';
import type { RatingSums } from './rating-sums.js';

/**
 * Returns how many markets the wallet entered in the window, and in how many of them it ever bought
 * two outcomes (docs/ratings.md, "Both sides"). `bought` are all its first entries in scope, also
 * from before the window: each token that it ever bought has one. Markets of one event are not two
 * sides.
 */
export function countMarkets(
  entries: readonly FirstEntry[],
  bought: readonly FirstEntry[],
): Pick<RatingSums, 'markets' | 'bothSidedMarkets'> {
  const tokens = new Map<string, number>();
  for (const { clip } of bought) tokens.set(clip.condition, (tokens.get(clip.condition) ?? 0) + 1);
  const markets = [...new Set(entries.map(({ clip }) => clip.condition))];
  return {
    markets: markets.length,
    bothSidedMarkets: markets.filter((condition) => (tokens.get(condition) ?? 0) >= 2).length,
  };
}
