/**
 * How often the label is wrong: this rating in five generated worlds in which it is known who has
 * skill (docs/ratings.md, "Error rates"; a test holds the two together). Percentages, but for the
 * counts per 100,000 and 10,000.
 */
export const MEASURED_ERRORS = {
  worlds: 5,
  walletsPerWorld: 100_000,
  copyPer100k: 63,
  falseCopyPer10k: 0.37,
  falseCopyPer10kLow: 0.19,
  falseCopyPer10kHigh: 0.65,
  neverSkilledPct: 3.8,
  decayedPct: 8.6,
  trulyGoodPct: 87.6,
  observedRoiPct: 28,
  forwardRoiPct: 17.7,
} as const;
