import { decide } from './decision-table.js';
import type { PoolRating, Rating, SampleFlag } from './rating.js';
import type { RatingConfig } from './rating-config.js';
import { type RatingFacts, toRatingFacts } from './rating-facts.js';
import type { PoolSums, RatingSums } from './rating-sums.js';
import { reasonText } from './reason-texts.js';
import { meanOf, meanReturnPct, percentOf } from './shown-numbers.js';

/** Rounded once, as it is shown. */
const DECIMALS = 4;

/**
 * Returns a wallet's rating from its sums at `asOfS`: figures, pools, and the verdict of the
 * decision table (docs/ratings.md, "Decision table"). ROI is null below the coverage floor and
 * where nothing is resolved.
 */
export function rateSums(sums: RatingSums, asOfS: number, config: RatingConfig): Rating {
  const facts = toRatingFacts(sums, asOfS, config);
  const { verdict, reason } = decide(facts);
  return {
    wallet: sums.wallet,
    asOfS,
    verdict,
    reason,
    reasonText: reasonText(reason, facts),
    ...rateEntries(sums, config),
    ...rateMarkets(sums),
    firstTradeS: sums.firstTradeS,
    lastTradeS: sums.lastTradeS,
    activeDays: sums.activeDays,
    ...ratePools(facts),
  };
}

function rateEntries(sums: RatingSums, config: RatingConfig) {
  const { firstEntries, resolved } = sums;
  const covered = firstEntries >= config.coverageFloor;
  return {
    firstEntries,
    resolved,
    pending: firstEntries - resolved,
    earlyResolved: sums.earlyResolved,
    winRatePct: percentOf(sums.wins, resolved, DECIMALS),
    roiSlippagePct: covered ? meanReturnPct(sums.returnSlippageNano, resolved, DECIMALS) : null,
    roiFeePct: covered ? meanReturnPct(sums.returnFeeNano, resolved, DECIMALS) : null,
    avgEntryPrice: meanOf(sums.entryPriceMicros, firstEntries, 1_000_000n, DECIMALS),
    priceBuckets: sums.priceBuckets,
    clipsPerEntryAvg: meanOf(BigInt(sums.clips), firstEntries, 1n, DECIMALS),
    nearCertainPct: percentOf(sums.nearCertain, firstEntries, DECIMALS) ?? 0,
    roundTripPct: percentOf(sums.roundTrips, firstEntries, DECIMALS) ?? 0,
    sellFirst: sums.sellFirst,
    upDownExcluded: sums.upDownExcluded,
  };
}

function rateMarkets({ categories, firstEntries, markets, bothSidedMarkets }: RatingSums) {
  const mix = (count: number) => percentOf(count, firstEntries, DECIMALS) ?? 0;
  return {
    categoryMixPct: {
      sports: mix(categories.sports),
      politics: mix(categories.politics),
      other: mix(categories.other),
      crypto: mix(categories.crypto),
    },
    markets,
    bothSidedMarkets,
    bothSidesPct: percentOf(bothSidedMarkets, markets, DECIMALS) ?? 0,
  };
}

function ratePools({ older, inSample, outOfSample, window, sums, config }: RatingFacts) {
  return {
    older,
    inSample,
    outOfSample,
    window,
    sample: sampleOf(window.entries, config),
    entriesNeeded: entriesNeeded(window, sums.window, config),
  };
}

function sampleOf(entries: number, config: RatingConfig): SampleFlag {
  if (entries < config.sampleFairMin) return 'thin';
  return entries < config.sampleSolidMin ? 'fair' : 'solid';
}

/** At the present ROI and spread, on independent bets (docs/ratings.md, "Sample size"). */
function entriesNeeded({ roiFee, entries }: PoolRating, sums: PoolSums, config: RatingConfig): number | null {
  if (roiFee === null || roiFee <= 0) return null;
  const meanVariance = Number(sums.varianceNano) / 1e9 / entries;
  const needed = Math.ceil((config.intervalZ / roiFee) ** 2 * meanVariance) - entries;
  return Math.min(Math.max(needed, 0), Number.MAX_SAFE_INTEGER);
}
