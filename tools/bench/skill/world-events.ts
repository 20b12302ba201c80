import { between, chance } from '#local/venue/market/seeded-random';
import type { Random } from '#system/random';
import { DAY_S, EVENTS_START_S, TAPE_END_S } from './calendar.js';
import { drawLifeS, drawMarketCount, EVENT_KINDS, EVENT_MARKETS_MAX, type EventKind } from './event-kinds.js';
import { pickByShare } from './pick-by-share.js';

/** One event of the generated tape, with the markets [firstMarket, firstMarket + markets). */
export interface WorldEvent {
  readonly kind: EventKind;
  readonly startS: number;
  readonly lifeS: number;
  readonly firstMarket: number;
  readonly markets: number;
  readonly byDate: boolean;
}

/** Returns the events of the tape, and of the days before it. */
export function drawEvents(dice: Random, eventsPerDay: number): WorldEvent[] {
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
