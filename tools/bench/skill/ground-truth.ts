import { RATING_CONFIG, type RatingConfig } from '#domain/rating/rating-config';
import { AS_OF_S, DAY_S, TAPE_END_S, WINDOW_DAYS } from './calendar.js';
import type { Entry } from './wallet-entries.js';
import type { World } from './world.js';

/**
 * What copying a wallet's entries brings per staked dollar, those that pass the leaderboard's
 * filter.
 */
export interface Truth {
  readonly entries: number;
  /** By the planted chances: the truth about the wallet. */
  readonly expectedRoi: number;
  /** By the results: the truth and its luck. */
  readonly realisedRoi: number;
}

/**
 * Returns what a copier earns per staked dollar, slippage and fees paid, where the token pays
 * `payout` (docs/ratings.md, "Returns").
 */
export function copierReturn(priceMicros: number, payout: number, feeRateMicros: number, config: RatingConfig): number {
  const price = Math.min(priceMicros + config.slippageMicros, config.copierPriceMicrosMax) / 1e6;
  return payout / price - 1 - (feeRateMicros / 1e6) * (1 - price);
}

/** Returns the truth about the 90 days that are rated; null where there is no such entry. */
export function pastOf(world: World, entries: readonly Entry[]): Truth | null {
  return truthBetween(world, entries, AS_OF_S - WINDOW_DAYS * DAY_S, AS_OF_S);
}

/** Returns the truth about what follows a rating; null where there is no such entry. */
export function forwardOf(world: World, entries: readonly Entry[], asOfS = AS_OF_S): Truth | null {
  return truthBetween(world, entries, asOfS, TAPE_END_S);
}

function truthBetween(world: World, entries: readonly Entry[], fromS: number, toS: number): Truth | null {
  const counted = entries.filter((entry) => entry.timeS >= fromS && entry.timeS < toS && passesFilter(entry));
  if (counted.length === 0) return null;
  let expected = 0;
  let realised = 0;
  for (const { market, outcome, priceMicros, winChance } of counted) {
    const { feeRateMicros } = world.events[world.eventOf[market]!]!.kind;
    const payout = world.winners[market] === outcome ? 1 : 0;
    expected += copierReturn(priceMicros, winChance, feeRateMicros, RATING_CONFIG);
    realised += copierReturn(priceMicros, payout, feeRateMicros, RATING_CONFIG);
  }
  return {
    entries: counted.length,
    expectedRoi: expected / counted.length,
    realisedRoi: realised / counted.length,
  };
}

/** Whether an entry passes the leaderboard's filter (docs/ratings.md, "Leaderboard filter"). */
export function passesFilter({ priceMicros, sharesMicros }: Entry): boolean {
  const { filterPriceMicrosMin, filterPriceMicrosMax, filterClipSharesMicrosMin } = RATING_CONFIG;
  return (
    priceMicros >= filterPriceMicrosMin &&
    priceMicros <= filterPriceMicrosMax &&
    sharesMicros >= filterClipSharesMicrosMin
  );
}
