import { RATING_CONFIG, type RatingConfig, SHRINKAGE_CUT_OFFS } from '#domain/rating/rating-config';

const SHRINKAGE: readonly string[] = SHRINKAGE_CUT_OFFS;

/** The cut-offs of score version 2: more entries, and no shrunken edge. */
export const SCORE_2_CONFIG = {
  ...Object.fromEntries(Object.entries(RATING_CONFIG).filter(([name]) => !SHRINKAGE.includes(name))),
  scoreVersion: 2,
  inSampleEntriesMin: 20,
  outOfSampleEntriesMin: 15,
  outOfSampleEventsMin: 10,
} as unknown as RatingConfig;
