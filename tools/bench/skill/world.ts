import type { TapeMarket } from '#domain/rating/tape-market';
import { seededRandom, seedFor } from '#local/venue/market/seeded-random';
import { pickByLife } from './pick-by-life.js';
import { byDateTicks, PATH_STEPS, PATH_TICKS } from './price-paths.js';
import { settleMarkets } from './settle-markets.js';
import { drawEvents, type WorldEvent } from './world-events.js';
import { drawPrices } from './world-prices.js';

/**
 * Events, their markets by number, every price and every result. All wallets trade in the same
 * world.
 */
export interface World {
  readonly events: readonly WorldEvent[];
  readonly marketCount: number;
  /** Event of each market. */
  readonly eventOf: Int32Array;
  /** Outcome that wins: 0 (YES) or 1 (NO). */
  readonly winners: Uint8Array;
  /** The markets by condition, as a tape tells them when all is over. */
  readonly markets: ReadonlyMap<string, TapeMarket>;
  /** Returns the market that a wallet looks at next, from a number in [0, 1). */
  pickMarket(unit: number): number;
  /**
   * USD per share of YES after a part of the market's life (0 to 1), in micros; null where it is
   * settled by then.
   */
  yesPriceMicros(market: number, part: number): number | null;
}

/**
 * What wallets look at. `open`: any moment, and then any market that is open at that moment, so
 * that long markets get most of the entries. `listed`: any market that was ever listed, so that
 * games, which are many and short, get most of them.
 */
export type Attention = 'open' | 'listed';

/** Every day has this many new events. */
const EVENTS_PER_DAY = 200;

/** Returns the world of a seed. */
export function makeWorld(seed: number, attention: Attention = 'open', eventsPerDay = EVENTS_PER_DAY): World {
  const events = drawEvents(seededRandom(seedFor(seed, 'events')), eventsPerDay);
  const last = events.at(-1)!;
  const marketCount = last.firstMarket + last.markets;
  const prices = drawPrices(seededRandom(seedFor(seed, 'prices')), events, marketCount);
  const { eventOf, winners, paths, chances, happensAt } = prices;
  return {
    events,
    marketCount,
    eventOf,
    winners,
    pickMarket: attention === 'open' ? pickByLife(events, eventOf) : (unit) => Math.floor(unit * marketCount),
    markets: settleMarkets(seededRandom(seedFor(seed, 'settlements')), events, prices),
    yesPriceMicros(market, part) {
      if (part >= happensAt[market]!) return null;
      const opening = chances[market]!;
      const step = market * PATH_STEPS + Math.floor(part * PATH_STEPS);
      return (opening > 0 ? byDateTicks(opening, part) : paths[step]!) * (1e6 / PATH_TICKS);
    },
  };
}
