import type { TapeMarket } from '#domain/rating/tape-market';
import { between, chance, seededRandom, seedFor } from '#local/venue/seeded-random';
import type { Random } from '#ports/random';
import { DAY_S, EVENTS_START_S, TAPE_END_S } from './calendar.js';
import { drawLifeS, drawMarketCount, EVENT_KINDS, EVENT_MARKETS_MAX, type EventKind } from './event-kinds.js';
import { pickByShare } from './pick-by-share.js';
import { byDateTicks, drawByDates, PATH_STEPS, PATH_TICKS, writeBrownianPaths } from './price-paths.js';

/** One event of the generated tape, with the markets [firstMarket, firstMarket + markets). */
export interface WorldEvent {
  readonly kind: EventKind;
  readonly startS: number;
  readonly lifeS: number;
  readonly firstMarket: number;
  readonly markets: number;
  readonly byDate: boolean;
}

/** Events, their markets by number, every price and every result. All wallets trade in the same world. */
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
  /** USD per share of YES after a part of the market's life (0 to 1), in micros; null where it is settled by then. */
  yesPriceMicros(market: number, part: number): number | null;
}

/**
 * What wallets look at. `open`: any moment, and then any market that is open at that moment, so that long markets get most of the
 * entries. `listed`: any market that was ever listed, so that games, which are many and short, get most of them.
 */
export type Attention = 'open' | 'listed';

/** Every day has this many new events. */
export const EVENTS_PER_DAY = 200;

export const conditionOf = (market: number): string => `c${market}`;
export const tokenOf = (market: number, outcome: number): string => `t${market * 2 + outcome}`;

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
    markets: tapeMarkets(seededRandom(seedFor(seed, 'settlements')), events, prices),
    yesPriceMicros(market, part) {
      if (part >= happensAt[market]!) return null;
      const opening = chances[market]!;
      const step = market * PATH_STEPS + Math.floor(part * PATH_STEPS);
      return (opening > 0 ? byDateTicks(opening, part) : paths[step]!) * (1e6 / PATH_TICKS);
    },
  };
}

function drawEvents(dice: Random, eventsPerDay: number): WorldEvent[] {
  const count = Math.round(((TAPE_END_S - EVENTS_START_S) / DAY_S) * eventsPerDay);
  let firstMarket = 0;
  return Array.from({ length: count }, () => {
    const kind = pickByShare(dice.next(), EVENT_KINDS);
    const startS = between(dice, EVENTS_START_S, TAPE_END_S - 1);
    const markets = Math.min(EVENT_MARKETS_MAX, drawMarketCount(dice));
    const event = {
      kind,
      startS,
      lifeS: drawLifeS(dice, kind),
      firstMarket,
      markets,
      byDate: chance(dice, kind.byDateShare),
    };
    firstMarket += markets;
    return event;
  });
}

/** Returns a pick in which each market weighs as much as it lives long. */
function pickByLife(events: readonly WorldEvent[], eventOf: Int32Array): (unit: number) => number {
  const ends = new Float64Array(eventOf.length);
  let end = 0;
  eventOf.forEach((event, market) => {
    end += events[event]!.lifeS;
    ends[market] = end;
  });
  return (unit) => firstAbove(ends, unit * end);
}

/** Returns the place of the first of some rising numbers that is above `value`, by halving. */
function firstAbove(rising: Float64Array, value: number): number {
  let low = 0;
  let high = rising.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rising[middle]! > value) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** What happens in each market. `chances` is 0 for Brownian markets, `happensAt` above 1 where nothing ends a market early. */
interface Prices {
  readonly eventOf: Int32Array;
  readonly winners: Uint8Array;
  readonly paths: Uint16Array;
  readonly chances: Float64Array;
  readonly happensAt: Float64Array;
}

function drawPrices(dice: Random, events: readonly WorldEvent[], count: number): Prices {
  const prices: Prices = {
    eventOf: new Int32Array(count),
    winners: new Uint8Array(count),
    paths: new Uint16Array(count * PATH_STEPS),
    chances: new Float64Array(count),
    happensAt: new Float64Array(count).fill(2),
  };
  events.forEach(({ firstMarket, markets, byDate }, event) => {
    prices.eventOf.fill(event, firstMarket, firstMarket + markets);
    if (byDate) placeByDates(dice, prices, firstMarket, markets);
    else {
      const isYes = writeBrownianPaths(dice, markets, prices.paths, firstMarket * PATH_STEPS);
      isYes.forEach((yes, i) => {
        prices.winners[firstMarket + i] = yes ? 0 : 1;
      });
    }
  });
  return prices;
}

function placeByDates(dice: Random, prices: Prices, firstMarket: number, markets: number): void {
  drawByDates(dice, markets).forEach(({ chance: opening, happensAt }, i) => {
    prices.chances[firstMarket + i] = opening;
    prices.happensAt[firstMarket + i] = happensAt;
    prices.winners[firstMarket + i] = happensAt < 1 ? 0 : 1;
  });
}

/** The venue settles within this many seconds of the end of a market. */
const SETTLE_S_MAX = 10_800;

function tapeMarkets(dice: Random, events: readonly WorldEvent[], prices: Prices): ReadonlyMap<string, TapeMarket> {
  const markets = new Map<string, TapeMarket>();
  prices.eventOf.forEach((event, market) => {
    const { kind, startS, lifeS } = events[event]!;
    const endS = startS + lifeS;
    const overS = startS + Math.ceil(Math.min(1, prices.happensAt[market]!) * lifeS);
    const condition = conditionOf(market);
    markets.set(condition, {
      condition,
      event: `e${event}`,
      slug: '',
      category: kind.category,
      feeRateMicros: kind.feeRateMicros,
      upDown: false,
      scheduledEndS: endS - Math.min(kind.playS, Math.floor(lifeS / 4)),
      resolvedAtS: overS + between(dice, 60, SETTLE_S_MAX),
      payoutMicros: prices.winners[market] === 0 ? [1e6, 0] : [0, 1e6],
    });
  });
  return markets;
}
