import { ENTRIES_PER_STEP } from '../steps.js';
import type { RatingConfig } from './rating-config.js';
import type { RatingSums } from './rating-sums.js';
import type { ScoredEntry } from './score-entry.js';

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
 * (docs/ratings.md, "Returns"), step by step.
 */
export function* sumEntries(entries: readonly ScoredEntry[], config: RatingConfig): Generator<void, EntrySums, void> {
  const priceBuckets = new Array<number>(BUCKETS).fill(0);
  const categories = { sports: 0, politics: 0, other: 0, crypto: 0 };
  const sums = {
    ...{ firstEntries: entries.length, resolved: 0, earlyResolved: 0, unconfirmed: 0, wins: 0 },
    ...{ returnSlippageNano: 0n, returnFeeNano: 0n, entryPriceMicros: 0n },
    ...{ clips: 0, nearCertain: 0, roundTrips: 0, sellFirst: 0 },
  };
  for (const [at, entry] of entries.entries()) {
    if (at % ENTRIES_PER_STEP === ENTRIES_PER_STEP - 1) yield;
    const { clip, result } = entry;
    if (result !== null) {
      sums.resolved += 1;
      if (result.slippageNano > 0n) sums.wins += 1;
      sums.returnSlippageNano += result.slippageNano;
      sums.returnFeeNano += result.feeNano;
    }
    if (entry.earlyResolved) sums.earlyResolved += 1;
    if (entry.isUnconfirmed) sums.unconfirmed += 1;
    if (clip.priceMicros >= config.nearCertainPriceMicrosMin) sums.nearCertain += 1;
    if (entry.roundTrip) sums.roundTrips += 1;
    if (entry.sellFirst) sums.sellFirst += 1;
    sums.clips += entry.clips;
    sums.entryPriceMicros += BigInt(clip.priceMicros);
    priceBuckets[bucketOf(clip.priceMicros)]! += 1;
    categories[entry.category] += 1;
  }
  return { ...sums, priceBuckets, categories };
}

/** By integer division of micros: 0.7 is in the bucket 0.7-0.8, whatever 0.7 * 10 is in floats. */
function bucketOf(priceMicros: number): number {
  return Math.min(BUCKETS - 1, Math.floor(priceMicros / BUCKET_MICROS));
}
