import type { DuckDBValue } from '@duckdb/node-api';
import type { TapeWallet } from '#domain/ids';
import type { PoolSums, RatingSums } from '#domain/rating/rating-sums';
import { MIX_CATEGORIES, type MixCategory } from '#domain/rating/tape-market';
import { PRICE_BUCKETS } from '../sql/sums.js';

/**
 * Returns the rows of a piece of the last query of a rating, whose columns come in the order of
 * `sqlSums`.
 */
export function toRatingSums(columns: readonly (readonly DuckDBValue[])[]): readonly RatingSums[] {
  const rows = columns[0]?.length ?? 0;
  return Array.from({ length: rows }, (_, row) => toRow(columns, row));
}

function toRow(columns: readonly (readonly DuckDBValue[])[], row: number): RatingSums {
  let at = 0;
  const next = <Value>() => columns[at++]![row] as Value;
  const count = () => next<number>();
  const sum = () => next<bigint>();
  return {
    wallet: next<TapeWallet>(),
    firstEntries: count(),
    resolved: count(),
    earlyResolved: count(),
    unconfirmed: count(),
    wins: count(),
    returnSlippageNano: sum(),
    returnFeeNano: sum(),
    entryPriceMicros: sum(),
    clips: count(),
    nearCertain: count(),
    roundTrips: count(),
    sellFirst: count(),
    undescribedMarkets: count(),
    priceBuckets: Array.from({ length: PRICE_BUCKETS }, count),
    categories: Object.fromEntries(MIX_CATEGORIES.map((name) => [name, count()])) as Record<MixCategory, number>,
    markets: count(),
    bothSidedMarkets: count(),
    upDownExcluded: count(),
    firstTradeS: next<number | null>(),
    lastTradeS: next<number | null>(),
    activeDays: count(),
    tradeDays: sum(),
    older: toPool(count, sum),
    inSample: toPool(count, sum),
    outOfSample: toPool(count, sum),
    window: toPool(count, sum),
  };
}

function toPool(count: () => number, sum: () => bigint): PoolSums {
  return {
    entries: count(),
    events: count(),
    wins: count(),
    returnSlippageNano: sum(),
    returnFeeNano: sum(),
    varianceNano: sum(),
    eventRootsAtto: sum(),
    scoreNano: sum(),
    weightNano: sum(),
    eventWeightRootsAtto: sum(),
    bestEventNano: sum(),
  };
}
