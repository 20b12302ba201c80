/**
 * How often the label is wrong: this rating in five generated worlds in which it is known who has
 * skill (docs/ratings.md, "Error rates"; a test holds the two together). Percentages, but for the
 * counts per 100,000 and 10,000.
 */
export const MEASURED_ERRORS = {
  worlds: 5,
  walletsPerWorld: 100_000,
  copyPer100k: 63,
  falseCopyPer10k: 0.06,
  falseCopyPer10kLow: 0.01,
  falseCopyPer10kHigh: 0.22,
  neverSkilledPct: 0.6,
  decayedPct: 6.3,
  trulyGoodPct: 93.1,
  observedRoiPct: 31,
  forwardRoiPct: 19.6,
} as const;
