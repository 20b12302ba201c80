import type { TapeWallet } from '#domain/ids';
import {
  type PoolRating,
  RATING_REASONS,
  type Rating,
  type RatingVerdict,
  type SampleFlag,
} from '#domain/rating/rating';
import { MIX_CATEGORIES, type MixCategory } from '#domain/rating/tape-market';
import type { RowReader } from './row-reader.js';

/*
 * A rating in its stored form: a list, without the wallet, which the row's key says. Verdicts and
 * reasons are kept by name, because the decision table may be given rows in its middle.
 */

export const VERDICTS = ['COPY', 'WATCH', 'VETO', 'NO_COVERAGE'] as const satisfies readonly RatingVerdict[];
const SAMPLES = ['thin', 'fair', 'solid'] as const satisfies readonly SampleFlag[];
const RATING_FIELDS = 31;
const POOL_FIELDS = 10;

/** Returns the stored form of a rating. */
export function encodeRating(rating: Rating): readonly unknown[] {
  return [
    rating.asOfS,
    rating.verdict,
    rating.reason,
    rating.reasonText,
    rating.firstEntries,
    rating.resolved,
    rating.pending,
    rating.earlyResolved,
    rating.winRatePct,
    rating.roiSlippagePct,
    rating.roiFeePct,
    rating.avgEntryPrice,
    rating.priceBuckets,
    MIX_CATEGORIES.map((category) => rating.categoryMixPct[category]),
    rating.clipsPerEntryAvg,
    rating.markets,
    rating.bothSidedMarkets,
    rating.bothSidesPct,
    rating.nearCertainPct,
    rating.roundTripPct,
    rating.sellFirst,
    rating.upDownExcluded,
    rating.firstTradeS,
    rating.lastTradeS,
    rating.activeDays,
    encodePool(rating.older),
    encodePool(rating.inSample),
    encodePool(rating.outOfSample),
    encodePool(rating.window),
    rating.sample,
    rating.entriesNeeded,
  ];
}

/** Returns the rating that is the next field of a row, or throws the error that names the row. */
export function decodeRating(row: RowReader, wallet: TapeWallet): Rating {
  const read = row.inner('rating', RATING_FIELDS);
  return {
    wallet,
    asOfS: read.count('asOfS'),
    verdict: read.oneOf(VERDICTS, 'verdict'),
    reason: read.oneOf(RATING_REASONS, 'reason'),
    reasonText: read.text('reasonText'),
    firstEntries: read.count('firstEntries'),
    resolved: read.count('resolved'),
    pending: read.count('pending'),
    earlyResolved: read.count('earlyResolved'),
    winRatePct: read.numberOrNull('winRatePct'),
    roiSlippagePct: read.numberOrNull('roiSlippagePct'),
    roiFeePct: read.numberOrNull('roiFeePct'),
    avgEntryPrice: read.numberOrNull('avgEntryPrice'),
    priceBuckets: read.counts('priceBuckets'),
    categoryMixPct: decodeMix(read),
    clipsPerEntryAvg: read.numberOrNull('clipsPerEntryAvg'),
    markets: read.count('markets'),
    bothSidedMarkets: read.count('bothSidedMarkets'),
    bothSidesPct: read.number('bothSidesPct'),
    nearCertainPct: read.number('nearCertainPct'),
    roundTripPct: read.number('roundTripPct'),
    sellFirst: read.count('sellFirst'),
    upDownExcluded: read.count('upDownExcluded'),
    firstTradeS: read.countOrNull('firstTradeS'),
    lastTradeS: read.countOrNull('lastTradeS'),
    activeDays: read.count('activeDays'),
    older: decodePool(read, 'older'),
    inSample: decodePool(read, 'inSample'),
    outOfSample: decodePool(read, 'outOfSample'),
    window: decodePool(read, 'window'),
    sample: read.oneOf(SAMPLES, 'sample'),
    entriesNeeded: read.countOrNull('entriesNeeded'),
  };
}

function decodeMix(row: RowReader): Rating['categoryMixPct'] {
  const read = row.inner('categoryMixPct', MIX_CATEGORIES.length);
  const shares = MIX_CATEGORIES.map((category) => [category, read.number(`categoryMixPct.${category}`)]);
  return Object.fromEntries(shares) as Record<MixCategory, number>;
}

function encodePool(pool: PoolRating): readonly unknown[] {
  return [
    pool.entries,
    pool.events,
    pool.winRate,
    pool.roiSlippage,
    pool.roiFee,
    pool.z,
    pool.standardError,
    pool.ciLow,
    pool.ciHigh,
    pool.roiWithoutBestEvent,
  ];
}

function decodePool(row: RowReader, name: string): PoolRating {
  const read = row.inner(name, POOL_FIELDS);
  return {
    entries: read.count(`${name}.entries`),
    events: read.count(`${name}.events`),
    winRate: read.numberOrNull(`${name}.winRate`),
    roiSlippage: read.numberOrNull(`${name}.roiSlippage`),
    roiFee: read.numberOrNull(`${name}.roiFee`),
    z: read.numberOrNull(`${name}.z`),
    standardError: read.numberOrNull(`${name}.standardError`),
    ciLow: read.numberOrNull(`${name}.ciLow`),
    ciHigh: read.numberOrNull(`${name}.ciHigh`),
    roiWithoutBestEvent: read.numberOrNull(`${name}.roiWithoutBestEvent`),
  };
}
