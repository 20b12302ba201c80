import { LRUCache } from 'lru-cache';
import { type WrittenAnswer, writeBody } from '#api/written-answer';
import type { TapeWallet } from '#domain/ids';
import type { StoredRating } from '#domain/rating/stored-rating';
import type { BodyFacts } from '#judge/wallet/bodies';

/**
 * Profiles that are kept as text: some kilobytes each. Beyond, the one asked for longest ago is
 * forgotten.
 */
const PROFILES_CACHED_MAX = 2_000;

interface Cached {
  readonly stored: StoredRating;
  readonly facts: Required<BodyFacts>;
  readonly written: WrittenAnswer;
}

/**
 * Returns the writer of profiles. One is written anew when the store says something else of its
 * wallet (a store that keeps what it has understood returns the same object for the same row) or
 * when its facts are others.
 */
export function cachedProfiles(
  toBody: (stored: StoredRating, facts: BodyFacts) => object,
): (stored: StoredRating, facts: BodyFacts) => WrittenAnswer {
  const texts = new LRUCache<TapeWallet, Cached>({ max: PROFILES_CACHED_MAX });
  return (stored, facts) => {
    const { wallet } = stored.rating;
    const cached = texts.get(wallet);
    if (cached !== undefined && cached.stored === stored && saysTheSame(cached.facts, facts)) return cached.written;
    const written = writeBody(toBody(stored, facts));
    const { nextRefreshS, tapeStartS = null, isLate = false } = facts;
    texts.set(wallet, { stored, facts: { nextRefreshS, tapeStartS, isLate }, written });
    return written;
  };
}

function saysTheSame(
  stored: Required<BodyFacts>,
  { nextRefreshS, tapeStartS = null, isLate = false }: BodyFacts,
): boolean {
  return stored.nextRefreshS === nextRefreshS && stored.tapeStartS === tapeStartS && stored.isLate === isLate;
}
