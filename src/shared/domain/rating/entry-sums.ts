import type { RatingConfig } from './rating-config.js';
import type { RatingSums } from './rating-sums.js';
import type { ScoredEntry } from './score-entry.js';
import type { MixCategory } from './tape-market.js';

const BUCKETS = 10;
const BUCKET_MICROS = 100_000;

type EntrySums = Pick<
  RatingSums,
  | 'firstEntries'
  | 'resolved'
  | 'earlyResolved'
  | 'unconfirmed'
  | 'wins'
  | 'returnSlippageNano'
  | 'returnFeeNano'
  | 'entryPriceMicros'
  | 'priceBuckets'
  | 'categories'
  | 'clips'
  | 'nearCertain'
  | 'roundTrips'
  | 'sellFirst'
>;

/**
 * Returns the counts and sums over all first entries of the window, without the leaderboard filter
 * (docs/ratings.md, "Returns").
 */
export function sumEntries(entries: readonly ScoredEntry[], config: RatingConfig): EntrySums {
  const count = (test: (entry: ScoredEntry) => boolean) => entries.filter(test).length;
  const results = entries.flatMap(({ result }) => (result === null ? [] : [result]));
  return {
    firstEntries: entries.length,
    resolved: results.length,
    earlyResolved: count((entry) => entry.earlyResolved),
    unconfirmed: count(({ isUnconfirmed }) => isUnconfirmed),
    wins: results.filter(({ slippageNano }) => slippageNano > 0n).length,
    returnSlippageNano: results.reduce((sum, { slippageNano }) => sum + slippageNano, 0n),
    returnFeeNano: results.reduce((sum, { feeNano }) => sum + feeNano, 0n),
    entryPriceMicros: entries.reduce((sum, { clip }) => sum + BigInt(clip.priceMicros), 0n),
    priceBuckets: countBuckets(entries),
    categories: countCategories(entries),
    clips: entries.reduce((sum, { clips }) => sum + clips, 0),
    nearCertain: count(({ clip }) => clip.priceMicros >= config.nearCertainPriceMicrosMin),
    roundTrips: count(({ roundTrip }) => roundTrip),
    sellFirst: count(({ sellFirst }) => sellFirst),
  };
}

/** By integer division of micros: 0.7 is in the bucket 0.7-0.8, whatever 0.7 * 10 is in floats. */
function countBuckets(entries: readonly ScoredEntry[]): readonly number[] {
  const counts = new Array<number>(BUCKETS).fill(0);
  for (const { clip } of entries) {
    counts[Math.min(BUCKETS - 1, Math.floor(clip.priceMicros / BUCKET_MICROS))]! += 1;
  }
  return counts;
}

function countCategories(entries: readonly ScoredEntry[]): Readonly<Record<MixCategory, number>> {
  const counts = { sports: 0, politics: 0, other: 0, crypto: 0 };
  for (const { category } of entries) counts[category] += 1;
  return counts;
}
