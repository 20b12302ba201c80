import type { TapeMarket } from '#domain/rating/tape-market';
import { between } from '#local/venue/market/seeded-random';
import type { Random } from '#system/random';
import type { WorldEvent } from './world-events.js';
import { conditionOf, eventIdOf } from './world-ids.js';
import type { Prices } from './world-prices.js';

/** The venue settles within this many seconds of the end of a market. */
const SETTLE_S_MAX = 10_800;

/** Returns the markets by condition, as a tape tells them when all is over. */
export function settleMarkets(
  dice: Random,
  events: readonly WorldEvent[],
  prices: Prices,
): ReadonlyMap<string, TapeMarket> {
  const markets = new Map<string, TapeMarket>();
  prices.eventOf.forEach((event, market) => {
    const { kind, startS, lifeS } = events[event]!;
    const endS = startS + lifeS;
    const overS = startS + Math.ceil(Math.min(1, prices.happensAt[market]!) * lifeS);
    const condition = conditionOf(market);
    markets.set(condition, {
      condition,
      event: eventIdOf(event),
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
