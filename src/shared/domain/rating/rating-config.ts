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
  /** Which z proves: 1 was that of the mean return per dollar, 2 is the efficient score. */
  scoreVersion: 2,
  /** How alike markets of one event are assumed to be. */
  eventCorrelation: 0.5,
  intervalZ: 1.96,
  /** Decision table. */
  coverageFloor: 10,
  bothSidesMarketsMin: 10,
  bothSidesMarketsBothMin: 5,
  bothSidesPctMin: 30,
  resolvedFloor: 10,
  nearCertainPctMin: 50,
  inSampleEntriesMin: 20,
  outOfSampleEntriesMin: 15,
  outOfSampleEventsMin: 10,
  outOfSampleZMin: 0.5,
  windowZMin: 1.96,
  /** Sample flag: thin below the first, fair below the second, else solid. */
  sampleFairMin: 35,
  sampleSolidMin: 100,
  /** Lists. */
  leaderboardWalletsMax: 50,
  redListResolvedMin: 30,
  redListWalletsMax: 50,
} as const satisfies Record<string, number>;

/** The cut-offs; tests may bring their own. */
export type RatingConfig = { readonly [Name in keyof typeof RATING_CONFIG]: number };

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
