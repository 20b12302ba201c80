import { LRUCache } from 'lru-cache';
import type { TokenOutcome, TokenOutcomes } from '#ports/chain-trades';

/**
 * Tokens of which it is remembered what was said; the ones that were longest not needed make room.
 */
const TOKENS_MAX = 200_000;

/** Returns the same places, asked for each token once, also for those that nobody knows. */
export function cachedTokenOutcomes(outcomes: TokenOutcomes): TokenOutcomes {
  const reported = new LRUCache<string, { readonly outcome: TokenOutcome | null }>({ max: TOKENS_MAX });
  return {
    async findOutcomes(tokens) {
      const missing = tokens.filter((token) => !reported.has(token));
      const found = missing.length === 0 ? new Map<string, TokenOutcome>() : await outcomes.findOutcomes(missing);
      const answer = new Map<string, TokenOutcome>();
      for (const token of tokens) {
        const outcome = reported.get(token)?.outcome ?? found.get(token) ?? null;
        if (outcome !== null) answer.set(token, outcome);
        reported.set(token, { outcome });
      }
      return answer;
    },
  };
}
