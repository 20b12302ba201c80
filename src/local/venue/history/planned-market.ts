import type { MarketDates } from '../market/live-market.js';
import type { EventSpec, MarketSpec, OutcomeIndex } from '../market/market-spec.js';
import { PATH_STEPS, type PricePath } from './price-path.js';

/**
 * What kind of event it is. game: two a day, settled the day after. derby: four markets on one
 * game, every fourth day. upset: an underdog wins in all four markets, every fifteenth day.
 * longRun: "by a date" that is far away.
 */
export type EventKind = 'game' | 'derby' | 'upset' | 'crypto' | 'other' | 'politics' | 'byDate' | 'longRun' | 'upDown';

/** A market of the past with its whole life, the part still to come included. Times in seconds. */
export interface PlannedMarket {
  readonly kind: EventKind;
  readonly spec: MarketSpec;
  readonly event: EventSpec;
  readonly dates: MarketDates;
  readonly startS: number;
  /** When the path would end: trading is over, and a result proposed, at the latest. */
  readonly endS: number;
  /** When the result is known and trading stops. */
  readonly closeS: number;
  readonly resolvedS: number;
  readonly result: OutcomeIndex | 'half';
  readonly path: PricePath;
  /**
   * Running number among events of its kind, without gaps: who takes every second event takes one
   * of two.
   */
  readonly ordinal: number;
  /** Its place in its event. */
  readonly index: number;
}

/**
 * Returns a price of one outcome at a moment of the market's life, on the grid: cents, finer near
 * the ends.
 */
export function plannedPrice(market: PlannedMarket, outcome: OutcomeIndex, atS: number): number {
  const lived = (atS - market.startS) / (market.endS - market.startS);
  const step = Math.min(Math.max(Math.floor(lived * PATH_STEPS), 0), PATH_STEPS - 1);
  const first = market.path.prices[step] ?? 0.5;
  const fine = first < 0.04 || first > 0.96;
  const rounded = fine ? Math.round(first * 1_000) / 1_000 : Math.round(first * 100) / 100;
  const listed = Math.min(Math.max(rounded, 0.005), 0.995);
  return outcome === 0 ? listed : Math.round((1 - listed) * 1_000) / 1_000;
}

/** Returns what one share of this outcome pays in the end, in USD. */
export function plannedPayout({ result }: PlannedMarket, outcome: OutcomeIndex): number {
  return result === 'half' ? 0.5 : Number(result === outcome);
}
