import { shrunkenEdge } from './rate-pool.js';
import type { RatingReason, RatingVerdict } from './rating.js';
import type { RatingFacts } from './rating-facts.js';

/**
 * One row: the verdict of a wallet that no row before has decided, and that this one applies to.
 */
export interface Decision {
  readonly reason: Exclude<RatingReason, 'tape_short'>;
  readonly verdict: RatingVerdict;
  readonly applies: (facts: RatingFacts) => boolean;
}

/**
 * The decision table (docs/ratings.md, "Decision table"): first match wins, the last row always
 * matches. Counts and signs are compared on integers, so that no boundary depends on how floats
 * round.
 */
export const DECISION_TABLE: readonly Decision[] = [
  {
    reason: 'below_floor',
    verdict: 'NO_COVERAGE',
    applies: ({ sums, config }) => sums.firstEntries < config.coverageFloor,
  },
  {
    // Before few_resolved: who buys both outcomes is known without a resolution.
    reason: 'both_sides',
    verdict: 'VETO',
    applies: ({ sums, config }) =>
      sums.markets >= config.bothSidesMarketsMin &&
      sums.bothSidedMarkets >= config.bothSidesMarketsBothMin &&
      sums.bothSidedMarkets * 100 >= sums.markets * config.bothSidesPctMin,
  },
  {
    reason: 'few_resolved',
    verdict: 'WATCH',
    applies: ({ sums, config }) => sums.resolved < config.resolvedFloor,
  },
  {
    reason: 'lost_money',
    verdict: 'VETO',
    applies: ({ sums }) => sums.returnSlippageNano < 0n,
  },
  {
    reason: 'fee_fragile',
    verdict: 'WATCH',
    applies: ({ sums }) => sums.returnFeeNano < 0n,
  },
  {
    reason: 'farming',
    verdict: 'WATCH',
    applies: ({ sums, config }) => sums.nearCertain * 100 >= sums.firstEntries * config.nearCertainPctMin,
  },
  {
    reason: 'is_small',
    verdict: 'WATCH',
    applies: ({ inSample, config }) => inSample.entries < config.inSampleEntriesMin,
  },
  {
    reason: 'is_negative',
    verdict: 'WATCH',
    applies: ({ sums }) => sums.inSample.returnFeeNano <= 0n,
  },
  {
    reason: 'oos_small',
    verdict: 'WATCH',
    applies: ({ outOfSample, config }) =>
      outOfSample.entries < config.outOfSampleEntriesMin || outOfSample.events < config.outOfSampleEventsMin,
  },
  {
    reason: 'oos_failed',
    verdict: 'WATCH',
    applies: ({ sums, outOfSample, config }) =>
      sums.outOfSample.returnFeeNano <= 0n || isBelow(outOfSample.z, config.outOfSampleZMin),
  },
  {
    reason: 'not_significant',
    verdict: 'WATCH',
    applies: ({ sums, window, config }) =>
      isBelow(window.z, config.windowZMin) ||
      (config.shrunkenEdgeMicrosMin !== undefined &&
        isBelow(shrunkenEdge(sums.window, config), config.shrunkenEdgeMicrosMin / 1e6)),
  },
  {
    reason: 'one_event',
    verdict: 'WATCH',
    applies: ({ sums }) => sums.window.returnFeeNano - sums.window.bestEventNano <= 0n,
  },
  {
    // A price names winners before anybody has paid them, and may be changed by whoever lists it.
    reason: 'unconfirmed',
    verdict: 'WATCH',
    applies: ({ sums }) => sums.unconfirmed > 0,
  },
  { reason: 'validated', verdict: 'COPY', applies: () => true },
];

/** Returns the first row that applies. */
export function decide(facts: RatingFacts): Decision {
  return DECISION_TABLE.find(({ applies }) => applies(facts))!;
}

/** A figure that cannot be computed proves nothing. */
function isBelow(figure: number | null, min: number): boolean {
  return figure === null || Number.isNaN(figure) || figure < min;
}
