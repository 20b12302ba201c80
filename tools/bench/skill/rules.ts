import { decide } from '#domain/rating/decision-table';
import { copiesNaively, NAIVE_RULES, type NaiveRule } from '#domain/rating/naive-rules';
import { rateSums } from '#domain/rating/rate-sums';
import type { PoolRating } from '#domain/rating/rating';
import { RATING_CONFIG, type RatingConfig, SCORE_2_CONFIG } from '#domain/rating/rating-config';
import { toRatingFacts } from '#domain/rating/rating-facts';
import type { PoolSums } from '#domain/rating/rating-sums';
import { AS_OF_S } from './calendar.js';
import type { RatedWallet } from './rate-world.js';

/** A rule that says COPY or not. */
export interface Rule {
  readonly name: string;
  copies(wallet: RatedWallet): boolean;
}

const isPositive = (pool: PoolSums, entriesMin: number): boolean =>
  pool.entries >= entriesMin && pool.returnFeeNano > 0n;

const naive = (rule: NaiveRule): Rule => ({ name: rule.name, copies: ({ sums }) => copiesNaively(rule, sums) });
const [ONE_MONTH, TWO_MONTHS, TWO_FULL_MONTHS] = NAIVE_RULES as [NaiveRule, NaiveRule, NaiveRule];

export const CHOSEN: Rule = { name: 'the rating', copies: ({ rating }) => rating.verdict === 'COPY' };
export const NAIVE = naive(TWO_MONTHS);

/** The rating before it asked for a shrunken edge. */
export const SCORE_2: Rule = {
  name: 'score version 2',
  copies: ({ sums }) =>
    isPositive(sums.inSample, 10) &&
    isPositive(sums.window, 10) &&
    rateSums(sums, AS_OF_S, SCORE_2_CONFIG).verdict === 'COPY',
};

/**
 * Score version 2 with the z of the version before: the mean return by its standard error, in which
 * a longshot weighs most.
 */
export const BY_ROI: Rule = {
  name: 'z of the mean return',
  copies({ sums }) {
    if (!isPositive(sums.inSample, 10) || !isPositive(sums.window, 10)) return false;
    const facts = toRatingFacts(sums, AS_OF_S, SCORE_2_CONFIG);
    const { window, outOfSample } = facts;
    return decide({ ...facts, window: withRoiZ(window), outOfSample: withRoiZ(outOfSample) }).verdict === 'COPY';
  },
};

function withRoiZ(pool: PoolRating): PoolRating {
  const { roiFee, standardError } = pool;
  return { ...pool, z: roiFee === null || standardError === null ? null : roiFee / standardError };
}

/** The rating beside simpler rules. */
export const RULES: readonly Rule[] = [
  naive(ONE_MONTH),
  NAIVE,
  naive({ name: 'IS > 0 (10), OOS > 0 (10)', inSampleMin: 10, outOfSampleMin: 10 }),
  naive(TWO_FULL_MONTHS),
  BY_ROI,
  SCORE_2,
  CHOSEN,
];

/** The rating with one cut-off changed. */
function variant(name: string, change: Partial<RatingConfig>): Rule {
  const config = { ...RATING_CONFIG, ...change };
  return {
    name,
    copies({ sums }) {
      // Nothing without these is COPY in any variant; most wallets end here.
      if (!isPositive(sums.inSample, 10) || !isPositive(sums.window, 10)) return false;
      return rateSums(sums, AS_OF_S, config).verdict === 'COPY';
    },
  };
}

const minimums = (inSample: number, outOfSample: number, events: number): Rule =>
  variant(`IS/OOS/events ${inSample}/${outOfSample}/${events}`, {
    inSampleEntriesMin: inSample,
    outOfSampleEntriesMin: outOfSample,
    outOfSampleEventsMin: events,
  });

export const VARIANTS: readonly Rule[] = [
  ...[0, 1.282, 1.645, 2.33, 2.6].map((z) => variant(`z_W90 ${z}`, { windowZMin: z })),
  variant('z_OOS none', { outOfSampleZMin: Number.NEGATIVE_INFINITY }),
  ...[0.25, 1, 1.282].map((z) => variant(`z_OOS ${z}`, { outOfSampleZMin: z })),
  variant('event correlation 0', { eventCorrelation: 0 }),
  ...[0, 3_000, 10_000].map((micros) => variant(`shrunken edge ${micros / 1e4}c`, { shrunkenEdgeMicrosMin: micros })),
  minimums(10, 5, 4),
  minimums(15, 10, 8),
  minimums(20, 15, 10),
  minimums(30, 20, 15),
];
