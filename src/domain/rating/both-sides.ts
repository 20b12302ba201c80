import type { Fill } from './fill.js';
import type { RatingSums } from './rating-sums.js';
import type { ScoredEntry } from './score-entry.js';

/**
 * Returns how many markets the wallet entered in the window, and in how many of them it ever bought two outcomes (ratings
 * design, 2.14). `fills` are all its fills in scope, also from before the window. Markets of one event are not two sides.
 */
export function countMarkets(
  entries: readonly ScoredEntry[],
  fills: readonly Fill[],
): Pick<RatingSums, 'markets' | 'bothSidedMarkets'> {
  const bought = new Map<string, Set<string>>();
  for (const { side, condition, token } of fills) {
    if (side === 'BUY') bought.set(condition, (bought.get(condition) ?? new Set()).add(token));
  }
  const markets = [...new Set(entries.map(({ clip }) => clip.condition))];
  return {
    markets: markets.length,
    bothSidedMarkets: markets.filter((condition) => (bought.get(condition)?.size ?? 0) >= 2).length,
  };
}
