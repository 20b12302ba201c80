import { LRUCache } from 'lru-cache';
import type { TokenPlace, TokenPlaces } from '#ports/chain-trades';

/** Tokens of which it is remembered what was said; the ones that were longest not needed make room. */
const TOKENS_MAX = 200_000;

/** Returns the same places, asked for each token once, also for those that nobody knows. */
export function cachedTokenOutcomes(places: TokenPlaces): TokenPlaces {
  const reported = new LRUCache<string, { readonly place: TokenPlace | null }>({ max: TOKENS_MAX });
  return {
    async placeTokens(tokens) {
      const missing = tokens.filter((token) => !reported.has(token));
      const found = missing.length === 0 ? new Map<string, TokenPlace>() : await places.placeTokens(missing);
      const answer = new Map<string, TokenPlace>();
      for (const token of tokens) {
        const place = reported.get(token)?.place ?? found.get(token) ?? null;
        if (place !== null) answer.set(token, place);
        reported.set(token, { place });
      }
      return answer;
    },
  };
}
