/**
 * Every cut-off of the rating in one place; its hash is printed with every rating as
 * `rating_config`. Reasons: docs/ratings.md, "Decision table". Prices and rates are in micros,
 * sizes in micro-shares.
 */
export const RATING_CONFIG = {
  /** Scope: smaller fills are not seen at all. */
  fillSharesMicrosMin: 5_000_000,
  windowDays: 90,
  monthDays: 30,
  /**
   * The copier: stake per first entry, slippage, and the last tick, above which nothing can be
   * bought.
   */
  stakeUsd: 5,
  slippageMicros: 20_000,
  copierPriceMicrosMax: 999_000,
  /** BUY clips this long after the first entry still belong to it. */
  clipWindowS: 86_400,
  /** Leaderboard filter, on the wallet's own price, inclusive, and its first clip. */
  filterPriceMicrosMin: 100_000,
  filterPriceMicrosMax: 900_000,
  filterClipSharesMicrosMin: 10_000_000,
  /** Farming screen. */
  nearCertainPriceMicrosMin: 950_000,
  roundTripWindowS: 3_600,
  roundTripPriceMicros: 10_000,
  roundTripSoldPctMin: 90,
  /**
   * What proves: 1 was the z of the mean return per dollar, 2 the z of the efficient score; 3 asks
   * for the shrunken edge as well.
   */
  scoreVersion: 3,
  /** How alike markets of one event are assumed to be. */
  eventCorrelation: 0.5,
  intervalZ: 1.96,
  /**
   * How edges of wallets are spread, per share at the copier's cost: a measured edge is drawn
   * towards this mean, the more the fewer entries it has.
   */
  edgePriorMeanMicros: -30_000,
  edgePriorSpreadMicros: 28_000,
  /** Decision table. */
  coverageFloor: 10,
  bothSidesMarketsMin: 10,
  bothSidesMarketsBothMin: 5,
  bothSidesPctMin: 30,
  resolvedFloor: 10,
  nearCertainPctMin: 50,
  inSampleEntriesMin: 10,
  outOfSampleEntriesMin: 8,
  outOfSampleEventsMin: 6,
  outOfSampleZMin: 0.5,
  windowZMin: 1.96,
  shrunkenEdgeMicrosMin: 6_000,
  /** Sample flag: thin below the first, fair below the second, else solid. */
  sampleFairMin: 35,
  sampleSolidMin: 100,
  /** Lists. */
  leaderboardWalletsMax: 50,
  redListResolvedMin: 30,
  redListWalletsMax: 50,
} as const satisfies Record<string, number>;

/** The cut-offs that came with `scoreVersion` 3. A rating without them asks for no shrunken edge. */
export const SHRINKAGE_CUT_OFFS = ['edgePriorMeanMicros', 'edgePriorSpreadMicros', 'shrunkenEdgeMicrosMin'] as const;

type Shrinkage = (typeof SHRINKAGE_CUT_OFFS)[number];

/**
 * The cut-offs of this rating, or of an earlier one whose evidence is computed again; tests may
 * bring their own.
 */
export type RatingConfig = {
  readonly [Name in Exclude<keyof typeof RATING_CONFIG, Shrinkage>]: number;
} & { readonly [Name in Shrinkage]?: number };

/**
 * The cut-offs of score version 2. A board that was made by them stays in force, with its evidence,
 * until the night after an upgrade.
 */
export const SCORE_2_CONFIG: RatingConfig = {
  ...withoutShrinkage(RATING_CONFIG),
  scoreVersion: 2,
  inSampleEntriesMin: 20,
  outOfSampleEntriesMin: 15,
  outOfSampleEventsMin: 10,
};

function withoutShrinkage({
  edgePriorMeanMicros: _mean,
  edgePriorSpreadMicros: _spread,
  shrunkenEdgeMicrosMin: _min,
  ...rest
}: typeof RATING_CONFIG) {
  return rest;
}

/** The cut-offs of this rating and of those before it, whose evidence is still computed again. */
export const PUBLISHED_CONFIGS: readonly RatingConfig[] = [RATING_CONFIG, SCORE_2_CONFIG];

/** Digits of the name of a set of cut-offs. */
export const CONFIG_HASH_DIGITS = 16;

/**
 * Returns what names a set of cut-offs: JSON with sorted names, of whose SHA-256 the name is the
 * first `CONFIG_HASH_DIGITS` hexadecimal digits (`rating_config`).
 */
export function ratingConfigText(config: RatingConfig): string {
  const sorted = Object.entries(config).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify(Object.fromEntries(sorted));
}
