import { ZERO_FEES } from '../market.js';
import type { MixCategory } from './tape-market.js';

/** Today's taker rate of each category, in micros (docs/venue.md, "Fees"). */
const TABLE_RATES_MICROS = {
  crypto: 70_000,
  sports: 50_000,
  economics: 50_000,
  culture: 50_000,
  weather: 50_000,
  other: 50_000,
  finance: 40_000,
  politics: 40_000,
  mentions: 40_000,
  tech: 40_000,
  geopolitics: 0,
} as const satisfies Record<string, number>;

export type MarketCategory = keyof typeof TABLE_RATES_MICROS;

/**
 * Sports markets made before this moment kept the rate they were made with, all others have that of
 * the table (the venue's changelog; sources in docs/venue.md, "Fees").
 */
const SPORTS_RISE_S = Date.UTC(2026, 6, 10) / 1000;
const SPORTS_RATE_BEFORE_MICROS = 30_000;

/**
 * When taker fees reached all categories: a market that ended before shows nothing about what
 * copying it costs now.
 */
const FEES_BEGIN_S = Date.UTC(2026, 2, 30) / 1000;

/** Stands in where a category that should be free is reported with fees. */
const UNKNOWN_RATE_MICROS = TABLE_RATES_MICROS.other;

/**
 * What Gamma and the CLOB may report of a market's kind and fees. Leave out what is not known; null
 * means the same.
 */
export interface MarketFacts {
  /** Gamma `feeSchedule.rate` or CLOB `fd.r`: 0.05 is 5 %. */
  readonly feeRate?: number | null;
  /** Gamma `feeSchedule.exponent` or CLOB `fd.e`. */
  readonly feeExponent?: number | null;
  /** Gamma `feesEnabled`; false also if the CLOB answered for the market and left `fd` out. */
  readonly feesEnabled?: boolean | null;
  /** Gamma `feeType`, such as "politics_fees". */
  readonly feeType?: string | null;
  /** Gamma `sportsMarketType`, such as "moneyline". */
  readonly sportsMarketType?: string | null;
  /** Gamma `gameStartTime`, in any form. */
  readonly gameStartTime?: string | null;
  /** Slugs or labels of the event's tags. */
  readonly tags?: readonly string[] | null;
  /** When the market was made, in seconds since the epoch. */
  readonly createdAtS?: number | null;
  /** When it was closed or resolved; null while it is open. */
  readonly closedAtS?: number | null;
}

/** Returns a market's category and its taker rate in micros (docs/ratings.md, "Categories"). */
export function categorizeMarket(facts: MarketFacts): {
  readonly category: MarketCategory;
  readonly feeRateMicros: number;
} {
  const category = categoryOf(facts);
  return { category, feeRateMicros: feeRateMicros(facts, category) };
}

/**
 * Returns the line of `category_mix_pct` under which a category is counted; what is not known is
 * "other".
 */
export function toMixCategory(category: string): MixCategory {
  if (category === 'sports' || category === 'crypto') return category;
  return category === 'politics' || category === 'geopolitics' ? 'politics' : 'other';
}

/** The fee type is the market's own word; tags are the event's, and one event has many. */
function categoryOf(facts: MarketFacts): MarketCategory {
  const byFees = FEE_TYPES.get((facts.feeType ?? '').split('_', 1)[0]!);
  if (byFees !== undefined) return byFees;
  if (facts.sportsMarketType || facts.gameStartTime) return 'sports';
  const tags = new Set((facts.tags ?? []).map((tag) => tag.trim().toLowerCase().replaceAll(' ', '-')));
  return TAGS.find(([, names]) => names.some((name) => tags.has(name)))?.[0] ?? 'other';
}

/**
 * By the first word of the fee type: "crypto_fees_v2", "crypto_15_min", "finance_prices_fees".
 * "zero_fees" names no category.
 */
const FEE_TYPES: ReadonlyMap<string, MarketCategory> = new Map([
  ['crypto', 'crypto'],
  ['sports', 'sports'],
  ['economics', 'economics'],
  ['culture', 'culture'],
  ['weather', 'weather'],
  ['general', 'other'],
  ['finance', 'finance'],
  ['politics', 'politics'],
  ['mentions', 'mentions'],
  ['tech', 'tech'],
  ['geopolitics', 'geopolitics'],
]);

/**
 * First match wins: the narrow before the wide, because events of every kind also carry the wide
 * ones.
 */
const TAGS: readonly (readonly [MarketCategory, readonly string[]])[] = [
  ['mentions', ['mentions', 'mention-markets']],
  ['geopolitics', ['geopolitics']],
  ['weather', ['weather']],
  ['economics', ['economics', 'economy', 'economic-policy']],
  ['sports', ['sports', 'esports']],
  ['crypto', ['crypto', 'crypto-prices']],
  ['finance', ['finance', 'stocks', 'commodities', 'equities']],
  ['tech', ['tech', 'technology', 'ai']],
  ['politics', ['politics', 'elections', 'us-politics']],
  ['culture', ['culture', 'pop-culture']],
];

function feeRateMicros(facts: MarketFacts, category: MarketCategory): number {
  const predatesFees = isBefore(facts.closedAtS, FEES_BEGIN_S);
  if (facts.feesEnabled === false && !predatesFees) return 0;
  const received = reportedRateMicros(facts);
  if (received !== null) return received;
  if (facts.feeType === ZERO_FEES) return 0;
  if (category === 'sports' && !predatesFees) return sportsRateMicros(facts);
  const rate = TABLE_RATES_MICROS[category];
  // "Free" by its tags alone, while the market itself has fees.
  return rate === 0 && facts.feesEnabled === true ? UNKNOWN_RATE_MICROS : rate;
}

/**
 * A rate of another curve than rate * p * (1-p) means nothing here: legacy crypto had 0.25 with
 * exponent 2.
 */
function reportedRateMicros({ feeRate, feeExponent }: MarketFacts): number | null {
  if (feeRate === undefined || feeRate === null) return null;
  // Nothing by any curve.
  if (feeRate === 0) return 0;
  if ((feeExponent ?? 1) !== 1) return null;
  return feeRate >= 0 && feeRate < 1 ? Math.round(feeRate * 1e6) : null;
}

/**
 * By the day on which the market was made: "sports_fees_v2" stands on markets of both rates, and v3
 * on those of the higher one. One that does not say when is charged the higher.
 */
function sportsRateMicros({ feeType, createdAtS }: MarketFacts): number {
  if (feeType === 'sports_fees_v3') return TABLE_RATES_MICROS.sports;
  return isBefore(createdAtS, SPORTS_RISE_S) ? SPORTS_RATE_BEFORE_MICROS : TABLE_RATES_MICROS.sports;
}

function isBefore(timeS: number | null | undefined, limitS: number): boolean {
  return timeS !== null && timeS !== undefined && timeS < limitS;
}
